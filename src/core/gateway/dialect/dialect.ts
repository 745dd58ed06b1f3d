import type { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { AnswerPiece, ChatStep } from '../answer/index.ts'

/** A request of another dialect, as a chat completion. */
export interface Translated {
  /** `POST /v1/chat/completions`. */
  readonly body: JsonObject
  /** Ignored members, such as hints for a cache: they aren't passed on, and the caller gets their names. */
  readonly ignored: readonly string[]
  /** The parts of the request that come from cached responses. */
  readonly earlier?:
    | { readonly privacy: 'sealed' | 'relayed' | undefined; readonly bytes: number }
    | undefined
  /** Aborts if another request cancels this one. */
  readonly cancelled?: AbortSignal
  /** The model may call the server tools of the caller's key. */
  readonly hasServerTools?: true
  answer(facts: AnswerFacts): AnswerWriter
  /** The media type of a streamed answer; server-sent events if it is absent. */
  readonly streamType?: string
}

export interface AnswerFacts {
  /** Letters and digits. The IDs of the answer contain it. */
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** How the request was sent. */
  readonly privacy: 'sealed' | 'relayed' | 'forwarded'
  /** @returns milliseconds since the request was read */
  readonly elapsedMs: () => number
}

/**
 * Writes the answer in the dialect, from a chat completion in one piece or as it streams. Each method throws
 * a SottoError.
 */
export interface AnswerWriter {
  whole(step: ChatStep): JsonObject
  /**
   * Returns the events for this piece of the answer; often none. Some servers send a whole streamed answer in
   * one piece.
   */
  push(piece: AnswerPiece): string
  /** Reports a failure within the stream. */
  fail(failure: SottoError): string
}

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/** Formats one server-sent event. */
export function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
