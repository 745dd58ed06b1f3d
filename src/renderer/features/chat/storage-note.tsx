import { Trans } from '@lingui/react/macro'
import { useStatus } from '../../ui/status-store.ts'

/** Where the conversation that is about to begin will be kept, as the vault has it. */
export function StorageNote({ temporary }: { temporary: boolean }) {
  const kind = useStatus((state) => state.status?.vault.kind)
  // Then the switch says it.
  if (temporary) return null
  switch (kind) {
    case 'keychain':
      return <p data-testid="storage"><Trans>It is kept on this machine alone, sealed under a key in the system’s keychain.</Trans></p>
    case 'file':
      return <p data-testid="storage"><Trans>It is kept on this machine alone, sealed under a key that your passphrase opens.</Trans></p>
    case 'memory':
      return <p data-testid="storage"><Trans>Nothing is kept: without a passphrase or a keychain it is in memory alone, and gone when Sotto ends. Choose a passphrase in Settings to keep it.</Trans></p>
    case undefined:
      return null
  }
}
