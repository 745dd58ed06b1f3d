import type { Receipt } from '../../shared/receipt.ts'
import { releaseKey } from '../../shared/release-key.ts'
import type { EnclaveStanding, Standing } from '../../shared/standing.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { OpenCore } from './context.ts'

/** Whoever waited so long is likely to look elsewhere meanwhile. */
const LONG_MS = 10_000

/** Counts the window's requests that took long and were completed. */
export class LongRequests {
  count = 0

  note({ caller, outcome, durationMs = 0 }: Pick<Receipt, 'caller' | 'outcome' | 'durationMs'>): void {
    if (caller.kind === 'window' && outcome === 'complete' && durationMs >= LONG_MS) this.count++
  }
}

export function standingOf(core: Pick<OpenCore, 'relay' | 'lowBalance'> | null, serving: boolean, longRequests: number, now: number): Standing {
  const verdict = core?.relay.channel?.current() ?? null
  return {
    open: core !== null,
    serving,
    enclave: core && !core.relay.channel ? 'none' : enclaveStanding(verdict, now),
    verdict: verdict && { good: verdict.good, verifiedAt: verdict.verifiedAt, validUntil: verdict.validUntil, release: releaseKey(verdict) },
    lowBalance: core?.lowBalance.notice()?.id ?? null,
    longRequests,
  }
}

/** A good verdict ends, and then says nothing about now. */
function enclaveStanding(verdict: Verdict | null, now: number): EnclaveStanding {
  if (!verdict) return 'not-verified'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'not-verified'
}
