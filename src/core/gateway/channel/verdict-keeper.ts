import { SottoError } from '../../../shared/errors.ts'
import { attestationCodes, type AttestationCode } from '../../../verifier/types.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { Proof } from '../../../shared/proof.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { HpkeContextPool, type SetupPreparer } from './hpke-context-pool.ts'
import { startSetupThread } from './hpke-context-thread.ts'
import { VerdictLease } from './verdict-lease.ts'

/** A verdict that ends this soon is renewed in the background while requests still use it. */
const RENEW_AHEAD_MS = 5 * 60_000

/** One verification, whatever its result. */
export interface Attempt {
  readonly verdict: Verdict
  readonly proof: Proof
  /**
   * Called before the verdict takes effect. Throws if it can't be stored, because older evidence would then
   * go unnoticed next time.
   */
  readonly remember: () => void | Promise<void>
}

export interface KeeperOptions {
  /** Fetches and verifies evidence. */
  readonly attest: () => Promise<Attempt>
  readonly now: () => number
  readonly monotonic: () => number
  /** Called when there is a key to prepare for. By default it starts a thread. */
  readonly startPreparer?: (() => SetupPreparer) | undefined
}

/** Holds the verdicts on one enclave: the one in force, the last one, and the attempt in progress. */
export class VerdictKeeper {
  readonly setups: HpkeContextPool
  readonly #options: KeeperOptions
  #last: { readonly verdict: Verdict; readonly proof: Proof } | null = null
  #lease: VerdictLease | null = null
  #attempt: Promise<Verdict> | null = null
  /**
   * Counts the events that ended a verdict from outside. An attempt that began before the last one used
   * outdated rules.
   */
  #epoch = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.setups = new HpkeContextPool(options.startPreparer ?? (() => startSetupThread()))
  }

  /**
   * Returns the verdict in force, or the last one; null before the first. A verdict that is no longer in
   * force has its end in the past.
   */
  current(): Verdict | null {
    // Sleep, or a clock that is set back, ends the lease without an event.
    if ((this.#lease?.remaining() ?? 0) === 0) this.#rely(null)
    return this.#last?.verdict ?? null
  }

  /** Returns that verdict with the evidence and its other inputs. */
  proof(): Proof | null {
    return this.#last?.proof ?? null
  }

  /**
   * Joins all callers into one attempt. None of them can cancel it for the others. Throws the errors of
   * `attest` and `remember`.
   */
  verify(): Promise<Verdict> {
    this.#attempt ??= this.#attest().finally(() => (this.#attempt = null))
    return this.#attempt
  }

  /** Verifies after the attempt in progress, which may lack data that has arrived since. Never throws. */
  async verifyAgain(): Promise<void> {
    await this.#attempt?.catch(() => undefined)
    await this.verify().catch(() => undefined)
  }

  /**
   * Returns a good verdict.
   * @throws {SottoError} the errors of `verify`; attestation/failed, attestation/older-release,
   * attestation/release-not-approved – a refused verdict
   */
  async good(): Promise<Verdict> {
    const remaining = this.#lease?.remaining() ?? 0
    if (this.#lease && remaining > 0) {
      // A refused renewal ends the lease within the attempt. After a failed fetch the lease remains until it
      // expires.
      if (remaining < RENEW_AHEAD_MS) this.verify().catch(() => undefined)
      return this.#lease.verdict
    }
    this.#rely(null)
    return orRefuse(await this.verify())
  }

  /** Returns a good verdict from evidence that is fetched now. Throws the errors of `good`. */
  async goodAgain(): Promise<Verdict> {
    return orRefuse(await this.verify())
  }

  /** Ends the verdict in force and restarts an attempt in progress. */
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
      // Evidence of an impossible size is a bad answer. Only a missing answer may leave the old verdict in
      // force.
      if (failure instanceof SottoError && failure.code === 'attestation/evidence-too-large') this.#rely(null)
      throw failure
    })
    if (at !== this.#epoch) return this.#attest()
    this.#rely(null)
    const saving = remember()
    if (saving) {
      await saving
      if (at !== this.#epoch) return this.#attest()
    }
    this.#last = { verdict, proof }
    if (verdict.good) this.#rely(new VerdictLease(verdict, this.#options))
    return verdict
  }

  /** Contexts are prepared only for the key of the verdict in force. The previous lease ends now. */
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
