import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import styles from './temporary-mark.module.css'

/** A ring that is not closed: what is in it does not stay. */
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

/** Of a conversation that is in memory alone. */
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
