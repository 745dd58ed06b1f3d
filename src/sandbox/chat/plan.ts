import { randomUUID } from 'node:crypto'
import type { SandboxModel } from '../models.ts'
import { json, type Refusal } from '../refusal.ts'
import { composeAnswer } from './compose.ts'
import type { ChatRequest } from './request.ts'
import { inputTokens, tokenize } from './tokens.ts'
import { annotationsOf, searchPrice, searchResults, searchTokens } from './web-search.ts'

/** A completion before its first token is written. */
export interface Plan {
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  readonly inputTokens: number
  /** The price of a web search, in addition to the tokens: 10^-12 USD. */
  readonly searchPicoUsd: bigint
  /** The tokens of the text, or of the arguments of the calls, one after another. */
  readonly tokens: readonly string[]
  /** The tokens in one piece. */
  readonly text: string
  readonly calls?: readonly PlannedCall[]
  /** The sources in the text, in OpenAI's format; none without a web search. */
  readonly annotations: readonly object[]
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  /** Members of `usage` in addition to the counts. */
  readonly reported?: object
}

export interface PlannedCall {
  readonly id: string
  readonly name: string
  /** Its arguments are the tokens from `start` up to `end`. */
  readonly start: number
  readonly end: number
}

/**
 * Composes the answer and cuts it before a stop sequence and at the token limit of the request.
 * @param model as named in the answer
 * @param now Unix ms
 */
export function planCompletion(
  request: ChatRequest,
  model: { readonly id: string; readonly name: string },
  now: number,
): Plan {
  const answer = composeAnswer(request, model.name)
  const results = searchResults(request)
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity
  const texts =
    answer.kind === 'text'
      ? [beforeStop(answer.text, request.stop)]
      : answer.calls.map((call) => call.argumentsJson)
  const pieces = texts.map(tokenize)
  const all = pieces.length === 1 && pieces[0] ? pieces[0] : pieces.flat()
  const isCut = all.length > limit
  const tokens = isCut ? all.slice(0, limit) : all
  const text = isCut ? tokens.join('') : texts.join('')
  const whole = answer.kind === 'text' ? 'stop' : 'tool_calls'
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    model: model.id,
    created: Math.floor(now / 1000),
    inputTokens: inputTokens(request) + searchTokens(results),
    searchPicoUsd: searchPrice(results),
    tokens,
    text,
    annotations: answer.kind === 'text' ? annotationsOf(results, text) : [],
    finishReason: isCut ? 'length' : whole,
    ...(answer.kind === 'tool-calls' && { calls: plannedCalls(answer.calls, pieces, tokens.length) }),
  }
}

/** Those that begin before the limit. */
function plannedCalls(
  calls: readonly { readonly id: string; readonly name: string }[],
  pieces: readonly (readonly string[])[],
  limit: number,
): PlannedCall[] {
  let end = 0
  return calls
    .map(({ id, name }, at) => {
      const start = end
      end += pieces[at]?.length ?? 0
      return { id, name, start, end: Math.min(end, limit) }
    })
    .filter(({ start }) => start === 0 || start < limit)
}

function beforeStop(text: string, stop: ChatRequest['stop']): string {
  const sequences = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((sequence) => sequence !== '')
  const ends = sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at >= 0)
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends))
}

/**
 * Whether the sandbox refuses requests beyond a model's context. Off by default, because the specification
 * has no such refusal.
 */
export class ContextLimit {
  enforced = false

  /**
   * In the format of OpenAI's API, which clients read to shorten a conversation. Undefined if the request
   * fits, or the limit is off.
   */
  refusal(
    { contextLength }: SandboxModel,
    { max_completion_tokens: completion, max_tokens: most }: ChatRequest,
    { inputTokens }: Plan,
  ): Refusal | undefined {
    const wanted = inputTokens + (completion ?? most ?? 0)
    if (!this.enforced || wanted <= contextLength) return undefined
    const message = `This model's maximum context length is ${String(contextLength)} tokens. However, your request needs ${String(wanted)} tokens.`
    return json(400, {
      error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    })
  }
}
