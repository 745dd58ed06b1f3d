import { Trans } from '@lingui/react/macro'
import { useStatus } from '../../ui/status-store.ts'

/** Where the conversation that is about to begin will be kept, as the vault has it. */
export function StorageNote({ temporary }: { temporary: boolean }) {
  const kind = useStatus((state) => state.status?.vault.kind)
  // Then the switch says it.
  if (temporary) return null
  switch (kind) {
    case 'keychain':
      return (
        <p data-testid="storage">
          <Trans>Saved only on this computer, encrypted with a key in the system keychain.</Trans>
        </p>
      )
    case 'file':
      return (
        <p data-testid="storage">
          <Trans>Saved only on this computer, encrypted with a key that your passphrase unlocks.</Trans>
        </p>
      )
    case 'memory':
      return (
        <p data-testid="storage">
          <Trans>
            Nothing is saved without a passphrase or keychain. Everything is deleted when Sotto quits. To save
            chats, choose a passphrase in Settings.
          </Trans>
        </p>
      )
    case undefined:
      return null
  }
}
