import { t } from '@lingui/core/macro'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { RevealDialog } from '../../../ui/reveal-dialog.tsx'
import { revealAccount } from './account-store.ts'

const words = { get leave() { return t`Leave them hidden` }, get show() { return t`Show them for 30 seconds` }, get hide() { return t`Hide them now` }, get over() { return t`The credentials are hidden again` } }

export function RevealAccountDialog({ account: { id, name }, close }: { account: ServiceAccount; close: () => void }) {
  return (
    <RevealDialog
      title={t`Credentials of ${name}`}
      says={t`Whoever has the key can spend what is on the account; with the credit id also manage its keys. Showing them is confirmed outside this window.`}
      words={words}
      reveal={async () => {
        const { apiKey, creditId } = await revealAccount(id)
        return [{ name: t`API key`, secret: apiKey }, ...(creditId === undefined ? [] : [{ name: t`Credit id`, secret: creditId }])]
      }}
      close={close}
    />
  )
}
