import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { tryAgainIn } from '../../shared/confirm.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'
import { announce } from './announcer.tsx'
import { api } from './api.ts'
import { Button } from './button.tsx'
import { useConfirmation } from './confirmation-store.ts'
import styles from './confirmation-dialog.module.css'
import { Dialog, DialogActions } from './dialog.tsx'
import { asFailure } from './failure.ts'
import { FailureNote } from './failure-note.tsx'
import { Field, Form } from './field.tsx'
import { spoken } from './language/core-sentences.ts'
import { useAction } from './use-action.ts'
import { useNow } from './use-now.ts'

/** XXXX-XXXX, with room for spaces. */
const MAX_CODE = 32

/** Asks for the code that the terminal shows: proof that the person at this machine, and not this page, wants it. */
export function ConfirmationDialog() {
  const pending = useConfirmation((state) => state.pending)
  const abandon = useConfirmation((state) => state.abandon)
  return (
    <Dialog
      open={pending !== null}
      onClose={abandon}
      alert
      title={t`Confirm in your terminal`}
      says={t`Enter the code shown in the terminal that runs Sotto. It proves that you made this request, not a web page.`}
    >
      {pending && <CodeForm key={pending.id} id={pending.id} message={pending.says} abandon={abandon} />}
    </Dialog>
  )
}

function CodeForm({ id, message, abandon }: { id: string; message: LocalizedText; abandon: () => void }) {
  const [code, setCode] = useState('')
  const [rejected, setRejected] = useState<Rejection>()
  const now = useNow(500)
  const seconds = rejected ? secondsLeft(rejected, now) : 0
  const answer = useAction(async () => {
    const rejection = await enter(id, code.trim())
    setRejected(rejection)
    if (!rejection) return
    announce(inWords(rejection, rejection.retryAfterSeconds))
    if (rejection.wrong) setCode('')
  })
  const submit = () => {
    if (code.trim() && seconds === 0) void answer.run()
  }
  return (
    <Form onSubmit={submit}>
      <p className={styles.says}>{spoken(message)}</p>
      <Field
        label={t`Code from your terminal`}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        maxLength={MAX_CODE}
        autoFocus
        autoCapitalize="characters"
        autoComplete="one-time-code"
        fault={rejected && inWords(rejected, seconds)}
      />
      {answer.failure && <FailureNote failure={answer.failure} />}
      <DialogActions>
        <Button onClick={abandon}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          type="submit"
          busy={answer.busy && t`Checking…`}
          disabled={!code.trim() || seconds > 0}
        >
          <Trans>Confirm</Trans>
        </Button>
      </DialogActions>
    </Form>
  )
}

/** A code that was not accepted. */
interface Rejection {
  /** False: it was not compared, since the wait after the one before is not over. */
  readonly wrong: boolean
  /** Unix ms. */
  readonly at: number
  readonly retryAfterSeconds: number
}

async function enter(id: string, code: string): Promise<Rejection | undefined> {
  try {
    const { retryAfterSeconds } = await api.confirmations.answer({ id, code })
    // Without a time to retry, the question is over, and the code that asked closes the dialog.
    return retryAfterSeconds === undefined ? undefined : { wrong: true, at: Date.now(), retryAfterSeconds }
  } catch (thrown) {
    const { code: why, retryAfterSeconds } = asFailure(thrown)
    if (why !== 'confirm/too-soon' || retryAfterSeconds === undefined) throw thrown
    return { wrong: false, at: Date.now(), retryAfterSeconds }
  }
}

function secondsLeft({ at, retryAfterSeconds }: Rejection, now: number): number {
  return Math.max(0, Math.ceil(retryAfterSeconds - Math.max(0, now - at) / 1000))
}

function inWords({ wrong }: Rejection, seconds: number): string {
  return [
    ...(wrong ? [t`Wrong code.`] : []),
    seconds > 0 ? spoken(tryAgainIn(seconds)) : t`Check the terminal and try again.`,
  ].join(' ')
}
