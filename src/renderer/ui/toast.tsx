import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './toast.module.css'

interface ToastProps {
  /** What happened. */
  message: string
  /** The name of the button, such as "Undo". */
  action: string
  /** The name of the button while the action runs. */
  busy?: string | false
  onAction: () => void
  /** Shows it in a line below the view, not over the view. Some views have buttons at their lower edge. */
  below?: boolean
}

/**
 * What just happened, with a way to take it back, at the lower edge of the view. Its creator announces it and ends it.
 * If the focused element was removed, the button takes the focus.
 */
export function Toast({ message, action, busy = false, onAction, below = false }: ToastProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus()
  }, [message])
  return (
    <div
      className={below ? styles.below : styles.over}
      // Below the view, no other landmark leads to it.
      {...(below && { role: 'region', 'aria-label': message })}
    >
      <div className={styles.toast} data-testid="undo">
        <span className={styles.message}>{message}</span>
        <Button ref={button} className={styles.action} onClick={onAction} busy={busy}>
          {action}
        </Button>
      </div>
    </div>
  )
}
