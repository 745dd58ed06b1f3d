import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import type { Said } from '../../shared/say.ts'
import { api } from './api.ts'
import { Button } from './button.tsx'
import { useConfirmation } from './confirmation-store.ts'
import styles from './confirmation-dialog.module.css'
import { Dialog, DialogActions } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { Field } from './field.tsx'
import { spoken } from './language/core-sentences.ts'
import { useAction } from './use-action.ts'

/** Asks for the code that the terminal shows: proof that the person at this machine, and not this page, wants it. */
export function ConfirmationDialog() {
  const pending = useConfirmation((state) => state.pending)
  const giveUp = useConfirmation((state) => state.giveUp)
  return (
    <Dialog
      open={pending !== null}
      onClose={giveUp}
      alert
      title={t`Confirm outside this window`}
      says={t`Sotto asks for this where no web page can answer: the terminal that runs it shows a code.`}
    >
      {pending && <CodeForm key={pending.id} id={pending.id} says={pending.says} giveUp={giveUp} />}
    </Dialog>
  )
}

function CodeForm({ id, says, giveUp }: { id: string; says: Said; giveUp: () => void }) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState(false)
  const answer = useAction(async () => {
    const { accepted } = await api.confirmations.answer({ id, code: code.trim() })
    setWrong(!accepted)
    if (!accepted) setCode('')
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (code.trim()) void answer.run()
  }
  return (
    <form onSubmit={submit}>
      <p className={styles.says}>{spoken(says)}</p>
      <Field
        label={t`Code from the terminal`}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        maxLength={16}
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        fault={wrong ? t`This is not the code. Look at the terminal again.` : undefined}
      />
      {answer.failure && <FailureNote failure={answer.failure} />}
      <DialogActions>
        <Button onClick={giveUp}><Trans>Do not do it</Trans></Button>
        <Button kind="primary" type="submit" busy={answer.busy && t`Checking…`} disabled={!code.trim()}><Trans>Confirm</Trans></Button>
      </DialogActions>
    </form>
  )
}
