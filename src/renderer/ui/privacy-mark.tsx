import { t } from '@lingui/core/macro'
import type { Privacy } from '../../shared/privacy.ts'
import { classNames } from './class-names.ts'
import styles from './privacy-mark.module.css'

/** The four states in words. The word is shown next to the shape if there is room for it. */
export const privacyWord: Readonly<Record<Privacy, string>> = {
  get sealed() {
    return t`Private`
  },
  get relayed() {
    return t`Provider only`
  },
  get forwarded() {
    return t`Visible`
  },
  get refused() {
    return t`Blocked`
  },
}

export const privacyMeaning: Readonly<Record<Privacy, string>> = {
  get sealed() {
    return t`Only the verified enclave can read it.`
  },
  get relayed() {
    return t`The model’s provider can read it; the service can’t.`
  },
  get forwarded() {
    return t`The service and the provider can read it.`
  },
  get refused() {
    return t`Nothing was sent.`
  },
}

interface PrivacyGlyphProps {
  privacy: Privacy
  size?: number
  className?: string | undefined
}

/** A lock in a ring, a half-closed eye, an open eye and a barred octagon, which differ without color. */
export function PrivacyGlyph({ privacy, size = 16, className }: PrivacyGlyphProps) {
  return (
    <svg
      className={classNames(styles[privacy], className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
    >
      {privacy === 'sealed' && (
        <>
          <circle cx="8" cy="8" r="7.2" />
          <rect x="4.9" y="7.2" width="6.2" height="4.6" rx="0.9" fill="currentColor" stroke="none" />
          <path d="M6.2 7.4V6a1.8 1.8 0 0 1 3.6 0v1.4" />
        </>
      )}
      {privacy === 'relayed' && (
        <>
          <path d="M0.9 8C2.6 5 5 3.4 8 3.4S13.4 5 15.1 8Z" fill="currentColor" strokeLinejoin="round" />
          <path d="M0.9 8C2.6 11 5 12.6 8 12.6S13.4 11 15.1 8" strokeLinejoin="round" />
          <path d="M5.5 8a2.5 2.5 0 0 0 5 0Z" fill="currentColor" stroke="none" />
        </>
      )}
      {privacy === 'forwarded' && (
        <>
          <path
            d="M0.9 8C2.6 5 5 3.4 8 3.4S13.4 5 15.1 8C13.4 11 11 12.6 8 12.6S2.6 11 0.9 8Z"
            strokeLinejoin="round"
          />
          <circle cx="8" cy="8" r="2.3" fill="currentColor" stroke="none" />
        </>
      )}
      {privacy === 'refused' && (
        <>
          <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" strokeLinejoin="round" />
          <path d="M4.4 8h7.2" strokeWidth="2.2" />
        </>
      )}
    </svg>
  )
}

/** The glyph on a tinted disc, as the model pill shows it. */
export function PrivacyDisc({ privacy }: { privacy: Privacy }) {
  return (
    <span className={styles.disc} data-privacy={privacy}>
      <PrivacyGlyph privacy={privacy} size={14} />
    </span>
  )
}

export function PrivacyMark({ privacy }: { privacy: Privacy }) {
  return (
    <span className={classNames(styles.mark, styles[privacy])} data-privacy={privacy}>
      <PrivacyGlyph privacy={privacy} size={14} />
      <span>{privacyWord[privacy]}</span>
    </span>
  )
}
