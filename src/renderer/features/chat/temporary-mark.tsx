import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import styles from './temporary-mark.module.css'

/** An open ring, because a temporary conversation isn't saved. */
function TemporaryGlyph({ size = 16 }: { size?: number }) {
  return (
    <svg
      className={styles.glyph}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.6" strokeDasharray="2.6 2.3" />
      <path d="M8 4.6V8l2.2 1.6" />
    </svg>
  )
}

/** Marks a conversation that is only in memory. */
export function TemporaryMark() {
  return (
    <span
      className={styles.mark}
      title={t`In memory only, never saved. Deleted when you close this window or Sotto quits.`}
    >
      <TemporaryGlyph />
      <span>
        <Trans>Temporary</Trans>
      </span>
    </span>
  )
}
