import { setTimeout } from 'node:timers/promises'
import { SottoError } from '../../../shared/errors.ts'
import { attestationCodes, type AttestationCode } from '../../../verifier/types.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { Proof } from '../../../shared/proof.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { HpkeContextPool, type SetupPreparer } from './hpke-context-pool.ts'
import { startSetupThread } from './hpke-context-thread.ts'
import { VerdictLease } from './verdict-lease.ts'

/** A verdict this close to its end is renewed beside the requests that it still carries. */
const RENEW_AHEAD_MS = 5 * 60_000

/** One verification, whatever came of it. */
export interface Attempt {
  readonly verdict: Verdict
  readonly proof: Proof
  /** Called before the verdict is relied on. Throws if it can't be remembered: the next, older evidence would then pass unnoticed. */
  readonly remember: () => void
}

export interface KeeperOptions {
  /** Fetches evidence and judges it. */
  readonly attest: () => Promise<Attempt>
  readonly now: () => number
  readonly monotonic: () => number
  /** Called once there is a key to prepare for; a thread of its own by default. */
  readonly startPreparer?: (() => SetupPreparer) | undefined
}

/** Keeps the verdict on one enclave: the one in force, the last one made, and the attempt under way. */
export class VerdictKeeper {
  readonly setups: HpkeContextPool
  readonly #options: KeeperOptions
  #last: { readonly verdict: Verdict; readonly proof: Proof } | null = null
  #lease: VerdictLease | null = null
  #attempt: Promise<Verdict> | null = null
  /** Counts what ended a verdict from outside: an attempt that began before is judged by what no longer counts. */
  #epoch = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.setups = new HpkeContextPool(options.startPreparer ?? (() => startSetupThread()))
  }

  /** The verdict in force, or the last one made; null before the first. One that is not relied on any more has its end in the past. */
  current(): Verdict | null {
    // Sleep, or a clock that steps back, ends the lease without a notice.
    if ((this.#lease?.remaining() ?? 0) === 0) this.#rely(null)
    return this.#last?.verdict ?? null
  }

  /** That verdict with the evidence and everything else that it came from. */
  proof(): Proof | null {
    return this.#last?.proof ?? null
  }

  /** One attempt in flight for all callers; none of them can cancel it for the others. Throws what `attest` and `remember` throw. */
  verify(): Promise<Verdict> {
    this.#attempt ??= this.#attest().finally(() => (this.#attempt = null))
    return this.#attempt
  }

  /** As `verify`, after the attempt in flight, which may have been made without what arrived since. Never throws. */
  async verifyAgain(): Promise<void> {
    await this.#attempt?.catch(() => undefined)
    await this.verify().catch(() => undefined)
  }

  /** A good verdict. Throws what `verify` throws, and attestation/failed, -/older-release, -/not-yet-trusted for a refused one. */
  async good(): Promise<Verdict> {
    const remaining = this.#lease?.remaining() ?? 0
    if (this.#lease && remaining > 0) {
      // A refused renewal ends the lease inside the attempt; a failed fetch leaves it to run out.
      if (remaining < RENEW_AHEAD_MS) this.verify().catch(() => undefined)
      return this.#lease.verdict
    }
    this.#rely(null)
    return orRefuse(await this.verify())
  }

  /** A good verdict from evidence that is fetched now. Throws as `good`. */
  async goodAgain(): Promise<Verdict> {
    return orRefuse(await this.verify())
  }

  /** Ends the verdict in force, and begins an attempt in flight again. */
  invalidate(): void {
    this.#rely(null)
    this.#epoch++
  }

  close(): void {
    this.#lease?.end()
    this.setups.close()
  }

  async #attest(): Promise<Verdict> {
    const at = this.#epoch
    const { verdict, proof, remember } = await this.#options.attest().catch((failure: unknown) => {
      // Evidence of an impossible size is an answer, and a bad one; only silence may keep the old verdict.
      if (failure instanceof SottoError && failure.code === 'attestation/evidence-too-large') this.#rely(null)
      throw failure
    })
    if (at !== this.#epoch) return this.#attest()
    this.#rely(null)
    remember()
    this.#last = { verdict, proof }
    if (verdict.good) this.#rely(new VerdictLease(verdict, this.#options))
    return verdict
  }

  /** Setups are prepared only for the key of the verdict in force. A verdict that is no longer relied on ends now. */
  #rely(on: VerdictLease | null): void {
    this.#lease?.end()
    this.#lease = on
    const key = on?.verdict.hpkePublicKey
    if (key === undefined) this.setups.drop()
    else this.setups.serve(key)
    const now = this.#options.now()
    if (on === null && this.#last?.verdict.good && this.#last.verdict.validUntil > now)
      this.#last = { ...this.#last, verdict: { ...this.#last.verdict, validUntil: now } }
  }
}

/** Resolves early if the signal is aborted; the caller checks that. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}

const refusals: Partial<Record<AttestationCode, ErrorCode>> = {
  'release/older': 'attestation/older-release',
  'release/not-yet-trusted': 'attestation/release-not-approved',
}

function orRefuse(verdict: Verdict): Verdict {
  if (verdict.good) return verdict
  const { failure } = verdict
  throw new SottoError((failure && refusals[failure.code]) ?? 'attestation/failed', {
    ...(failure && {
      detail: msg(attestationCodes[failure.code]),
      step: failure.step,
      stepCode: failure.code,
    }),
  })
}
