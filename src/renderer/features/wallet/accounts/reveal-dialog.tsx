import { t } from '@lingui/core/macro'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { RevealDialog } from '../../../ui/reveal-dialog.tsx'
import { revealAccount } from './account-store.ts'

export function RevealAccountDialog({
  account: { id, name },
  close,
}: {
  account: ServiceAccount
  close: () => void
}) {
  return (
    <RevealDialog
      title={t`Credentials for ${name}`}
      description={t`Anyone with the API key can spend the balance. With the credit ID, they can also manage the account’s API keys. You’ll confirm in a system dialog or your terminal.`}
      over={t`Credentials are hidden again`}
      reveal={async () => {
        const { apiKey, creditId } = await revealAccount(id)
        return [
          ...(apiKey === undefined ? [] : [{ name: t`API key`, secret: apiKey }]),
          ...(creditId === undefined ? [] : [{ name: t`Credit ID`, secret: creditId }]),
        ]
      }}
      close={close}
    />
  )
}
