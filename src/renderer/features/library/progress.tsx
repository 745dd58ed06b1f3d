import styles from './progress.module.css'

/** The progress of a task. `of` is 0 if the total isn't known yet. */
export function Progress({
  label,
  done,
  of,
  message,
}: {
  label: string
  done: number
  of: number
  message: string
}) {
  return (
    <p className={styles.line}>
      <progress value={of === 0 ? undefined : done} max={Math.max(of, 1)} aria-label={label} />
      <span>{message}</span>
    </p>
  )
}
