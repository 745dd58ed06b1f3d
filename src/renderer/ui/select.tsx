import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import styles from './field.module.css'

/** The browser's own list of choices in the style of the window. Without a visible label it needs `aria-label`. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select className={classNames(styles.input, styles.select, className)} {...rest}>
      {children}
    </select>
  )
}

type SelectFieldProps = FrameProps & Omit<ComponentProps<'select'>, 'id' | 'className'>

/** A choice with its label, hint and fault. */
export function SelectField({ label, hint, fault, className, children, ...rest }: SelectFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault} className={className}>
      {(control) => (
        <Select {...control} {...rest}>
          {children}
        </Select>
      )}
    </FieldFrame>
  )
}
