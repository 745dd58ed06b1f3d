import { useId, type ReactNode } from 'react'
import styles from './check-field.module.css'

interface CheckFieldProps {
  label: string
  /** Explains what a tick means. */
  hint?: ReactNode
  checked: boolean
  onTick: (checked: boolean) => void
}

export function CheckField({ label, hint, checked, onTick }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onTick(event.target.checked)}
        {...(hint !== undefined ? { 'aria-describedby': `${id}-hint` } : {})}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
