import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` is the one thing to do here; `plain` is a word among others. */
  kind?: 'primary' | 'quiet' | 'plain'
  /** Running: says so instead of its name, and cannot be pressed again. It keeps the focus, which a disabled one would lose. */
  busy?: string | false
  /** What it needs is on its way: it cannot be pressed yet, and keeps the focus too. */
  waits?: boolean
}

export function Button({
  kind = 'quiet',
  busy = false,
  waits = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const held = waits || busy !== false
  const pressed = (event: MouseEvent<HTMLButtonElement>) => {
    if (!held) onClick?.(event)
    else event.preventDefault()
  }
  return (
    <button
      type={type}
      className={classNames(styles.button, styles[kind], waits && styles.waits, className)}
      aria-disabled={held || undefined}
      aria-busy={busy !== false}
      onClick={pressed}
      {...rest}
    >
      {busy === false ? children : busy}
    </button>
  )
}

/** A sign alone: `label` is its name and its tooltip. */
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
