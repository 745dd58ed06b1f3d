import { t } from '@lingui/core/macro'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { RevealDialog } from '../../ui/reveal-dialog.tsx'
import { revealKey } from './keys-store.ts'

const words = { get leave() { return t`Leave it hidden` }, get show() { return t`Show it for 30 seconds` }, get hide() { return t`Hide it now` }, get over() { return t`The key is hidden again` } }

export function RevealKeyDialog({ serviceKey: { id, name }, close }: { serviceKey: ServiceKey; close: () => void }) {
  return (
    <RevealDialog
      title={t`The key ${name}`}
      says={t`Whoever has it spends from the account, within its limits. Showing it is confirmed outside this window.`}
      words={words}
      reveal={async () => [{ name: t`API key`, secret: await revealKey(id) }]}
      close={close}
    />
  )
}
