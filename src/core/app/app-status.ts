import type { JobRecord } from '../../shared/job-record.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { releaseKey } from '../../shared/release-key.ts'
import type { EnclaveStatus, AppStatus } from '../../shared/app-status.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { EnclaveIdentity } from '../../shared/verified-enclave.ts'
import type { UnlockedCore } from '../rpc/context.ts'

/** After waiting this long, a person has probably turned to something else. */
const LONG_MS = 10_000

/** Events since the start that may be worth a notification. */
export class Happenings {
  longDone = 0
  longFailed = 0
  longUnknown = 0
  newReleases = 0

  readonly #goingOn = new Set<string>()

  /** Counts a long chat. Other requests belong to a job, which is counted when it ends. */
  noteReceipt({
    caller,
    path,
    outcome,
    durationMs = 0,
  }: Pick<Receipt, 'caller' | 'path' | 'outcome' | 'durationMs'>): void {
    if (
      caller.kind === 'window' &&
      path.endsWith('/chat/completions') &&
      outcome === 'complete' &&
      durationMs >= LONG_MS
    )
      this.longDone++
  }

  /**
   * Counts a job of the window when it has ended after a long time. Call it for each change of a job.
   * @param now Unix ms
   */
  noteJob(
    { id, caller, state, sentAt, at }: Pick<JobRecord, 'id' | 'caller' | 'state' | 'sentAt' | 'at'>,
    now: number,
  ): void {
    if (caller.kind !== 'window') return
    if (state === 'sending' || state === 'working' || state === 'saving') this.#goingOn.add(id)
    if (state === 'stopped') this.#goingOn.delete(id)
    const ended = state === 'done' || state === 'failed' || state === 'unknown' || state === 'lost'
    if (!ended || !this.#goingOn.delete(id) || now - (sentAt ?? at) < LONG_MS) return
    if (state === 'done') this.longDone++
    else if (state === 'unknown') this.longUnknown++
    else this.longFailed++
  }

  /**
   * Counts a release that was never verified here, if another one was.
   * @param before the change log before this verdict
   */
  noteVerified(verdict: Verdict, before: readonly EnclaveIdentity[]): void {
    const release = releaseKey(verdict)
    if (before.length > 0 && !before.some((enclave) => releaseKey(enclave) === release)) this.newReleases++
  }
}

/**
 * Builds the status of the desktop app.
 * @param core null while the vault is locked
 * @param now Unix ms
 */
export function appStatusOf(
  core: Pick<UnlockedCore, 'relay' | 'lowBalance'> | null,
  serving: boolean,
  {
    longDone,
    longFailed,
    longUnknown,
    newReleases,
  }: Pick<Happenings, 'longDone' | 'longFailed' | 'longUnknown' | 'newReleases'>,
  now: number,
): Omit<AppStatus, 'canLock'> {
  const verdict = core?.relay.channel?.current() ?? null
  return {
    open: core !== null,
    serving,
    enclave: core && !core.relay.channel ? 'none' : enclaveStatus(verdict, now),
    verdict: verdict && {
      good: verdict.good,
      verifiedAt: verdict.verifiedAt,
      validUntil: verdict.validUntil,
    },
    lowBalance: core?.lowBalance.notice()?.id ?? null,
    longDone,
    longFailed,
    longUnknown,
    newReleases,
  }
}

/** A good verdict expires, and is then no statement about the present. */
function enclaveStatus(verdict: Verdict | null, now: number): EnclaveStatus {
  if (!verdict) return 'not-verified'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'not-verified'
}
