import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { Field } from '../field.tsx'
import { saveText } from '../save-file.ts'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'

/** As the contract has it: whoever finds the file can try passphrases for as long as they like. */
const LEAST = 12

/**
 * Has all accounts written into one file, encrypted under a passphrase of its own, which this page forgets.
 *
 * @param onSaved gets the file's name once the file was handed over to be saved
 */
export function BackupForm({ onSaved }: { onSaved: (fileName: string) => Promise<void> | void }) {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const short = passphrase.length < LEAST
  const differs = passphrase !== again
  const backup = useAction(async () => {
    const { fileName, text } = await confirmable((signal) => api.accounts.backup({ passphrase }, { signal }))
    saveText(fileName, 'application/json', text)
    setPassphrase('')
    setAgain('')
    setTried(false)
    await onSaved(fileName)
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!short && !differs) void backup.run()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label={t`Passphrase of the backup`}
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
        maxLength={1000}
        hint={t`At least twelve characters; several words are better. Without it the file opens for nobody.`}
        fault={tried && short ? t`This is shorter than twelve characters.` : undefined}
      />
      <Field
        label={t`The same again`}
        type="password"
        autoComplete="new-password"
        value={again}
        onChange={(event) => setAgain(event.target.value)}
        maxLength={1000}
        fault={tried && !short && differs ? t`The two are not the same.` : undefined}
      />
      {backup.failure && <FailureNote failure={backup.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={backup.busy && t`Encrypting it…`}><Trans>Save the backup</Trans></Button>
      </div>
    </form>
  )
}
