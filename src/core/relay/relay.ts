import type { EnclaveChannel, Patience } from '../channel/index.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { Profile } from '../../shared/profile.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { Caller, Receipt } from '../../shared/receipt.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ChatEstimate } from '../pricing/index.ts'
import type { ServiceAccess } from '../service/http/access.ts'
import { CHAT_PATH } from '../service/inference/chat.ts'
import type { Budgets } from './budgets.ts'
import { deliver } from './deliver.ts'
import { forward } from './forward.ts'
import { OpenModel, SealedModel, type ModelListing } from './model-listing.ts'
import { estimateChatRequest } from './estimate.ts'
import { ReceiptDraft, type ReceiptSink } from './receipt-draft.ts'
import { seal } from './seal.ts'

export interface RelayOptions {
  readonly fetch: Fetch
  readonly now: () => number
  readonly profile: Profile
  readonly models: ModelListing
  /** Null where the profile has no policy: private models are then refused. */
  readonly channel: EnclaveChannel | null
  /** Read anew for each request: an account may be connected meanwhile. */
  readonly access: () => ServiceAccess
  readonly receipts: ReceiptSink
  readonly budgets: Budgets
  readonly patience: Patience
}

export interface ChatRequest {
  /** Parsed strictly: what is sent is written anew from it. */
  readonly body: JsonObject
  readonly caller: Caller
  readonly signal: AbortSignal
  /** Told what is being waited for. */
  readonly onStage?: (stage: 'proving' | 'sealing' | 'sending' | 'waiting') => void
}

export interface RelayAnswer {
  readonly privacy: 'sealed' | 'forwarded'
  readonly receiptId: string
  readonly contentType: 'application/json' | 'text/event-stream'
  /**
   * Plaintext as it comes. Ends by throwing a coded SottoError where the answer is not whole; stopping the iteration, or
   * the request's signal, ends the exchange with the service at once.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** The receipt, once the body has ended. */
  receipt(): Receipt | undefined
}

export interface Relay {
  readonly models: ModelListing
  readonly channel: EnclaveChannel | null
  /**
   * One chat completion by the one way that its model allows: sealed, forwarded, or refused. A refusal throws a coded
   * SottoError that names its receipt.
   */
  chat(request: ChatRequest): Promise<RelayAnswer>
}

/** The one way out for inference (design 2.6). */
export function createRelay(options: RelayOptions): Relay {
  const { profile, models, channel } = options

  async function route(request: ChatRequest, draft: ReceiptDraft): Promise<RelayAnswer> {
    const { body } = request
    const id = modelOf(body)
    if (isPrivateModel(id)) refuseLeaks(body, profile)
    const model = await models.find(id)
    reserve(estimateChatRequest(model.listed, body), request, draft)
    if (SealedModel.is(model)) {
      if (!channel) throw new SottoError('policy/none', { param: 'model' })
      const answer = await seal({ channel, access: options.access() }, model, request, draft)
      return deliver(answer, 'sealed', model, request, draft)
    }
    if (!OpenModel.is(model)) throw new SottoError('model/unknown', { param: 'model' })
    const answer = await forward({ fetch: options.fetch, access: options.access(), patience: options.patience }, model, request, draft)
    return deliver(answer, 'forwarded', model, request, draft)
  }

  /** The last thing before a request is on its way: what it can cost stands on its receipt, and is held back. */
  function reserve(estimate: ChatEstimate | 'unknown', { caller }: ChatRequest, draft: ReceiptDraft): void {
    if (estimate !== 'unknown') draft.know({ estimate: { least: estimate.least.toString(), most: estimate.most.toString() } })
    if (caller.localKeyId !== undefined) draft.holds(options.budgets.reserve(caller.localKeyId, estimate === 'unknown' ? estimate : estimate.most))
  }

  return {
    models,
    channel,
    async chat(request) {
      const draft = new ReceiptDraft(options.receipts, {
        at: options.now(),
        caller: request.caller,
        service: profile.kind,
        model: typeof request.body['model'] === 'string' ? request.body['model'].slice(0, 200) : '',
        path: CHAT_PATH,
      })
      try {
        return await route(request, draft)
      } catch (thrown) {
        const failure = thrown instanceof SottoError ? thrown : new SottoError(request.signal.aborted ? 'request/cancelled' : 'proxy/internal', { cause: thrown })
        draft.fail(failure)
        throw new SottoError(failure.code, { ...failure.details, receiptId: draft.id, privacy: draft.privacy, cause: failure.details.cause ?? failure.cause })
      }
    },
  }
}

function modelOf(body: JsonObject): string {
  const { model } = body
  if (typeof model !== 'string' || model === '') throw new SottoError('proxy/model-missing', { param: 'model' })
  return model
}

/** A private request that would carry its content past the enclave is refused before anything else is asked. */
function refuseLeaks(body: JsonObject, profile: Profile): void {
  if (profile.revision === 'A') throw new SottoError('privacy/revision', { param: 'model' })
  const { plugins } = body
  if (plugins !== undefined && !(Array.isArray(plugins) && plugins.length === 0)) throw new SottoError('privacy/plugins', { param: 'plugins' })
}

