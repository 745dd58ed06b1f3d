import { randomUUID } from 'node:crypto'
import { composeAnswer } from './compose.ts'
import type { ChatRequest } from './request.ts'
import { inputTokens, tokenize } from './tokens.ts'
import { searchPrice, searchResults, searchTokens } from './web-search.ts'

/** A completion before its first token is written. */
export interface Plan {
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  readonly inputTokens: number
  /** Of a web search, beside the tokens: 10^-12 USD. */
  readonly searchPicoUsd: bigint
  /** Of the text, or of the call's arguments. */
  readonly tokens: readonly string[]
  readonly call?: { readonly id: string; readonly name: string }
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
}

/**
 * Composes the answer and cuts it where the request says: before a stop sequence, and at the limit of tokens.
 * @param model as the answer names it
 * @param now Unix ms
 */
export function planCompletion(request: ChatRequest, model: { readonly id: string; readonly name: string }, now: number): Plan {
  const answer = composeAnswer(request, model.name)
  const results = searchResults(request)
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity
  const all = tokenize(answer.kind === 'text' ? beforeStop(answer.text, request.stop) : answer.argumentsJson)
  const tokens = all.slice(0, limit)
  const whole = answer.kind === 'text' ? 'stop' : 'tool_calls'
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    model: model.id,
    created: Math.floor(now / 1000),
    inputTokens: inputTokens(request) + searchTokens(results),
    searchPicoUsd: searchPrice(results),
    tokens,
    finishReason: tokens.length < all.length ? 'length' : whole,
    ...(answer.kind === 'tool-call' && { call: { id: answer.id, name: answer.name } }),
  }
}

function beforeStop(text: string, stop: ChatRequest['stop']): string {
  const sequences = (typeof stop === 'string' ? [stop] : stop ?? []).filter((sequence) => sequence !== '')
  const ends = sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at >= 0)
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends))
}
