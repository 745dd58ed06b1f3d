import type { AnswerPiece } from '../answer/index.ts'
import type { EnclaveChannel, ServiceEnclaveChannel } from '../channel/index.ts'
import type { Timeouts } from '../request-timeout.ts'
import type { ChatRoute } from '../../../shared/chat-route.ts'
import { isDirect } from '../../../shared/direct.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { failureOfAbort, SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { requireModel, type AllowedModels } from '../../../shared/model-pattern.ts'
import type { Profile } from '../../../shared/profile.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Caller, Receipt } from '../../../shared/receipt.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import type { ServiceAccess } from '../service/http/access.ts'
import { CHAT_PATH } from '../service/inference/chat.ts'
import type { Timing } from './added-time.ts'
import type { Budgets } from './budgets.ts'
import type { CacheSecrets } from './cache-secret.ts'
import { askedOf, deliver, type UpstreamAnswer } from './deliver.ts'
import { forward } from './forward.ts'
import { createConvertWay, type ConvertWay } from './convert.ts'
import { createPlaintextRelay, type PlaintextRelay } from './plaintext-relay.ts'
import { PlaintextModel, SealedModel, type ModelListing } from './model-listing.ts'
import { estimateChatRequest } from './estimate.ts'
import { keyFingerprint, ReceiptDraft, type ReceiptSink } from './receipt-draft.ts'
import type { SingleRequests } from './single-requests.ts'
import { unpricedMember } from './priced-members.ts'
import { otherModels, refusePrivateNamesInChat } from './private-name.ts'
import { relayThrough } from './relayed.ts'
import { resolveModel } from './resolve-model.ts'
import { seal } from './seal.ts'
import type { SkippedEntries } from './skipped-entries.ts'

export interface RelayOptions {
  readonly fetch: Fetch
  readonly now: () => number
  readonly profile: Profile
  readonly models: ModelListing
  /** Null if the profile has no policy: private models are then refused. */
  readonly channel: EnclaveChannel | null
  /** The service's own enclave, and how chat that isn't private is sent (read for each request). Null if the service has none. */
  readonly serviceEnclave: { readonly channel: ServiceEnclaveChannel; readonly route: () => ChatRoute } | null
  /** Read for each request, because the account may change. */
  readonly access: () => ServiceAccess
  readonly receipts: ReceiptSink
  readonly budgets: Budgets
  readonly cacheSecrets: CacheSecrets
  /** Pays for single requests if no account is connected; null if that isn't possible. */
  readonly payer: SingleRequests | null
  readonly timeouts: Timeouts
  /** Counts the list entries that can't be read. */
  readonly skipped: SkippedEntries
}

/** A privacy of earlier text that a later request must not weaken. */
export type EarlierPrivacy = 'sealed' | 'relayed'

export interface ChatRequest {
  /** Parsed strictly. The sent JSON is written from it. */
  readonly body: JsonObject
  readonly caller: Caller
  /**
   * The requests that share cached prompts at the enclave with this one, if they aren't all of the caller's
   * requests.
   */
  readonly cacheScope?: string
  /** The owner of the budget that the request is charged to, instead of the caller's local key. */
  readonly budgetOwner?: string
  /**
   * The privacy of earlier text in this request. The request isn't sent in a way that more parties can read.
   * Absent if the caller sent all of it.
   */
  readonly earlier?: EarlierPrivacy | undefined
  /** The models that the caller's key may use; all by default. */
  readonly allowed?: AllowedModels
  readonly signal: AbortSignal
  /** When the request had been read, by performance.now(); now by default. */
  readonly startedAt?: number
  /** Called with each stage of the request. */
  readonly onStage?: (stage: 'proving' | 'sealing' | 'sending' | 'waiting') => void
}

export interface RelayAnswer {
  readonly privacy: 'sealed' | 'relayed' | 'forwarded'
  readonly receiptId: string
  /** ID of the model that answers, whatever name the caller sent. */
  readonly model: string
  readonly contentType: 'application/json' | 'text/event-stream'
  readonly timing: Timing
  /**
   * Yields plaintext as it arrives, read once for every kind of caller. If the answer is incomplete, it ends
   * with a SottoError. Stopping the iteration, or aborting the request's signal, ends the exchange with the
   * service at once.
   */
  readonly body: AsyncIterable<AnswerPiece>
  /** Returns the receipt when the body has ended. */
  receipt(): Receipt | undefined
}

export interface Relay extends PlaintextRelay, ConvertWay {
  readonly models: ModelListing
  readonly channel: EnclaveChannel | null
  readonly serviceEnclave: ServiceEnclaveChannel | null
  /** How chat with a model that isn't private is sent now. */
  readonly plaintextChatPrivacy: () => 'relayed' | 'forwarded'
  /**
   * Returns the chat model that a name means to a key: its aliases are applied, and nothing is checked.
   * @returns an ID, which needn't be listed
   * @throws {SottoError} service/… – the listing is needed and can't be fetched
   */
  resolve(name: string, allowed: AllowedModels | undefined): Promise<string>
  /**
   * Sends one chat completion as its model and the person's choice permit: sealed, relayed, forwarded, or
   * refused.
   * @throws {SottoError} a refusal, which names its receipt
   */
  chat(request: ChatRequest): Promise<RelayAnswer>
}

/** Creates the relay, through which every inference request is sent. */
export function createRelay(options: RelayOptions): Relay {
  const { profile, models, channel, serviceEnclave } = options

  const resolve: Relay['resolve'] = (name, allowed) =>
    resolveModel(name, allowed, async (id) => (await models.all()).some((model) => model.id === id))

  async function route(request: ChatRequest, draft: ReceiptDraft): Promise<RelayAnswer> {
    const { body } = request
    const name = modelOf(body)
    const id = await resolve(name, request.allowed)
    draft.resolved(id)
    if (request.allowed) for (const each of [id, ...otherModels(body)]) requireModel(request.allowed, each)
    if (isPrivateModel(id)) refuseLeaks(body, profile)
    else refusePrivateNamesInChat(body)
    if (request.earlier === 'sealed' && !isPrivateModel(id))
      throw new SottoError('privacy/earlier-response', { param: 'model' })
    const model = await models.find(id, request.allowed)
    await draft.reserve(options.budgets, estimateChatRequest(model.listed, body), {
      isPrivate: SealedModel.is(model),
      unpriced: unpricedMember(body),
      signal: request.signal,
    })
    const facts = askedOf(body, id === name ? undefined : name)
    const access = options.access()
    if (access.apiKey !== undefined) draft.know({ serviceKey: keyFingerprint(access.apiKey) })
    if (SealedModel.is(model)) {
      if (!channel) throw new SottoError('policy/missing', { param: 'model' })
      const answer = await seal(
        { channel, access, cacheSecrets: options.cacheSecrets },
        model,
        request,
        draft,
      )
      return deliver(answer, 'sealed', model, facts, draft)
    }
    if (isDirect(profile) || !PlaintextModel.is(model))
      throw new SottoError('model/unknown', { param: 'model' })
    const relayed = await relay(model, request, access, draft)
    if (relayed) return deliver(relayed, 'relayed', model, facts, draft)
    const answer = await forward(
      { fetch: options.fetch, access, timeouts: options.timeouts },
      model,
      request,
      draft,
    )
    return deliver(answer, 'forwarded', model, facts, draft)
  }

  /**
   * Undefined if the request is to be sent in a way that the service can read. Only the person's choice
   * permits that.
   */
  async function relay(
    model: PlaintextModel,
    request: ChatRequest,
    access: ServiceAccess,
    draft: ReceiptDraft,
  ): Promise<UpstreamAnswer | undefined> {
    const chosen = serviceEnclave?.route() ?? 'forwarded'
    const mayForward = request.allowed?.atLeast !== 'relayed' && request.earlier !== 'relayed'
    if (!serviceEnclave || chosen === 'forwarded') {
      if (mayForward) return undefined
      throw new SottoError(request.earlier === 'relayed' ? 'privacy/earlier-response' : 'auth/relayed-only', {
        param: 'model',
      })
    }
    try {
      return await relayThrough({ channel: serviceEnclave.channel, access }, model, request, draft)
    } catch (thrown) {
      const failure =
        thrown instanceof SottoError && draft.privacy === 'refused' ? UNVERIFIED[thrown.code] : undefined
      if (!failure) throw thrown
      if (mayForward && chosen === 'relayed-if-verified') return undefined
      throw new SottoError(failure, { ...(thrown instanceof SottoError && thrown.details), cause: thrown })
    }
  }

  return {
    models,
    channel,
    serviceEnclave: serviceEnclave?.channel ?? null,
    plaintextChatPrivacy: () =>
      serviceEnclave && serviceEnclave.route() !== 'forwarded' ? 'relayed' : 'forwarded',
    resolve,
    ...createPlaintextRelay(options),
    ...createConvertWay(options),
    async chat(request) {
      const draft = new ReceiptDraft(
        options.receipts,
        {
          at: options.now(),
          caller: request.caller,
          service: profile.kind,
          model: typeof request.body['model'] === 'string' ? request.body['model'] : '',
          path: CHAT_PATH,
          ...(request.budgetOwner !== undefined && { budgetOwner: request.budgetOwner }),
        },
        request.startedAt,
      )
      try {
        return await route(request, draft)
      } catch (thrown) {
        throw draft.failWith(
          thrown,
          request.signal.aborted ? failureOfAbort(request.signal).code : 'proxy/internal',
        )
      }
    },
  }
}

/** Codes without a good verdict on the service's enclave. Nothing was sent. */
const UNVERIFIED: Partial<Record<ErrorCode, ErrorCode>> = {
  'attestation/failed': 'relay/unverified',
  'attestation/evidence-too-large': 'relay/unverified',
  'attestation/unreachable': 'relay/unreachable',
}

function modelOf(body: JsonObject): string {
  const { model } = body
  if (typeof model !== 'string' || model === '')
    throw new SottoError('proxy/model-missing', { param: 'model' })
  return model
}

/**
 * Refuses a private request that would send its content to anyone except the enclave, before all other
 * checks. The router in the enclave can search the web with words of the prompt, and have code run elsewhere.
 */
function refuseLeaks(body: JsonObject, profile: Profile): void {
  if (profile.revision === 'A') throw new SottoError('privacy/revision', { param: 'model' })
  const param = leakingMember(body)
  if (param !== undefined) throw new SottoError('privacy/plugins', { param })
}

function leakingMember(body: JsonObject): string | undefined {
  const { plugins, tools = null } = body
  if (plugins !== undefined && !(Array.isArray(plugins) && plugins.length === 0)) return 'plugins'
  if (tools !== null && !(Array.isArray(tools) && tools.every(callerRuns))) return 'tools'
  return ['web_search_options', 'code_execution_options'].find((name) => (body[name] ?? null) !== null)
}

/** Whether a tool is one that only the caller can run. Any other type may be one that the enclave runs. */
function callerRuns(tool: JsonValue): boolean {
  if (!isJsonObject(tool)) return false
  const { type } = tool
  return type === undefined || type === 'function' || type === 'custom'
}

/**
 * Returns a relay whose requests also end when `ended` aborts. Their failure is the signal's reason if that
 * is a SottoError.
 * @param ended aborts once, when the core behind the relay ends
 */
export function endRequestsWith(relay: Relay, ended: AbortSignal): Relay {
  const either = <Request extends { readonly signal: AbortSignal }>(request: Request): Request => ({
    ...request,
    signal: AbortSignal.any([request.signal, ended]),
  })
  return {
    ...relay,
    chat: (request) => relay.chat(either(request)),
    convert: (request) => relay.convert(either(request)),
    open: (request) => relay.open(either(request)),
    quote: (request) => relay.quote(either(request)),
    look: (look, signal) => relay.look(look, AbortSignal.any([signal, ended])),
  }
}
