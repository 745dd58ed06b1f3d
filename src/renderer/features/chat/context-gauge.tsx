import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { classNames } from '../../ui/class-names.ts'
import { formatTokens, formatPercent } from '../../ui/format/number.ts'
import styles from './context-gauge.module.css'

/** From this part on the gauge is shown. */
const SHOWN = 0.6
/** From this fraction on, there is little room for a reply. */
const NEARLY_FULL = 0.8

interface GaugeProps {
  /** Of the whole request. */
  tokens: number
  /** The model's limit. Undefined if the listing doesn't report it. */
  contextLength: number | undefined
}

/** How full the model's context would be, once it is more than half full. If it's too small, ContextOverflow shows choices. */
export function ContextGauge({ tokens, contextLength }: GaugeProps) {
  if (contextLength === undefined || tokens / contextLength < SHOWN) return null
  const part = tokens / contextLength
  const [used, size, percent] = [
    formatTokens(tokens),
    formatTokens(contextLength),
    formatPercent(Math.min(part, 9.99)),
  ]
  const label = t`About ${used} of ${size} context tokens`
  return (
    <span className={classNames(styles.gauge, part >= NEARLY_FULL && styles.full)}>
      <span
        className={styles.meter}
        role="meter"
        aria-label={t`Context`}
        aria-valuemin={0}
        aria-valuemax={contextLength}
        aria-valuenow={Math.min(tokens, contextLength)}
        aria-valuetext={label}
        title={label}
      >
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
          <rect width={Math.min(100, part * 100)} height="8" />
        </svg>
        <span aria-hidden>
          <Trans>{percent} of context</Trans>
        </span>
      </span>
      {part >= NEARLY_FULL && part < 1 && (
        <span className={styles.says} role="status">
          <Trans>
            The chat nearly fills the model’s context: about {used} of {size} tokens. There’s little room for
            a reply.
          </Trans>
        </span>
      )}
    </span>
  )
}
