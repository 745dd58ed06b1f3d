import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** A view has one `primary`. `danger` is for menus and confirmations only, and `link` for a button within text. */
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'link'
  /** While its action runs, the button shows this text and can't be pressed. It keeps the focus, which a disabled button would lose. */
  busy?: string | false
  /** The button can't be pressed until the data that it needs has arrived. It keeps the focus too. */
  waits?: boolean
}

export function Button({
  kind = 'secondary',
  busy = false,
  waits = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isBlocked = waits || busy !== false
  const pressed = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isBlocked) onClick?.(event)
    else event.preventDefault()
  }
  return (
    <button
      type={type}
      className={classNames(styles.button, styles[kind], waits && styles.waits, className)}
      aria-disabled={isBlocked || undefined}
      aria-busy={busy !== false}
      onClick={pressed}
      {...rest}
    >
      {busy === false ? children : busy}
    </button>
  )
}

/** A button that shows an icon only. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type={type}
      className={classNames(styles.icon, className)}
      aria-label={label}
      title={label}
      {...rest}
    />
  )
}
