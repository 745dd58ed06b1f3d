import type { ErrorCode } from '../../../shared/error-codes.ts'
import { failureOfAbort, SottoError } from '../../../shared/errors.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import type { Caller, Receipt, TokenUsage } from '../../../shared/receipt.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { chargeOf, type MaybeEstimate } from '../pricing/index.ts'
import { AddedTime } from './added-time.ts'
import { mayBeCharged, mayHavePaid, type Budgets, type Reservation } from './budgets.ts'
import { randomUUID, hash } from 'node:crypto'

/**
 * Creates a UUID of version 7 (RFC 9562 section 5.7): 48 bits of time, 74 random. IDs that grow with time are
 * adjacent in the database's index. With random ones, every receipt would write its own page.
 * @param at Unix ms
 */
export function receiptId(at: number): string {
  const time = Math.trunc(at).toString(16).padStart(12, '0').slice(-12)
  // The digits after the version are random, except the variant, which is the same in both versions.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Saves receipts. The store implements it. */
export interface ReceiptSink {
  /** A request has begun that will have a receipt. */
  begin?(): void
  put(receipt: Receipt): void
  /** @returns undefined if there is no such receipt, or if the request sent the model's ID */
  askedModel(receiptId: string): string | undefined
}

/** Optional members of a receipt that become known during the request. */
type Known = Partial<
  Pick<
    Receipt,
    | 'serviceKey'
    | 'estimate'
    | 'requestDigest'
    | 'responseDigest'
    | 'bytesSent'
    | 'bytesReceived'
    | 'usage'
    | 'paidMsat'
    | 'routing'
    | 'withoutEndMark'
  >
>

const MAX_MODEL_LENGTH = 200
const MAX_PARAM = 60

/** One request's receipt in progress. It's written once, whatever the result of the request. */
export class ReceiptDraft {
  readonly id: string
  readonly time: AddedTime
  #base: {
    at: number
    caller: Caller
    service: 'sandbox' | 'service'
    model: string
    path: string
    askedModel?: string
  }
  readonly #sink: Pick<ReceiptSink, 'begin' | 'put'>
  readonly #known: Known = {}
  #enclave: Receipt['enclave']
  #firstByteMs: number | undefined
  #privacy: Privacy = 'refused'
  /** The state before the last call of `leaving`. */
  #before: { readonly privacy: Privacy; readonly enclave: Receipt['enclave'] } = {
    privacy: 'refused',
    enclave: undefined,
  }
  readonly #budgetOwner: string | undefined
  #reservation: Reservation | null = null
  #chargesRejected = false
  #isPurchase = false
  #unread = false
  #delivering = false
  #estimate: MaybeEstimate = 'unknown'
  #written: Receipt | undefined

  /** @param started when the request had been read, by performance.now() */
  constructor(
    sink: Pick<ReceiptSink, 'begin' | 'put'>,
    {
      budgetOwner,
      ...base
    }: {
      at: number
      caller: Caller
      service: 'sandbox' | 'service'
      model: string
      path: string
      budgetOwner?: string
    },
    started: number = performance.now(),
  ) {
    this.time = new AddedTime(started)
    this.#sink = sink
    sink.begin?.()
    this.#base = { ...base, model: clipped(base.model) }
    this.id = receiptId(base.at)
    this.#budgetOwner = budgetOwner ?? base.caller.localKeyId
  }

  /** The caller sent an alias. The receipt names the model and also the alias. */
  resolved(model: string): void {
    if (model !== this.#base.model)
      this.#base = { ...this.#base, model: clipped(model), askedModel: this.#base.model }
  }

  /** The request is about to be sent. Until then, its privacy is `refused`. */
  leaving(privacy: 'sealed' | 'relayed' | 'forwarded', verdict?: Verdict): void {
    this.#before = { privacy: this.#privacy, enclave: this.#enclave }
    this.#privacy = privacy
    this.#unread = false
    this.#enclave = verdict && {
      host: verdict.enclaveHost,
      measurement: verdict.measurement ?? '',
      verifiedAt: verdict.verifiedAt,
      evidenceDigest: verdict.evidenceDigest,
      hpkePublicKey: verdict.hpkePublicKey ?? '',
      ...(verdict.release && { releaseTag: verdict.release.tag }),
    }
  }

  /** Nothing was sent, so the receipt returns to its state before `leaving`. */
  stayed(): void {
    this.#privacy = this.#before.privacy
    this.#enclave = this.#before.enclave
  }

  /**
   * Records the estimate on the receipt and reserves the money, as the last step before sending. The
   * reservation ends when the receipt is written. For media and data, the service has been seen to charge
   * before it validates a request, so a refused one may cost money. A purchase costs nothing until the wallet
   * pays. A local store reserves before this returns. If a shared database reserves, the request may end during
   * that time: then the reservation ends too.
   * @param unpriced the member without a known price, for the refusal
   * @throws {SottoError} budget/exceeded, budget/price-unknown, store/unwritable, database/…; the failure of the
   * signal's reason, if it aborted while a shared database reserved
   */
  async reserve(
    budgets: Budgets,
    estimate: MaybeEstimate,
    {
      chargesRejected = false,
      isPurchase = false,
      isPrivate = false,
      unpriced,
      signal,
    }: {
      readonly chargesRejected?: boolean
      readonly isPurchase?: boolean
      readonly isPrivate?: boolean
      readonly unpriced?: string | undefined
      readonly signal: AbortSignal
    },
  ): Promise<void> {
    this.#estimate = estimate
    if (estimate !== 'unknown')
      this.know({ estimate: { least: estimate.least.toString(), most: estimate.most.toString() } })
    const owner = this.#budgetOwner
    try {
      if (owner !== undefined) {
        const reserving = budgets.reserve(owner, estimate === 'unknown' ? estimate : estimate.most, {
          receiptId: this.id,
          isPrivate,
        })
        if (reserving instanceof Promise) this.#accept(await reserving, signal)
        else this.#reservation = reserving
      }
    } catch (thrown) {
      if (!(thrown instanceof SottoError) || thrown.code !== 'budget/price-unknown' || unpriced === undefined)
        throw thrown
      throw new SottoError(thrown.code, { ...thrown.details, param: unpriced.slice(0, MAX_PARAM) })
    }
    this.#chargesRejected = chargesRejected
    this.#isPurchase = isPurchase
  }

  /** The request may have ended while the database reserved. Then nothing is sent, and nothing stays reserved. */
  #accept(reservation: Reservation, signal: AbortSignal): void {
    if (this.#written) reservation.settle(0n)
    else this.#reservation = reservation
    if (signal.aborted || this.#written) throw failureOfAbort(signal)
  }

  /** The service refused the sent request unread. Until it's sent again, it costs nothing. */
  unread(): void {
    this.#unread = true
  }

  /** The answer has begun: even if it ends as an error, the service may charge for it. */
  delivering(): void {
    this.#delivering = true
  }

  know(known: Known): void {
    Object.assign(this.#known, known)
  }

  firstByte(): void {
    this.#firstByteMs ??= performance.now() - this.time.started
  }

  get privacy(): Privacy {
    return this.#privacy
  }

  get written(): Receipt | undefined {
    return this.#written
  }

  /**
   * The answer is complete. `stated`: pico-USD, if the service states the cost; `listed`: by the price list,
   * if it's known; `free`: nothing was paid.
   */
  complete({
    usage,
    stated,
    listed = null,
    free = false,
  }: {
    readonly usage?: TokenUsage | undefined
    readonly stated?: bigint | undefined
    readonly listed?: bigint | null
    readonly free?: boolean
  }): void {
    const charge = free
      ? { cost: 0n, charged: 0n, stated: false, doubted: false, listed }
      : chargeOf({ stated, listed, estimate: this.#estimate })
    const charged = this.#reservation?.settle(charge.charged)
    this.#write(
      'complete',
      {
        ...(usage && { usage }),
        ...(charge.cost !== null && { cost: charge.cost.toString() }),
        ...(charge.stated && {
          costStated: true,
          ...(charge.listed !== null && { listedCost: charge.listed.toString() }),
        }),
        ...(charge.doubted && {
          costDoubted: true,
          ...(this.#reservation && { chargedDay: this.#reservation.day }),
        }),
      },
      charged,
    )
  }

  /**
   * The request failed. The token counts of an incomplete answer may be those of its beginning, so only a
   * complete answer has a cost.
   */
  fail(failure: SottoError): void {
    const mayCost = this.#isPurchase
      ? this.#known.paidMsat !== undefined || mayHavePaid(failure)
      : this.#delivering ||
        mayBeCharged(failure) ||
        (this.#chargesRejected && failure.code === 'service/rejected')
    const charged = this.#reservation?.settle(
      this.#privacy !== 'refused' && !this.#unread && mayCost ? 'unknown' : 0n,
    )
    this.#write(
      outcomeOf(this.#privacy, failure),
      { code: failure.code, ...(failure.details.step !== undefined && { step: failure.details.step }) },
      charged,
    )
  }

  /** Fails with any thrown value. Returns the failure to throw. */
  failWith(thrown: unknown, otherwise: ErrorCode): SottoError {
    const failure = thrown instanceof SottoError ? thrown : new SottoError(otherwise, { cause: thrown })
    this.fail(failure)
    return this.named(failure)
  }

  /** Adds the receipt's ID to a failure. */
  named({ code, details }: SottoError): SottoError {
    return new SottoError(code, {
      ...details,
      receiptId: this.id,
      privacy: this.#privacy,
      addedMs: this.time.read().addedMs,
    })
  }

  #write(
    outcome: Receipt['outcome'],
    end: Pick<
      Receipt,
      'usage' | 'cost' | 'costStated' | 'listedCost' | 'costDoubted' | 'chargedDay' | 'code' | 'step'
    >,
    charged: bigint | undefined,
  ): void {
    if (this.#written) return
    this.#written = {
      id: this.id,
      ...this.#base,
      privacy: this.#privacy,
      outcome,
      ...(this.#enclave && { enclave: this.#enclave }),
      bytesSent: 0,
      bytesReceived: 0,
      ...this.#known,
      ...end,
      ...(charged !== undefined && { charged: charged.toString() }),
      ...(this.#firstByteMs !== undefined && { firstByteMs: this.#firstByteMs }),
      addedMs: this.time.read().addedMs,
      durationMs: performance.now() - this.time.started,
    }
    this.#sink.put(this.#written)
  }
}

/** Copies the string, because a slice keeps the whole string in memory, and a caller controls its length. */
function clipped(model: string): string {
  return Buffer.from(model.slice(0, MAX_MODEL_LENGTH)).toString()
}

function outcomeOf(privacy: Privacy, { code }: SottoError): Receipt['outcome'] {
  if (privacy === 'refused') return code === 'request/canceled' ? 'cancelled' : 'refused'
  if (code === 'request/canceled') return 'cancelled'
  return code === 'channel/response-truncated' ||
    code === 'service/interrupted' ||
    code === 'service/timeout' ||
    code === 'request/locked'
    ? 'interrupted'
    : 'failed'
}

/**
 * Returns the fingerprint of an account's key for receipts, 16 hex digits. It distinguishes keys and reveals
 * nothing of the key, which has more than a hundred random bits. It isn't cached, because a module's memory
 * outlives locking.
 */
export function keyFingerprint(apiKey: string): string {
  return hash('sha256', `sotto receipt, key ${apiKey}`, 'hex').slice(0, 16)
}
