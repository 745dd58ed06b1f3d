import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import type { VerdictState } from '../../ui/verdict-state.ts'
import styles from './verdict-frame.module.css'

const headline: Readonly<Record<VerdictState, string>> = {
  get verified() {
    return t`Verified`
  },
  get refused() {
    return t`Blocked`
  },
  get ended() {
    return t`Verification expired`
  },
  get none() {
    return t`Not verified yet`
  },
}

interface FrameProps {
  label: string
  status: VerdictState
  /** The privacy state of messages after a good verdict. */
  privacy: 'sealed' | 'relayed'
  /** Whether a failed verdict makes messages visible instead of blocking them. */
  isVisible?: boolean
  /** A heading that fits into its surroundings. */
  level?: 'h2' | 'h3'
  action?: ReactNode
  children: ReactNode
}

/** The verdict on an enclave: a shape, a headline, sentences and possible actions. */
export function VerdictFrame({
  label,
  status,
  privacy,
  isVisible = false,
  level: Heading = 'h2',
  action,
  children,
}: FrameProps) {
  const exposes = status === 'refused' && isVisible
  return (
    <section
      className={styles.panel}
      data-standing={exposes ? 'exposed' : status}
      data-privacy={privacy}
      aria-label={label}
    >
      <div className={styles.sign} aria-hidden>
        {status === 'verified' && <PrivacyGlyph privacy={privacy} size={36} />}
        {status === 'refused' && <PrivacyGlyph privacy={exposes ? 'forwarded' : 'refused'} size={36} />}
        {(status === 'none' || status === 'ended') && <span className={styles.open} />}
      </div>
      <div className={styles.words}>
        <Heading className={styles.headline}>{exposes ? t`Not verified` : headline[status]}</Heading>
        {children}
      </div>
      {action}
    </section>
  )
}
