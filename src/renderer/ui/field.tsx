import type { ComponentProps, ReactNode } from 'react'
import { FieldFrame } from './field-frame.tsx'
import styles from './field.module.css'

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  hint?: ReactNode
  /** The problem with the entered value. */
  fault?: string | undefined
}

/** A form checks its fields itself, because a browser's own bubbles speak another language than the window. */
export function Form({
  onSubmit,
  ...rest
}: Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React also reports a form in a dialog to the form that opened the dialog.
        if (event.target === event.currentTarget) onSubmit()
      }}
    />
  )
}

export function Field({ label, hint, fault, className, ...rest }: FieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault} className={className}>
      {(control) => (
        <input
          className={styles.input}
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
