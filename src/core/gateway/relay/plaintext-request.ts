import type { AllowedModels } from '../../../shared/model-pattern.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { Caller, Receipt } from '../../../shared/receipt.ts'
import type { FormFile } from '../service/http/multipart.ts'
import type { PassedAnswer } from '../service/inference/pass-through.ts'
import type { Timing } from './added-time.ts'

/**
 * A form that was read completely, because nothing of it is sent before all of it is checked. Files are read
 * once, while they are sent.
 */
export interface PlaintextForm {
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly files: readonly FormFile[]
}

/** A plaintext request to the service, by its endpoint. */
export type PlaintextAsk =
  | PayableAsk
  | { readonly endpoint: 'embeddings' | 'audio/speech'; readonly body: JsonObject }
  /** `durationMs` of the recording, if the caller knows it: without it the cost is unknown. */
  | { readonly endpoint: 'audio/transcriptions'; readonly form: PlaintextForm; readonly durationMs?: number }

/** A request that can be paid separately, without an account (specification, Authentication 6). */
export type PayableAsk =
  | { readonly endpoint: 'images/generations' | 'videos'; readonly body: JsonObject }
  | { readonly endpoint: 'images/edits'; readonly form: PlaintextForm }
  /** `path` is the part after `/v1/data`. The input of a GET is in the query. */
  | {
      readonly endpoint: 'data'
      readonly method: 'GET' | 'POST'
      readonly path: string
      readonly input: JsonObject
    }

/** One paid request other than chat. The service can read it, so it must not name a private model. */
export interface PlaintextRequest {
  readonly ask: PlaintextAsk
  readonly caller: Caller
  /** The models that the caller's key may use; all by default. */
  readonly allowed?: AllowedModels
  readonly signal: AbortSignal
  /** Whether this request may be paid separately if no account is connected. */
  readonly mayPayPerRequest: boolean
  /** When the request had been read, by performance.now(); now by default. */
  readonly startedAt?: number
}

/** A person's request for the price of a purchase. */
export interface PayableRequest {
  readonly ask: PayableAsk
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly startedAt?: number
}

/** A free lookup. It has no data of the user, and so no receipt. */
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
  /** Returns the receipt when the body has ended. */
  receipt(): Receipt | undefined
}
