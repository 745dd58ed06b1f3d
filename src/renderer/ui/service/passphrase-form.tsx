import { t } from '@lingui/core/macro'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { Field } from '../field.tsx'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'

const LEAST = 8

interface PassphraseFormProps {
  /** Whether the passphrase that holds now is asked for too. */
  asksCurrent?: boolean
  submit: ReactNode
  /** While it is done. */
  busy: string
  /** May be confirmed outside the window meanwhile. */
  act: (chosen: { passphrase: string; current: string }, signal: AbortSignal) => Promise<void>
}

/** Chooses a passphrase, typed twice. */
export function PassphraseForm({ asksCurrent = false, submit, busy, act }: PassphraseFormProps) {
  const [current, setCurrent] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const missing = asksCurrent && current === ''
  const short = passphrase.length < LEAST
  const differs = passphrase !== again
  const action = useAction(() => confirmable((signal) => act({ passphrase, current }, signal)))
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing && !short && !differs) void action.run()
  }
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {asksCurrent && (
        <Field
          label={t`Passphrase that holds now`}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => { setCurrent(event.target.value); action.clear() }}
          fault={tried && missing ? t`Type the passphrase that opens the vault now.` : undefined}
        />
      )}
      <Field
        label={asksCurrent ? t`New passphrase` : t`Passphrase`}
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
      {action.failure && <FailureNote failure={action.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={action.busy && busy}>{submit}</Button>
      </div>
    </form>
  )
}
