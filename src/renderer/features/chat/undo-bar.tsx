import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { useRemoval, undoRemoval } from './removal.ts'
import styles from './undo-bar.module.css'

/** Shows the latest deletion, and a button to undo it while that is possible. */
export function UndoBar() {
  const last = useRemoval((state) => state.last)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The deletion removed the element that had the focus.
    if (last && document.activeElement === document.body) button.current?.focus()
  }, [last])
  if (!last) return null
  return (
    <div className={styles.bar} data-testid="undo">
      <span className={styles.says}>{last.says}</span>
      <Button ref={button} onClick={() => void undoRemoval()}>
        <Trans>Undo</Trans>
      </Button>
    </div>
  )
}
