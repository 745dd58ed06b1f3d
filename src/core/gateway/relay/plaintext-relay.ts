import { createHash } from 'node:crypto'
import { ReceivedBytes } from '../channel/index.ts'
import { isDirect } from '../../../shared/direct.ts'
import { failureOfAbort, SottoError } from '../../../shared/errors.ts'
import { requireVisible } from '../../../shared/model-pattern.ts'
import type { Model } from '../../../shared/model.ts'
import type { MaybeEstimate } from '../pricing/index.ts'
import { bearer, hasAccount, type ServiceAccess } from '../service/http/access.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { perform, type RequestBody, type Service } from '../service/http/perform.ts'
import type { AudioModel } from '../service/inference/audio-models.ts'
import type { DataCatalogueEntry } from '../service/inference/data.ts'
import {
  endpoints,
  passThrough,
  type EndpointName,
  type PassedAnswer,
} from '../service/inference/pass-through.ts'
import type { Voice } from '../service/inference/voices.ts'
import { deliverWhole } from './deliver.ts'
import { freeze, isPayable, type Frozen } from './frozen-request.ts'
import { keyFingerprint, ReceiptDraft } from './receipt-draft.ts'
import { requireKnownLimits } from './known-limits.ts'
import { createPlaintextListings } from './plaintext-listings.ts'
import {
  listsModel,
  modelIn,
  planOf,
  refusePrivate,
  subjectOf,
  withModel,
  type RequestPlan,
  type ReportedUsage,
} from './request-plan.ts'
import type {
  PlaintextAnswer,
  PlaintextAsk,
  FreeLookup,
  PlaintextRequest,
  PayableRequest,
} from './plaintext-request.ts'
import type { PurchaseRequest, PurchaseResult } from './single-requests.ts'
import { refusePrivateNames } from './private-name.ts'
import { renameModel, VideoJobs } from './video-jobs.ts'
import { resolveModel } from './resolve-model.ts'
import type { RelayOptions } from './relay.ts'

/** The relay for requests other than chat. The service can read them, so private models are refused. */
export interface PlaintextRelay {
  /** Sends one paid request. @throws {SottoError} a refusal, which names its receipt */
  open(request: PlaintextRequest): Promise<PlaintextAnswer>
  /**
   * Requests the price of one purchase without paying. The service gets the whole request.
   * @returns the purchase's ID
   * @throws {SottoError} a refusal, which names its receipt
   */
  quote(request: PayableRequest): Promise<string>
  /** Fetches a free answer. The request reveals nothing about the user, so it has no receipt. */
  look(look: FreeLookup, signal: AbortSignal): Promise<PassedAnswer>
  /** Returns the listed models of these types. In Revision A, `image` and `video` have a separate listing. */
  listed(types: readonly string[]): Promise<readonly Model[]>
  /** Returns the data endpoints with their prices, from the cached listing. */
  dataEndpoints(): Promise<readonly DataCatalogueEntry[]>
  /**
   * Returns the speech and transcription models. Revision A has no listing of audio, although it has one
   * speech model and some for transcription.
   */
  audio(): Promise<AudioListing>
  /** Estimates the cost of a request without sending it. Throws the errors of `open` before sending. */
  estimate(ask: PlaintextAsk): Promise<MaybeEstimate>
}

export interface AudioListing {
  readonly speaking: readonly AudioModel[]
  readonly listening: readonly AudioModel[]
  readonly voices: readonly Voice[]
}

/**
 * Creates the relay for requests other than chat. Its listings belong to the service and not to an account,
 * so they remain valid when another account is selected.
 */
export function createPlaintextRelay({
  profile,
  models,
  receipts,
  budgets,
  payer,
  ...options
}: RelayOptions): PlaintextRelay {
  const service: Service = { fetch: options.fetch, access: options.access, now: options.now }
  const listings = createPlaintextListings(service, options.skipped, options.now)
  const videoJobs = new VideoJobs(service, { profile, payer, receipts })

  /** Resolves the alias of a request's model for the key. Later steps only see the result. */
  async function resolved(
    request: PlaintextRequest,
    draft: ReceiptDraft,
  ): Promise<{ readonly request: PlaintextRequest; readonly alias?: string }> {
    const { ask, allowed } = request
    const name = modelIn(ask)
    if (name === undefined) return { request }
    const model = await resolveModel(name, allowed, (id) => listsModel(ask, id, listings, profile.revision))
    draft.resolved(model)
    return model === name ? { request } : { request: { ...request, ask: withModel(ask, model) }, alias: name }
  }

  async function send(original: PlaintextRequest, draft: ReceiptDraft): Promise<PlaintextAnswer> {
    const { request, alias } = await resolved(original, draft)
    const { ask, signal } = request
    // A request for a private model is refused as such, whatever the key permits.
    refusePrivate(ask)
    requireKnownLimits(ask, profile.revision)
    if (request.allowed) requireVisible(request.allowed, subjectOf(ask))
    const access = options.access()
    if (!hasAccount(access)) return buy(request, alias, access, draft)
    // Without its API key the account can't pay. Then nothing is purchased instead.
    bearer(access)
    if (access.apiKey !== undefined) draft.know({ serviceKey: keyFingerprint(access.apiKey) })
    const plan = await planOf(ask, listings, profile.revision, request.allowed)
    // A request that can't be sent is refused before money is reserved for it.
    const passed = passThrough(ask.endpoint, plan.request, access)
    await draft.reserve(budgets, plan.estimate, {
      chargesRejected: endpoints[ask.endpoint].auth === 'payable',
      signal,
    })
    if (signal.aborted) throw failureOfAbort(signal)
    draft.leaving('forwarded')
    draft.time.leaves()
    const answer = await perform(
      { ...service, access: () => access },
      { ...passed, ...(passed.body && { body: noted(passed.body, draft) }) },
      { signal },
    )
    draft.time.answered()
    const onWhole = (bytes: Uint8Array): void => {
      if (ask.endpoint === 'videos' && alias !== undefined) videoJobs.note(answer.status, bytes, alias)
    }
    return deliver(answer, { ...accountOf(plan), model: modelIn(ask), alias }, ask.endpoint, draft, onWhole)
  }

  /** Without an account, some requests can be paid separately (specification, Authentication 6). */
  async function buy(
    { ask, caller, signal, mayPayPerRequest }: PlaintextRequest,
    alias: string | undefined,
    access: ServiceAccess,
    draft: ReceiptDraft,
  ): Promise<PlaintextAnswer> {
    if (!isPayable(ask)) throw new SottoError('service/no-account')
    if (!mayPayPerRequest)
      throw new SottoError('auth/insufficient-scope', {
        toolDetail: 'No account is connected, and the permission to pay per request is "pay-per-request".',
      })
    if (!payer) throw new SottoError('payment/not-available')
    payer.requireWallet()
    const frozen = await freeze(ask, listings, access)
    if (signal.aborted) throw failureOfAbort(signal)
    let paid = false
    const result = await payer.buy(purchaseOf(frozen, caller, draft), {
      signal,
      onBuying: () => draft.reserve(budgets, frozen.plan.estimate, { isPurchase: true, signal }),
      onJoined: () => draft.leaving('forwarded'),
      onLeaving: () => leave(frozen, draft),
      onPaid: (msat) => {
        paid = true
        draft.know({ paidMsat: msat.toString() })
      },
    })
    draft.time.answered()
    return toResponse(result, { ...accountOf(frozen.plan), model: modelIn(ask), alias }, draft, paid)
  }

  async function attempt<T>(
    request: Pick<PlaintextRequest, 'ask' | 'caller' | 'signal' | 'startedAt'>,
    work: (draft: ReceiptDraft) => Promise<T>,
  ): Promise<T> {
    const draft = new ReceiptDraft(
      receipts,
      {
        at: options.now(),
        caller: request.caller,
        service: profile.kind,
        model: subjectOf(request.ask),
        path: pathOf(request),
      },
      request.startedAt,
    )
    try {
      if (isDirect(profile)) throw new SottoError('service/not-offered')
      return await work(draft)
    } catch (thrown) {
      throw draft.failWith(
        thrown,
        request.signal.aborted ? failureOfAbort(request.signal).code : 'proxy/internal',
      )
    }
  }

  return {
    open: (request) => attempt(request, (draft) => send(request, draft)),

    quote: (request) =>
      attempt(request, async (draft) => {
        refusePrivate(request.ask)
        requireKnownLimits(request.ask, profile.revision)
        if (!payer) throw new SottoError('payment/not-available')
        const frozen = await freeze(request.ask, listings, options.access())
        await draft.reserve(budgets, frozen.plan.estimate, { isPurchase: true, signal: request.signal })
        const id = await payer.quote(purchaseOf(frozen, request.caller, draft), {
          signal: request.signal,
          onLeaving: () => leave(frozen, draft),
        })
        draft.complete({})
        return id
      }),

    look(look, signal) {
      if (look.at === 'videos') return videoJobs.look(look.id, signal)
      refusePrivateNames(look.query)
      return perform(
        service,
        passThrough(look.at, { method: 'GET', query: look.query, repeatable: true }, options.access()),
        { signal },
      )
    },

    async listed(types) {
      const media = types.some((type) => type === 'image' || type === 'video')
      const lists = await Promise.all([
        models.all(),
        ...(media ? [listings.media.all()] : []),
        ...(types.includes('embedding') ? [listings.embedding.all()] : []),
      ])
      const byId = new Map(lists.flat().map((model) => [model.id, model]))
      return [...byId.values()].filter(({ type }) => type !== undefined && types.includes(type))
    },

    dataEndpoints: () => listings.data.all(),

    async audio() {
      if (profile.revision === 'A') return { speaking: [], listening: [], voices: [] }
      const [listed, listening, voices] = await Promise.all([
        listings.audio.all(),
        listings.transcription.all(),
        listings.voices.all(),
      ])
      return {
        speaking: listed.filter(({ id }) => !listening.some((listener) => listener.id === id)),
        listening,
        voices,
      }
    },

    async estimate(ask) {
      refusePrivate(ask)
      return (await planOf(ask, listings, profile.revision)).estimate
    },
  }
}

/** The path after the base URL, as in the specification. */
function pathOf({ ask }: Pick<PlaintextRequest, 'ask'>): string {
  return ask.endpoint === 'data'
    ? `${endpoints.data.path}${ask.path}`.slice(0, 300)
    : endpoints[ask.endpoint].path
}

function purchaseOf(
  { request, subject, plan: { estimate } }: Frozen,
  caller: PlaintextRequest['caller'],
  draft: ReceiptDraft,
): PurchaseRequest {
  return {
    request,
    caller,
    subject,
    ...(estimate !== 'unknown' && { listed: estimate.most }),
    receiptId: draft.id,
  }
}

function leave({ request: { body } }: Frozen, draft: ReceiptDraft): void {
  draft.know({
    bytesSent: body.byteLength,
    ...(body.byteLength > 0 && { requestDigest: createHash('sha256').update(body).digest('hex') }),
  })
  draft.leaving('forwarded')
  draft.time.leaves()
}

/**
 * Converts the result of a purchase to an ordinary answer, with the service's status, type and bytes. An
 * earlier purchase, or one that was free, costs nothing now.
 */
function toResponse(
  { status, contentType, body: received, onRead }: PurchaseResult,
  account: Account,
  draft: ReceiptDraft,
  paid: boolean,
): PlaintextAnswer {
  draft.know({
    bytesReceived: received.byteLength,
    responseDigest: createHash('sha256').update(received).digest('hex'),
  })
  const reported = parseUsage(received, account)
  const body = renameModel(received, contentType, account.alias)
  return {
    privacy: 'forwarded',
    receiptId: draft.id,
    model: account.model,
    receipt: () => draft.written,
    status,
    contentType,
    contentLength: body.byteLength,
    timing: draft.time.read(),
    body: deliverWhole(body, () => {
      onRead?.()
      return draft.complete(
        paid
          ? { usage: reported.usage, stated: reported.cost, listed: reported.listed ?? account.exact }
          : { usage: reported.usage, free: true },
      )
    }),
  }
}

/**
 * Counts and hashes a body as it's sent. For iterated content, the result is known when all of it has been
 * sent.
 */
function noted(body: RequestBody, draft: ReceiptDraft): RequestBody {
  const { content } = body
  if (typeof content === 'string') {
    draft.know({
      bytesSent: Buffer.byteLength(content),
      requestDigest: createHash('sha256').update(content).digest('hex'),
    })
    return body
  }
  return { ...body, content: notedPieces(content, draft) }
}

async function* notedPieces(
  content: AsyncIterable<Uint8Array>,
  draft: ReceiptDraft,
): AsyncGenerator<Uint8Array, void> {
  const digest = createHash('sha256')
  let sent = 0
  try {
    for await (const chunk of content) {
      digest.update(chunk)
      sent += chunk.byteLength
      yield chunk
    }
  } finally {
    draft.know({ bytesSent: sent, requestDigest: digest.digest('hex') })
  }
}

/**
 * Passes the answer on. JSON is stored until it's complete, so that incomplete JSON is an error with a code
 * and the cost is known. Other content is passed on as it arrives. In both cases the caller gets the
 * service's bytes.
 * @param onWhole gets JSON as the service sent it
 */
async function deliver(
  answer: PassedAnswer,
  account: Account,
  name: EndpointName,
  draft: ReceiptDraft,
  onWhole: (bytes: Uint8Array) => void,
): Promise<PlaintextAnswer> {
  const { status, contentType } = answer
  const common = {
    privacy: 'forwarded' as const,
    receiptId: draft.id,
    model: account.model,
    receipt: () => draft.written,
    status,
    contentType,
  }
  const complete = (reported: ReportedUsage): void =>
    draft.complete({ usage: reported.usage, stated: reported.cost, listed: reported.listed ?? account.exact })
  if (!/^application\/json(?:;|$)/i.test(contentType)) {
    return {
      ...common,
      contentLength: answer.contentLength,
      timing: draft.time.read(),
      body: streamed(watched(answer.body, draft), complete, draft),
    }
  }
  draft.time.waits()
  const bytes = await readBytes(watched(answer.body, draft), endpoints[name].limit)
  draft.time.answered()
  const reported = parseUsage(bytes, account)
  onWhole(bytes)
  const body = renameModel(bytes, contentType, account.alias)
  return {
    ...common,
    contentLength: body.byteLength,
    timing: draft.time.read(),
    body: deliverWhole(body, () => complete(reported)),
  }
}

function parseUsage(bytes: Uint8Array, account: Account): ReportedUsage {
  try {
    return account.parseUsage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (cause) {
    throw new SottoError('service/interrupted', { cause })
  }
}

/**
 * The facts of a request that its answer's cost needs. They don't refer to the request, so that its body
 * isn't in memory while the answer arrives.
 */
interface Account {
  readonly parseUsage: RequestPlan['parseUsage']
  /** Pico-USD, if the price was known before. */
  readonly exact: bigint | null
  /** The model's ID, and the name that the caller sent in its place. */
  readonly model: string | undefined
  readonly alias: string | undefined
}

function accountOf(plan: RequestPlan): Pick<Account, 'parseUsage' | 'exact'> {
  return { parseUsage: plan.parseUsage, exact: exact(plan) }
}

/** Returns the cost if only one price is possible. */
function exact({ estimate, estimated }: RequestPlan): bigint | null {
  return estimated !== true && estimate !== 'unknown' && estimate.least === estimate.most
    ? estimate.most
    : null
}

async function* streamed(
  body: AsyncIterable<Uint8Array>,
  complete: (reported: ReportedUsage) => void,
  draft: ReceiptDraft,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
    complete({})
  } catch (thrown) {
    throw draft.failWith(thrown, 'service/interrupted')
  } finally {
    // The reader stopped.
    if (!draft.written) draft.fail(new SottoError('request/canceled'))
  }
}

/** Counts and hashes the received bytes, and notes them on the receipt at the end. */
async function* watched(
  body: AsyncIterable<Uint8Array>,
  draft: ReceiptDraft,
): AsyncGenerator<Uint8Array, void> {
  const received = new ReceivedBytes()
  try {
    for await (const chunk of body) {
      draft.firstByte()
      received.note(chunk)
      yield chunk
    }
  } finally {
    draft.know({ bytesReceived: received.bytes, responseDigest: received.digest() })
  }
}
