import type { Verdict } from '../shared/verdict.ts'
import type { ReleaseMemory } from './gateway/channel/index.ts'
import { asksBeforeNew } from './gateway/privacy-choices.ts'
import type { Store } from './storage/index.ts'

/**
 * Returns the memory of an enclave's releases in a store: the accepted ones, and the person's decisions.
 * @param onVerified called with each good verdict, before it's recorded
 */
export function releaseMemoryIn(
  { verdicts, verifiedEnclaves, settings }: Pick<Store, 'verdicts' | 'verifiedEnclaves' | 'settings'>,
  onVerified: (verdict: Verdict) => void,
): ReleaseMemory {
  return {
    newest: (enclaveHost) => verdicts.newestRelease(enclaveHost),
    olderAccepted: (enclaveHost, digest) => verdicts.acceptedOlder(enclaveHost, digest),
    asksBeforeNew: () => asksBeforeNew(settings),
    trusted: (enclaveHost, release) => verdicts.trusted(enclaveHost, release),
    record: (verdict, proof) => {
      onVerified(verdict)
      verdicts.record(verdict)
      verifiedEnclaves.record(verdict, proof)
    },
  }
}
