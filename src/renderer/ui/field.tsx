import { useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  hint?: ReactNode
  /** What is wrong with what was entered. */
  fault?: string | undefined
}

export function Field({ label, hint, fault, className, ...rest }: FieldProps) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.input}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={fault !== undefined}
        {...(described ? { 'aria-describedby': described } : {})}
        {...rest}
      />
      {hint !== undefined && <p id={`${id}-hint`} className={styles.hint}>{hint}</p>}
      {fault !== undefined && <p id={`${id}-fault`} className={styles.fault}>{fault}</p>}
    </div>
  )
}
