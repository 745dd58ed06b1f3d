import { t } from '@lingui/core/macro'
import { useStatus } from '../status-store.ts'

/** Where what was asked for stays, and for how long: as a sentence. */
export function useKeptWords(): string {
  const inMemory = useStatus(({ status }) => status?.vault.kind === 'memory')
  return inMemory ? t`What you ask for, and what comes of it, is kept in memory alone: it is gone when Sotto stops.` : t`What you ask for, and what comes of it, stays on this machine, sealed.`
}
