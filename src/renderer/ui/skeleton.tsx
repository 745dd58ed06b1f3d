import { Hidden } from './hidden.tsx'
import styles from './skeleton.module.css'

interface SkeletonProps {
  /** What loads, for screen readers: "Loading models…". */
  label: string
  /** How many lines are drawn: about as many as will come. */
  lines?: number
}

/**
 * Gray lines in the place of a list or a text that loads. Screen readers announce the label, and the pointer shows it.
 * Without motion, if the system asks for that, the lines stay.
 * @param label what loads
 */
export function Skeleton({ label, lines = 3 }: SkeletonProps) {
  return (
    <div className={styles.skeleton} role="status" title={label}>
      <Hidden>{label}</Hidden>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} aria-hidden />
      ))}
    </div>
  )
}
