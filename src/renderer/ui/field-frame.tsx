import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'

export interface FrameProps {
  label: string
  hint?: ReactNode
  /** The problem with the entered value. */
  fault?: string | undefined
  className?: string | undefined
}

interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby'?: string
}

/** A label, the control that it names, and the control's hint and fault. */
export function FieldFrame({
  label,
  hint,
  fault,
  className,
  labelId,
  children,
}: FrameProps & {
  /** The label's id, for a second control that it names. */
  labelId?: string
  children: (control: ControlProps) => ReactNode
}) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classNames(styles.field, className)}>
      <label id={labelId} className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': fault !== undefined,
        ...(described ? { 'aria-describedby': described } : {}),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}
