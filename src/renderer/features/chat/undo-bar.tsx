import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { useRemoval, undoRemoval } from './removal.ts'
import styles from './undo-bar.module.css'

/** What was deleted last, and the way back, as long as there is one. */
export function UndoBar() {
  const last = useRemoval((state) => state.last)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where the hand was is gone with what was deleted.
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
