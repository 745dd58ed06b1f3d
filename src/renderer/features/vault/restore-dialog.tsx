import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { confirmable } from '../../ui/confirmation-store.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { openFile } from '../../ui/open-file.ts'
import { setStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import styles from './vault-screen.module.css'

const faults = {
  get missing() {
    return t`Choose a recovery copy saved by Sotto.`
  },
  get failed() {
    return t`Couldn’t read this file. Choose another.`
  },
  get 'too-large'() {
    return t`This file is too large to be a recovery copy.`
  },
}

/** Replaces a vault that can't be opened with the content of a recovery copy. */
export function RestoreDialog({ close }: { close: () => void }) {
  const [copy, setCopy] = useState<{ readonly name: string; readonly text: string }>()
  const [fault, setFault] = useState<keyof typeof faults>()
  const [passphrase, setPassphrase] = useState('')
  const restore = useAction(() =>
    confirmable(async (signal) => {
      if (copy) setStatus(await api.vault.restore({ text: copy.text, passphrase }, { signal }))
    }),
  )
  const choose = async () => {
    restore.clear()
    const opened = await openFile('recovery-copy')
    if (opened === 'cancelled') return
    if (typeof opened === 'string') setFault(opened)
    else {
      setFault(undefined)
      setCopy({ name: opened.name, text: new TextDecoder().decode(opened.content) })
    }
  }
  const submit = () => {
    if (!copy) setFault('missing')
    else if (passphrase !== '') void restore.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Restore from a recovery copy`}
      says={t`The keys in the recovery copy unlock this data folder. The current vault file isn’t deleted.`}
    >
      <Form className={styles.form} onSubmit={submit}>
        <div className={styles.choice}>
          <Button onClick={() => void choose()}>
            {copy ? t`Choose another file…` : t`Choose recovery copy…`}
          </Button>
          {copy && (
            <p role="status">
              <code>{copy.name}</code>
            </p>
          )}
          {fault && <p role="alert">{faults[fault]}</p>}
        </div>
        <Field
          label={t`Backup passphrase`}
          type="password"
          autoComplete="off"
          value={passphrase}
          onChange={(event) => {
            setPassphrase(event.target.value)
            restore.clear()
          }}
          maxLength={1024}
        />
        {restore.failure && <FailureNote failure={restore.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            type="submit"
            busy={restore.busy && t`Restoring…`}
            disabled={passphrase === ''}
          >
            <Trans>Restore</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
