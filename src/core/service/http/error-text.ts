import { z } from 'zod'
import type { FetchResponse } from '../../../shared/fetch.ts'
import { readText } from './body.ts'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_DETAIL = 300

/** What an error body says. All of it is untrusted text. */
export interface ErrorText {
  readonly message?: string
  /** Words for machines, such as `insufficient_balance`. */
  readonly reason?: string
  /** The request member at fault. */
  readonly param?: string
  /** The JSON object as it came, for the readers of payment problems. */
  readonly json?: Readonly<Record<string, unknown>>
}

const words = z.string().max(4000).optional().catch(undefined)
const member = z.string().regex(/^[\w.[\]-]{1,64}$/).optional().catch(undefined)
const machine = { code: words, type: words, reason: words, param: member, field: member }

/** The shapes seen of the service's errors (service-observed, Errors), and RFC 9457. */
const errorBody = z.looseObject({
  error: z.union([z.string().max(4000), z.looseObject({ message: words, ...machine })]).optional().catch(undefined),
  message: words,
  title: words,
  detail: words,
  ...machine,
})

/** Reads a body that answers a status other than 2xx; nothing where it is no text of a known form, such as an HTML page. */
export async function readErrorText(response: FetchResponse): Promise<ErrorText> {
  try {
    const text = await readText(response.body, MAX_ERROR_BYTES)
    const json: unknown = looksLikeJson(text) ? JSON.parse(text) : undefined
    if (json !== undefined) return errorTextOf(json)
    const plain = response.headers.get('content-type')?.startsWith('text/plain') === true && text.length <= MAX_DETAIL
    return plain && text.trim() !== '' ? { message: plainSentence(text) } : {}
  } catch {
    return {}
  }
}

/** The error text of JSON that is parsed already, such as an error within an answer of status 200; empty if the form is unknown. */
export function errorTextOf(json: unknown): ErrorText {
  const body = errorBody.safeParse(json)
  return body.success ? fromJson(body.data) : {}
}

function looksLikeJson(text: string): boolean {
  return /^\s*\{/.test(text)
}

function fromJson(body: z.infer<typeof errorBody>): ErrorText {
  const inner = typeof body.error === 'object' ? body.error : undefined
  const short = typeof body.error === 'string' ? body.error : undefined
  const message = inner?.message ?? body.message ?? body.detail ?? short ?? body.title
  const reason = [inner?.reason, inner?.type, inner?.code, body.reason, body.type, body.code, short].filter((word) => word !== undefined).join(' ')
  const param = inner?.param ?? inner?.field ?? body.param ?? body.field
  return {
    ...(message !== undefined && message !== '' && { message: plainSentence(message) }),
    ...(reason !== '' && { reason }),
    ...(param !== undefined && { param }),
    json: body,
  }
}

/** Secrets that a service may repeat to whoever sent them: wallet connections and keys. */
const SECRETS = /nostr\+?walletconnect:\S*|secret=\S*|\bsk-[\w-]{8,}/gi

/** Untrusted text made fit for one line of a message. */
export function plainSentence(text: string): string {
  const line = text.replaceAll(SECRETS, '[secret]').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL)}…` : line
}
