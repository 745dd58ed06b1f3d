import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { Field } from '../field.tsx'
import { setStatus } from '../status-store.ts'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'

const LEAST = 8

/** Chooses the passphrase that what Sotto keeps is sealed with. */
export function ProtectForm({ done }: { done?: () => void }) {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const short = passphrase.length < LEAST
  const differs = passphrase !== again
  const protect = useAction(async () => {
    setStatus(await confirmable((signal) => api.vault.protect({ passphrase }, { signal })))
    done?.()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!short && !differs) void protect.run()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={t`Passphrase`}
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
        hint={t`At least eight characters; several words are better. Nobody can recover it.`}
        fault={tried && short ? t`This is shorter than eight characters.` : undefined}
      />
      <Field
        label={t`The same again`}
        type="password"
        autoComplete="new-password"
        value={again}
        onChange={(event) => setAgain(event.target.value)}
        fault={tried && !short && differs ? t`The two are not the same.` : undefined}
      />
      {protect.failure && <FailureNote failure={protect.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={protect.busy && t`Deriving the key…`}><Trans>Protect with this passphrase</Trans></Button>
      </div>
    </form>
  )
}
