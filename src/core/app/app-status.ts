import type { JobRecord } from '../../shared/job-record.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { releaseKey } from '../../shared/release-key.ts'
import type { EnclaveStatus, AppStatus } from '../../shared/app-status.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { EnclaveIdentity } from '../../shared/verified-enclave.ts'
import type { UnlockedCore } from '../rpc/context.ts'

/** Whoever waited so long is likely to look elsewhere meanwhile. */
const LONG_MS = 10_000

/** What happened since the start and may be worth telling. */
export class Happenings {
  longDone = 0
  longFailed = 0
  longUnknown = 0
  newReleases = 0

  readonly #goingOn = new Set<string>()

  /** Of a chat: what is asked beside it is a job, of one request or of many, and is told of when that ends. */
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

  /** Each as it changed: of the window's, one that went on for long and has ended, once. @param now Unix ms */
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

  /** A release that was never verified here, though another one was, by the change log as it is before. */
  noteVerified(verdict: Verdict, before: readonly EnclaveIdentity[]): void {
    const release = releaseKey(verdict)
    if (before.length > 0 && !before.some((enclave) => releaseKey(enclave) === release)) this.newReleases++
  }
}

/** @param core null while the vault is shut. @param now Unix ms */
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

/** A good verdict ends, and then says nothing about now. */
function enclaveStatus(verdict: Verdict | null, now: number): EnclaveStatus {
  if (!verdict) return 'not-verified'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'not-verified'
}
