import type { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { AnswerPiece, ChatStep } from '../answer/index.ts'

/** A request of another dialect, as a chat completion. */
export interface Translated {
  /** `POST /v1/chat/completions`. */
  readonly body: JsonObject
  /** Members that change nothing in the answer, such as hints for a cache: they are not passed on, and the caller is told their names. */
  readonly ignored: readonly string[]
  /** What this machine adds to the request from earlier responses. */
  readonly earlier?:
    { readonly privacy: 'sealed' | 'relayed' | undefined; readonly bytes: number } | undefined
  /** Aborts if another request cancels this one. */
  readonly cancelled?: AbortSignal
  answer(facts: AnswerFacts): AnswerWriter
  /** The media type of a streamed answer; server-sent events if it is absent. */
  readonly streamType?: string
}

export interface AnswerFacts {
  /** Letters and digits; the ids of the answer are made of it. */
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** How the request was sent. */
  readonly privacy: 'sealed' | 'relayed' | 'forwarded'
  /** @returns milliseconds since the request was read */
  readonly elapsedMs: () => number
}

/** Writes the answer in the dialect, from a chat completion in one piece or as it streams. Each throws a coded SottoError. */
export interface AnswerWriter {
  whole(step: ChatStep): JsonObject
  /** The events that this piece of the answer makes; often none. Some servers send all of a streamed answer in one piece. */
  push(piece: AnswerPiece): string
  /** Tells inside the stream that it failed. */
  fail(failure: SottoError): string
}

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/** One server-sent event. */
export function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
