import { randomUUID } from 'node:crypto'
import type { RelayAnswer, Timing } from '../relay/index.ts'
import type { RouteContext } from './route-context.ts'

/** The headers of every answer. */
export const PLAIN_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/**
 * The ID of a request, for both official SDKs: OpenAI's reads the first header, Anthropic's the second.
 * @param id the receipt's ID, if there is one
 */
export function requestIdHeaders(id: string = randomUUID()): Record<string, string> {
  return { 'x-request-id': id, 'request-id': id }
}

/**
 * Server-Timing of an answer without inference: all the time since the request's head.
 * @param receivedAt by performance.now()
 */
export function ownTime(receivedAt: number): string {
  return `sotto;dur=${(performance.now() - receivedAt).toFixed(2)}`
}

/** The characters that a header may contain. The service controls the IDs of models. */
const HEADER_SAFE = /^[\x21-\x7e]{1,200}$/

/** `x-sotto-model`: the ID of the model that a request used; absent if no model is named, or its ID can't be in a header. */
export function modelHeader(model: string | undefined): Record<string, string> {
  return model !== undefined && HEADER_SAFE.test(model) ? { 'x-sotto-model': model } : {}
}

/** `x-sotto-ignored`: the members of a request that were omitted, or have no effect; absent without one. */
export function ignoredHeader(names: readonly string[]): Record<string, string> {
  return names.length > 0 ? { 'x-sotto-ignored': names.join(', ') } : {}
}

/** The headers of an answer with a receipt, except its content type. */
export function answerHeaders(
  {
    privacy,
    receiptId,
    timing,
    model,
  }: Pick<RelayAnswer, 'privacy' | 'receiptId' | 'timing'> & { readonly model?: string | undefined },
  mark: RouteContext['mark'],
): Record<string, string> {
  return {
    ...PLAIN_HEADERS,
    ...mark,
    ...requestIdHeaders(receiptId),
    'x-sotto-privacy': privacy,
    'x-sotto-receipt': receiptId,
    ...modelHeader(model),
    'server-timing': serverTiming(timing),
  }
}

/**
 * Builds the Server-Timing header (W3C Server Timing) with the time that Sotto added before the answer's
 * first byte. `sotto` is all of it and `seal` a part of it. `proof` is how long the request waited for a
 * verdict. Milliseconds.
 */
function serverTiming({ addedMs, proofMs, sealMs }: Timing): string {
  const sotto = `sotto;dur=${addedMs.toFixed(2)}`
  return proofMs === undefined
    ? sotto
    : `${sotto}, proof;dur=${proofMs.toFixed(2)}, seal;dur=${(sealMs ?? 0).toFixed(2)}`
}
