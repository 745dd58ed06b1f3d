import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import styles from './field.module.css'

type SelectFieldProps = FrameProps & Omit<ComponentProps<'select'>, 'id' | 'className'>

export function SelectField({ label, hint, fault, className, children, ...rest }: SelectFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault} className={className}>
      {(control) => (
        <select className={classNames(styles.input, styles.select)} {...control} {...rest}>
          {children}
        </select>
      )}
    </FieldFrame>
  )
}
