import { randomUUID } from 'node:crypto'
import type { SottoError } from '../../shared/errors.ts'
import type { Privacy } from '../../shared/privacy.ts'
import type { Caller, Receipt, TokenUsage } from '../../shared/receipt.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { mayBeCharged, type Reservation } from './budgets.ts'

/** Keeps receipts. The store fills it. */
export interface ReceiptSink {
  put(receipt: Receipt): void
}

/** Optional members of a receipt that become known on the way. */
type Known = Partial<Pick<Receipt, 'estimate' | 'requestDigest' | 'responseDigest' | 'bytesSent' | 'bytesReceived' | 'cost' | 'usage'>>

/** One request's receipt while it runs. It is written once, whatever becomes of the request. */
export class ReceiptDraft {
  readonly id = randomUUID()
  readonly #started = performance.now()
  readonly #base: { at: number; caller: Caller; service: 'sandbox' | 'service'; model: string; path: string }
  readonly #sink: ReceiptSink
  #known: Known = {}
  #enclave: Receipt['enclave']
  #firstByteMs: number | undefined
  #privacy: Privacy = 'refused'
  #reservation: Reservation | null = null
  #written: Receipt | undefined

  constructor(sink: ReceiptSink, base: { at: number; caller: Caller; service: 'sandbox' | 'service'; model: string; path: string }) {
    this.#sink = sink
    this.#base = base
  }

  /** Something is about to leave this machine; until then the word is `refused`. */
  leaving(privacy: 'sealed' | 'forwarded', verdict?: Verdict): void {
    this.#privacy = privacy
    this.#enclave = verdict && {
      host: verdict.enclaveHost,
      measurement: verdict.measurement ?? '',
      verifiedAt: verdict.verifiedAt,
      evidenceDigest: verdict.evidenceDigest,
      hpkePublicKey: verdict.hpkePublicKey ?? '',
      ...(verdict.release && { releaseTag: verdict.release.tag }),
    }
  }

  /** The money that was held back for it is settled with the receipt. */
  holds(reservation: Reservation | null): void {
    this.#reservation = reservation
  }

  know(known: Known): void {
    this.#known = { ...this.#known, ...known }
  }

  firstByte(): void {
    this.#firstByteMs ??= performance.now() - this.#started
  }

  get privacy(): Privacy {
    return this.#privacy
  }

  get written(): Receipt | undefined {
    return this.#written
  }

  complete(usage: TokenUsage | undefined, cost: bigint | null): void {
    const charged = this.#reservation?.settle(cost ?? 'unknown')
    this.#write('complete', { ...(usage && { usage }), ...(cost !== null && { cost: cost.toString() }) }, charged)
  }

  /** Token counts of an answer that did not end may be those of its beginning: only a whole answer has a cost. */
  fail(failure: SottoError): void {
    const charged = this.#reservation?.settle(this.#privacy !== 'refused' && mayBeCharged(failure) ? 'unknown' : 0n)
    this.#write(outcomeOf(this.#privacy, failure), { code: failure.code, ...(failure.details.step !== undefined && { step: failure.details.step }) }, charged)
  }

  #write(outcome: Receipt['outcome'], end: Pick<Receipt, 'usage' | 'cost' | 'code' | 'step'>, charged: bigint | undefined): void {
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
      durationMs: performance.now() - this.#started,
    }
    this.#sink.put(this.#written)
  }
}

function outcomeOf(privacy: Privacy, { code }: SottoError): Receipt['outcome'] {
  if (privacy === 'refused') return code === 'request/cancelled' ? 'cancelled' : 'refused'
  if (code === 'request/cancelled') return 'cancelled'
  return code === 'channel/response-truncated' || code === 'service/interrupted' || code === 'service/stalled' ? 'interrupted' : 'failed'
}
