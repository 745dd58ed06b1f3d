import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import styles from './field.module.css'

type TextAreaFieldProps = FrameProps & Omit<ComponentProps<'textarea'>, 'id' | 'className'>

export function TextAreaField({ label, hint, fault, className, ...rest }: TextAreaFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault} className={className}>
      {(control) => (
        <textarea
          className={classNames(styles.input, styles.area)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          {...rest}
        />
      )}
    </FieldFrame>
  )
}
