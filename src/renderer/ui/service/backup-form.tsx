import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { Form } from '../field.tsx'
import { saveText } from '../save-file.ts'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'
import { NewPassphraseFields } from './new-passphrase-fields.tsx'
import { useNewPassphrase } from './use-new-passphrase.ts'

/**
 * Exports all accounts to one file, encrypted under a separate passphrase that this page doesn't keep.
 *
 * @param onSaved gets the file's name after the file was passed to the browser or the desktop app for saving
 */
export function BackupForm({ onSaved }: { onSaved: (fileName: string) => Promise<void> | void }) {
  const chosen = useNewPassphrase(12)
  const backup = useAction(async () => {
    const { fileName, text } = await confirmable((signal) =>
      api.accounts.backup({ passphrase: chosen.passphrase }, { signal }),
    )
    saveText(fileName, 'application/json', text)
    chosen.clear()
    await onSaved(fileName)
  })
  const submit = () => {
    if (chosen.handIn()) void backup.run()
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <NewPassphraseFields
        chosen={chosen}
        label={t`Backup passphrase`}
        hint={t`At least 12 characters; several words are better. Without it, the file can’t be opened.`}
      />
      {backup.failure && <FailureNote failure={backup.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={backup.busy && t`Encrypting…`}>
          <Trans>Save backup</Trans>
        </Button>
      </div>
    </Form>
  )
}
