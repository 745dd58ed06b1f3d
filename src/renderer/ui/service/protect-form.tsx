import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../api.ts'
import { setStatus } from '../status-store.ts'
import { AutoLockField } from './auto-lock-field.tsx'
import { PassphraseForm } from './passphrase-form.tsx'

/** Chooses the passphrase that seals Sotto's saved data. `change` replaces the current one; `close` is for a dialog. */
export function ProtectForm({
  change = false,
  done,
  close,
}: {
  change?: boolean
  done?: () => void
  close?: () => void
}) {
  const [minutes, setMinutes] = useState<number | null>(null)
  return (
    <PassphraseForm
      asksCurrent={change}
      submit={change ? <Trans>Change passphrase</Trans> : <Trans>Protect with this passphrase</Trans>}
      more={!change && <AutoLockField minutes={minutes} onChange={setMinutes} />}
      busy={t`Deriving key…`}
      close={close}
      act={async ({ passphrase, current }, signal) => {
        const status = await api.vault.protect({ passphrase, ...(change && { current }) }, { signal })
        if (minutes !== null) await api.vault.setAutoLock({ afterMinutes: minutes, onSleep: false })
        setStatus(status)
        done?.()
      }}
    />
  )
}
