import styles from './progress.module.css'

/** How far something has come; `of` is 0 where nobody knows yet. */
export function Progress({
  label,
  done,
  of,
  says,
}: {
  label: string
  done: number
  of: number
  says: string
}) {
  return (
    <p className={styles.line}>
      <progress value={of === 0 ? undefined : done} max={Math.max(of, 1)} aria-label={label} />
      <span>{says}</span>
    </p>
  )
}
