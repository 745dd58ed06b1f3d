import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { api } from '../api.ts'
import { setStatus } from '../status-store.ts'
import { PassphraseForm } from './passphrase-form.tsx'

/** Chooses the passphrase that what Sotto keeps is sealed with; `change`: in place of another. */
export function ProtectForm({ change = false, done }: { change?: boolean; done?: () => void }) {
  return (
    <PassphraseForm
      asksCurrent={change}
      submit={change ? <Trans>Change the passphrase</Trans> : <Trans>Protect with this passphrase</Trans>}
      busy={t`Deriving the key…`}
      act={async ({ passphrase, current }, signal) => {
        setStatus(await api.vault.protect({ passphrase, ...(change && { current }) }, { signal }))
        done?.()
      }}
    />
  )
}
