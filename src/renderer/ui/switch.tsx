import { t } from '@lingui/core/macro'
import { useId } from 'react'
import styles from './switch.module.css'

interface SwitchProps {
  on: boolean
  onTurn: () => void
  label: string
  /** In small code below the label. */
  note?: string
  disabled?: boolean
}

export function Switch({ on, onTurn, label, note, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {note !== undefined && <code className={styles.note}>{note}</code>}
      </label>
      <button
        type="button"
        id={id}
        role="switch"
        aria-checked={on}
        className={styles.switch}
        onClick={onTurn}
        disabled={disabled}
      >
        <span className={styles.word}>{on ? t`On` : t`Off`}</span>
        <span className={styles.track} aria-hidden>
          <span className={styles.knob} />
        </span>
      </button>
    </div>
  )
}
