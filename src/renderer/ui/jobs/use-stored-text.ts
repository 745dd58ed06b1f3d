import { t } from '@lingui/core/macro'
import { useStatus } from '../status-store.ts'

/** Where requests and results are stored, and for how long, as a sentence. */
export function useStoredText(): string {
  const inMemory = useStatus(({ status }) => status?.vault.kind === 'memory')
  return inMemory
    ? t`Your requests and results aren’t saved. They’re deleted when Sotto quits.`
    : t`Your requests and results are saved on this computer, encrypted.`
}
