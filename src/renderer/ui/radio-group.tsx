import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './radio-group.module.css'

interface RadioGroupProps<Id extends string> {
  label: string
  /** One in the whole document. */
  name: string
  options: readonly { readonly id: Id; readonly name: ReactNode; readonly disabled?: boolean }[]
  chosen: Id
  onChoose: (id: Id) => void
  /** Shows the options as a row of segments, for a few short names. */
  segmented?: boolean
  className?: string | undefined
}

/** A choice of one among a few, all in view. */
export function RadioGroup<Id extends string>({
  label,
  name,
  options,
  chosen,
  onChoose,
  segmented = false,
  className,
}: RadioGroupProps<Id>) {
  return (
    <fieldset
      className={classNames(segmented ? styles.segmented : styles.group, className)}
      aria-label={label}
    >
      {options.map((option) => (
        <label key={option.id} className={segmented ? styles.segment : styles.option}>
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={chosen === option.id}
            disabled={option.disabled}
            onChange={() => onChoose(option.id)}
          />
          <span>{option.name}</span>
        </label>
      ))}
    </fieldset>
  )
}
