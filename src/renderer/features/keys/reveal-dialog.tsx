import type { ServiceKey } from '../../../shared/service-key.ts'
import { RevealDialog } from '../../ui/reveal-dialog.tsx'
import { revealKey } from './keys-store.ts'

const words = { leave: 'Leave it hidden', show: 'Show it for 30 seconds', hide: 'Hide it now', over: 'The key is hidden again' }

export function RevealKeyDialog({ serviceKey: { id, name }, close }: { serviceKey: ServiceKey; close: () => void }) {
  return (
    <RevealDialog
      title={`The key ${name}`}
      says="Whoever has it spends from the account, within its limits. Showing it is confirmed outside this window."
      words={words}
      reveal={async () => [{ name: 'API key', secret: await revealKey(id) }]}
      close={close}
    />
  )
}
