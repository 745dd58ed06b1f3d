import type { JobRecord } from '../../shared/job-record.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { releaseKey } from '../../shared/release-key.ts'
import type { EnclaveStanding, Standing } from '../../shared/standing.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { EnclaveIdentity } from '../../shared/verified-enclave.ts'
import type { OpenCore } from './context.ts'

/** Whoever waited so long is likely to look elsewhere meanwhile. */
const LONG_MS = 10_000

/** What happened since the start and may be worth telling. */
export class Happenings {
  /** Long requests of the window that were completed, and long jobs that ended. */
  longRequests = 0
  newReleases = 0

  /** Of long requests: a job that was one of them is told of already. */
  readonly #told = new Set<string>()
  readonly #goingOn = new Set<string>()

  noteReceipt({ id, caller, outcome, durationMs = 0 }: Pick<Receipt, 'caller' | 'outcome' | 'durationMs'> & Partial<Pick<Receipt, 'id'>>): void {
    if (caller.kind !== 'window' || outcome !== 'complete' || durationMs < LONG_MS) return
    this.longRequests++
    if (id !== undefined) this.#told.add(id)
  }

  /** Each as it changed: of the window's, one that went on for long and has ended, once. @param now Unix ms */
  noteJob({ id, caller, state, sentAt, at, receiptId }: Pick<JobRecord, 'id' | 'caller' | 'state' | 'sentAt' | 'at' | 'receiptId'>, now: number): void {
    if (caller.kind !== 'window') return
    if (state === 'sending' || state === 'working' || state === 'saving') this.#goingOn.add(id)
    if (state === 'stopped') this.#goingOn.delete(id)
    const ended = state === 'done' || state === 'failed' || state === 'unknown' || state === 'lost'
    if (!ended || !this.#goingOn.delete(id) || now - (sentAt ?? at) < LONG_MS) return
    if (receiptId === undefined || !this.#told.delete(receiptId)) this.longRequests++
  }

  /** A release that was never verified here, though another one was, by the change log as it is before. */
  noteVerified(verdict: Verdict, before: readonly EnclaveIdentity[]): void {
    const release = releaseKey(verdict)
    if (before.length > 0 && !before.some((enclave) => releaseKey(enclave) === release)) this.newReleases++
  }
}

export function standingOf(core: Pick<OpenCore, 'relay' | 'lowBalance'> | null, serving: boolean, { longRequests, newReleases }: Pick<Happenings, 'longRequests' | 'newReleases'>, now: number): Standing {
  const verdict = core?.relay.channel?.current() ?? null
  return {
    open: core !== null,
    serving,
    enclave: core && !core.relay.channel ? 'none' : enclaveStanding(verdict, now),
    verdict: verdict && { good: verdict.good, verifiedAt: verdict.verifiedAt, validUntil: verdict.validUntil },
    lowBalance: core?.lowBalance.notice()?.id ?? null,
    longRequests,
    newReleases,
  }
}

/** A good verdict ends, and then says nothing about now. */
function enclaveStanding(verdict: Verdict | null, now: number): EnclaveStanding {
  if (!verdict) return 'not-verified'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'not-verified'
}
