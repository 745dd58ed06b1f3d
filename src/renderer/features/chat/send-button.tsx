import { t } from '@lingui/core/macro'
import { ArrowUp, LoaderCircle, Square } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import styles from './send-button.module.css'

interface SendButtonProps {
  /** The action of the button, as its accessible name and its tooltip. */
  label: string
  /** The current action, while the message is being sent. */
  busy: string | false
  disabled: boolean
}

export function SendButton({ label, busy, disabled }: SendButtonProps) {
  const Icon = busy === false ? ArrowUp : LoaderCircle
  return (
    <button
      type="submit"
      className={classNames(styles.send, busy !== false && styles.busy)}
      aria-label={busy === false ? label : busy}
      aria-disabled={busy !== false || undefined}
      aria-busy={busy !== false}
      title={`${label} (${t`Enter`})`}
      disabled={disabled}
    >
      <Icon size={16} strokeWidth={2.25} aria-hidden />
    </button>
  )
}

export function StopButton({ onStop }: { onStop: () => void }) {
  const label = t`Stop`
  return (
    <button
      type="button"
      className={styles.send}
      aria-label={label}
      title={`${label} (${t`Esc`})`}
      onClick={onStop}
    >
      <Square size={12} fill="currentColor" strokeWidth={0} aria-hidden />
    </button>
  )
}
