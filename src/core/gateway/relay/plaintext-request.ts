import type { AllowedModels } from '../../../shared/model-pattern.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { Caller, Receipt } from '../../../shared/receipt.ts'
import type { FormFile } from '../service/http/multipart.ts'
import type { PassedAnswer } from '../service/inference/pass-through.ts'
import type { Timing } from './added-time.ts'

/** A form as it was read, whole: nothing of it leaves before all of it is judged. Files are read once, as they are sent. */
export interface PlaintextForm {
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly files: readonly FormFile[]
}

/** What is asked of the service in the open, by the endpoint that is asked. */
export type PlaintextAsk =
  | PayableAsk
  | { readonly endpoint: 'embeddings' | 'audio/speech'; readonly body: JsonObject }
  /** `durationMs` of the recording, where whoever asks knows it: only then can be said what it costs. */
  | { readonly endpoint: 'audio/transcriptions'; readonly form: PlaintextForm; readonly durationMs?: number }

/** What can be paid for by itself, without an account (specification, Authentication 6). */
export type PayableAsk =
  | { readonly endpoint: 'images/generations' | 'videos'; readonly body: JsonObject }
  | { readonly endpoint: 'images/edits'; readonly form: PlaintextForm }
  /** `path` is below `/v1/data`. Of a GET the input stands in the query. */
  | {
      readonly endpoint: 'data'
      readonly method: 'GET' | 'POST'
      readonly path: string
      readonly input: JsonObject
    }

/** One paid request beside chat. The service can read it, so that no private model may be named in it. */
export interface PlaintextRequest {
  readonly ask: PlaintextAsk
  readonly caller: Caller
  /** What the caller's key may use; anything where it is not said. */
  readonly allowed?: AllowedModels
  readonly signal: AbortSignal
  /** Where no account is connected: whether the caller may have this request paid by itself. */
  readonly mayPayPerRequest: boolean
  /** Of performance.now(): when the request had been read; now where it is not said. */
  readonly startedAt?: number
}

/** What a request costs that is paid for by itself, asked by a person. */
export interface PayableRequest {
  readonly ask: PayableAsk
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly startedAt?: number
}

/** What costs nothing, carries nothing of the user's and so has no receipt. */
export type FreeLookup =
  | {
      readonly at: 'audio/voices' | 'audio/models' | 'data/endpoints'
      readonly query: Readonly<Record<string, string>>
    }
  | { readonly at: 'videos'; readonly id: string }

export interface PlaintextAnswer extends PassedAnswer {
  readonly privacy: 'forwarded'
  readonly receiptId: string
  /** ID of the model that answers, whatever name the caller sent; absent if the request names none. */
  readonly model?: string | undefined
  readonly timing: Timing
  /** The receipt, once the body has ended. */
  receipt(): Receipt | undefined
}
