import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { tryAgainIn } from '../../shared/confirm.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './failure-note.module.css'
import { spoken, translatedFailure } from './language/core-sentences.ts'
import { PrivacyGlyph } from './privacy-mark.tsx'

interface FailureNoteProps {
  failure: Failure
  /** The request was refused: nothing was sent, and the mark shows that. */
  refused?: boolean
  /** The failure is part of saved content, not news, so it isn't announced. */
  isSaved?: boolean
  /** Adds the button “Try again”, which calls this. */
  onRetry?: () => void
  /** Actions that may help. */
  children?: ReactNode
  className?: string | undefined
}

/** States what happened and what to do. The code for support is in its details. */
export function FailureNote({
  failure: source,
  refused = false,
  isSaved = false,
  onRetry,
  children,
  className,
}: FailureNoteProps) {
  const failure = translatedFailure(source)
  return (
    <div
      className={classNames(styles.note, refused && styles.refused, className)}
      role={isSaved ? 'note' : 'alert'}
    >
      {refused && <PrivacyGlyph privacy="refused" size={20} className={styles.glyph} />}
      <div className={styles.body}>
        <p className={styles.says}>{failure.says}</p>
        {failure.detail !== undefined && <p>{failure.detail}</p>}
        <p className={styles.remedy}>{failure.remedy}</p>
        {failure.retryAfterSeconds !== undefined && <p>{spoken(tryAgainIn(failure.retryAfterSeconds))}</p>}
        <details className={styles.code}>
          <summary>
            <Trans>Details</Trans>
          </summary>
          <code>{failure.code}</code>
          {failure.step !== undefined && (
            <>
              {' '}
              <Trans>
                at check <code>{failure.step}</code>
              </Trans>
            </>
          )}
          {failure.stepCode !== undefined && (
            <>
              : <code>{failure.stepCode}</code>
            </>
          )}
        </details>
        {(onRetry ?? children) !== undefined && (
          <div className={styles.actions}>
            {onRetry && (
              <Button onClick={onRetry}>
                <Trans>Try again</Trans>
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </div>
  )
}
