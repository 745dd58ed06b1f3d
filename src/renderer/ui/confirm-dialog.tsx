import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './confirm-dialog.module.css'
import { Dialog, DialogActions } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { useAction } from './use-action.ts'

interface ConfirmAction {
  kind: 'danger' | 'primary'
  /** The button's text, and its text while the action runs (`busy`). */
  button: string
  busy: string
  act: () => Promise<void>
}

interface ConfirmDialogProps extends ConfirmAction {
  /** The question, such as "Remove Ann?". */
  title: string
  /** The consequences, in sentences. */
  description: string
  /** More about the consequences, below the description. */
  children?: ReactNode
  /** Another action to choose, before the main one. */
  alternative?: ConfirmAction
  onClose: () => void
}

/**
 * Asks before an action runs, with the focus on Cancel. It closes after the action, or shows the error that `act`
 * throws. Render it only while it's open.
 */
export function ConfirmDialog({
  title,
  description,
  children,
  alternative,
  onClose,
  ...main
}: ConfirmDialogProps) {
  const [chosen, setChosen] = useState<string>()
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const confirmed = useAction(async ({ button, act }: ConfirmAction) => {
    setChosen(button)
    await act()
    // If it was closed before the action ended, another dialog may be open by now.
    if (isOpen.current) onClose()
  })
  return (
    <Dialog open onClose={onClose} alert title={title} says={description}>
      {children}
      {confirmed.failure && <FailureNote failure={confirmed.failure} className={styles.failure} />}
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        {[...(alternative ? [alternative] : []), main].map((action) => (
          <Button
            key={action.button}
            kind={action.kind}
            busy={confirmed.busy && action.button === chosen && action.busy}
            waits={confirmed.busy && action.button !== chosen}
            onClick={() => void confirmed.run(action)}
          >
            {action.button}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  )
}
