import { t } from '@lingui/core/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { RevealDialog } from '../../../ui/reveal-dialog.tsx'
import { revealKey } from './keys-store.ts'

const labels = {
  get leave() {
    return t`Cancel`
  },
  get show() {
    return t`Show for 30 seconds`
  },
  get hide() {
    return t`Hide now`
  },
  get over() {
    return t`The key is hidden again`
  },
}

export function RevealKeyDialog({
  serviceKey: { id, name },
  close,
}: {
  serviceKey: ServiceKey
  close: () => void
}) {
  return (
    <RevealDialog
      title={t`API key: ${name}`}
      description={t`Anyone with this key can spend from the account, within the key’s limits. Confirm in the system dialog or your terminal to show it.`}
      labels={labels}
      reveal={async () => [{ name: t`API key`, secret: await revealKey(id) }]}
      close={close}
    />
  )
}
