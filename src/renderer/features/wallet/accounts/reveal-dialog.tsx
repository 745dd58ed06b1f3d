import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { RevealDialog } from '../../../ui/reveal-dialog.tsx'
import { revealAccount } from './account-store.ts'

const words = { leave: 'Leave them hidden', show: 'Show them for 30 seconds', hide: 'Hide them now', over: 'The credentials are hidden again' }

export function RevealAccountDialog({ account: { id, name }, close }: { account: ServiceAccount; close: () => void }) {
  return (
    <RevealDialog
      title={`Credentials of ${name}`}
      says="Whoever has the key can spend what is on the account; with the credit id also manage its keys. Showing them is confirmed outside this window."
      words={words}
      reveal={async () => {
        const { apiKey, creditId } = await revealAccount(id)
        return [{ name: 'API key', secret: apiKey }, ...(creditId === undefined ? [] : [{ name: 'Credit id', secret: creditId }])]
      }}
      close={close}
    />
  )
}
