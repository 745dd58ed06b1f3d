import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { announce } from './announcer.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import styles from './reveal-dialog.module.css'
import { SecretClipboardNote, SecretValue } from './secret-value.tsx'
import { useAction } from './use-action.ts'
import { useNow } from './use-now.ts'

const SHOWN_MS = 30_000

interface Secret {
  readonly name: string
  readonly secret: string
}

interface RevealDialogProps {
  title: string
  description: string
  /** Announced when the time is over. */
  over: string
  /** Loads the secrets after a confirmation outside the window. Throws what the call throws. */
  reveal: () => Promise<readonly Secret[]>
  close: () => void
}

/**
 * Shows secrets in full for half a minute after a confirmation. Before and after that, this window doesn't have them.
 */
export function RevealDialog({ title, description, over, reveal: ask, close }: RevealDialogProps) {
  const [shown, setShown] = useState<{ readonly secrets: readonly Secret[]; readonly until: number }>()
  const reveal = useAction(async () => {
    const secrets = await ask()
    setShown({ secrets, until: Date.now() + SHOWN_MS })
  })
  return (
    <Dialog open onClose={close} persistent title={title} says={description}>
      {shown ? (
        <Shown {...shown} over={over} close={close} />
      ) : (
        <>
          {reveal.failure && <FailureNote failure={reveal.failure} className={styles.failure} />}
          <DialogActions>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              kind="primary"
              autoFocus
              onClick={() => void reveal.run()}
              busy={reveal.busy && t`Waiting for confirmation…`}
            >
              <Trans>Show for 30 seconds</Trans>
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

/** The revealed secrets, until their time is over. */
function Shown({
  secrets,
  until,
  over,
  close,
}: { secrets: readonly Secret[]; until: number } & Pick<RevealDialogProps, 'over' | 'close'>) {
  const now = useNow(500)
  const [ran, setRan] = useState(false)
  // Setting the clock back adds no time. Timers stop during sleep, so the clock ends the time then.
  const isOver = ran || now >= until
  const hide = useEffectEvent(() => {
    announce(over)
    close()
  })
  useEffect(() => {
    const timer = setTimeout(() => setRan(true), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isOver) hide()
  }, [isOver])
  if (isOver) return null
  return (
    <>
      {secrets.map(({ name, secret }) => (
        <SecretValue key={name} name={name} secret={secret} />
      ))}
      <SecretClipboardNote />
      <DialogActions>
        <span className={styles.left} role="timer" aria-live="off">
          <Trans>Hides in {Math.max(1, Math.ceil((until - now) / 1000))} s</Trans>
        </span>
        <Button kind="primary" onClick={close} autoFocus>
          <Trans>Hide now</Trans>
        </Button>
      </DialogActions>
    </>
  )
}
