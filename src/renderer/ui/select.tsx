import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import fieldStyles from './field.module.css'
import styles from './select.module.css'

/** The browser's own list of choices in the style of the window. Without a visible label it needs `aria-label`. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select className={classNames(fieldStyles.input, styles.select, className)} {...rest}>
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

/**
 * Keeps the keys in an open list of a select from the rest of the window. Only a list that the style sheet draws sends
 * them to the page: the focus is then on an option, and the browser chooses or closes after the event.
 *
 * Without this, Escape would also close the dialog around the select, stop an arriving reply, or both. A letter that
 * looks for a choice would trigger a shortcut of one key.
 *
 * The listener is on the window and captures, because Radix captures Escape on the document.
 */
export function bindSelectKeys(): void {
  addEventListener('keydown', keepInList, { capture: true })
}

function keepInList(event: KeyboardEvent): void {
  if (event.target instanceof HTMLOptionElement) event.stopPropagation()
}
