import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { DialogActions } from '../dialog.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Field, Form } from '../field.tsx'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'
import { NewPassphraseFields } from './new-passphrase-fields.tsx'
import { useNewPassphrase } from './use-new-passphrase.ts'

interface PassphraseFormProps {
  /** Whether the current passphrase is required as well. */
  asksCurrent?: boolean
  submit: ReactNode
  /** More choices below the passphrase. */
  more?: ReactNode
  /** The button's label while `act` runs. */
  busy: string
  /** In a dialog. */
  close?: (() => void) | undefined
  /** May wait for a confirmation outside the window. */
  act: (chosen: { passphrase: string; current: string }, signal: AbortSignal) => Promise<void>
}

/** Chooses a passphrase, typed twice. */
export function PassphraseForm({ asksCurrent = false, submit, more, busy, close, act }: PassphraseFormProps) {
  const [current, setCurrent] = useState('')
  const [tried, setTried] = useState(false)
  const chosen = useNewPassphrase(8)
  const missing = asksCurrent && current === ''
  const action = useAction(() =>
    confirmable((signal) => act({ passphrase: chosen.passphrase, current }, signal)),
  )
  const onSubmit = () => {
    setTried(true)
    if (chosen.handIn() && !missing) void action.run()
  }
  const button = (
    <Button kind="primary" type="submit" busy={action.busy && busy}>
      {submit}
    </Button>
  )
  return (
    <Form className={styles.form} onSubmit={onSubmit}>
      {asksCurrent && (
        <Field
          label={t`Current passphrase`}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => {
            setCurrent(event.target.value)
            action.clear()
          }}
          fault={tried && missing ? t`Enter the current passphrase.` : undefined}
        />
      )}
      <NewPassphraseFields
        chosen={chosen}
        label={asksCurrent ? t`New passphrase` : t`Passphrase`}
        hint={t`Use at least eight characters; several words are better. Sotto can’t recover a lost passphrase.`}
      />
      {more}
      {action.failure && <FailureNote failure={action.failure} />}
      {close ? (
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          {button}
        </DialogActions>
      ) : (
        <div className={styles.actions}>{button}</div>
      )}
    </Form>
  )
}
