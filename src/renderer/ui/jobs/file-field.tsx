import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { DropZone } from '../drop-zone.tsx'
import { FailureNote } from '../failure-note.tsx'
import { formatBytes, formatPercent } from '../format/number.ts'
import styles from './file-field.module.css'
import type { GivenFileState } from './use-given-file.ts'

interface FileFieldProps {
  label: string
  /** Which files it may be, and what becomes of them. */
  hint?: ReactNode
  /** As `accept` of a file input. What is dropped or pasted is judged by its bytes all the same. */
  accept: string
  given: GivenFileState
  disabled?: boolean
  /** Beside the button: another place to take one from. */
  others?: ReactNode
  /** What it looks like, once it is here. */
  preview?: ReactNode
}

/** A file by a dialog, dropped or pasted. It is handed to the core on this machine, and leaves only when the job is sent. */
export function FileField({
  label,
  hint,
  accept,
  given: { picked, take, clear },
  disabled = false,
  others,
  preview,
}: FileFieldProps) {
  useEffect(() => {
    if (disabled) return
    const pasted = (event: ClipboardEvent) => {
      const data = event.clipboardData
      const [file] = data?.files ?? []
      // A spreadsheet brings a picture of its cells beside its text: the text is what is pasted.
      if (!file || (data?.getData('text/plain') ?? '') !== '') return
      event.preventDefault()
      take(file)
    }
    addEventListener('paste', pasted)
    return () => removeEventListener('paste', pasted)
  }, [take, disabled])
  return (
    <DropZone
      label={label}
      hint={hint}
      accept={accept}
      disabled={disabled}
      onFiles={([file]) => file && take(file)}
    >
      {({ over, choose }) => (
        <>
          {picked.state === 'none' && (
            <div className={styles.line}>
              <Button onClick={choose} disabled={disabled}>
                <Trans>Choose file…</Trans>
              </Button>
              {others}
              <span className={styles.quiet}>
                {over ? (
                  <Trans>Drop the file here.</Trans>
                ) : (
                  <Trans>You can also drop or paste a file here.</Trans>
                )}
              </span>
            </div>
          )}
          {picked.state === 'taking' && (
            <div className={styles.line}>
              <span className={styles.name}>{picked.name}</span>
              <progress
                value={picked.progress.sent}
                max={Math.max(picked.progress.of, 1)}
                aria-label={t`Adding ${picked.name}`}
              />
              <span className={styles.quiet}>
                {formatPercent(picked.progress.sent / Math.max(picked.progress.of, 1))}
              </span>
              <Button onClick={clear}>
                <Trans>Stop</Trans>
              </Button>
            </div>
          )}
          {picked.state === 'taken' && (
            <div className={styles.line}>
              {preview}
              <span className={styles.about}>
                <span className={styles.name}>{picked.name}</span>
                {picked.upload && (
                  <span className={styles.quiet}>
                    {formatBytes(picked.upload.bytes)}
                    {picked.upload.width !== undefined &&
                      picked.upload.height !== undefined &&
                      ` · ${String(picked.upload.width)} × ${String(picked.upload.height)}`}
                  </span>
                )}
              </span>
              <Button onClick={choose} disabled={disabled}>
                <Trans>Replace…</Trans>
              </Button>
              <Button onClick={clear} disabled={disabled}>
                <Trans>Remove</Trans>
              </Button>
            </div>
          )}
          {picked.state === 'failed' && (
            <FailureNote failure={picked.failure}>
              <Button onClick={choose} disabled={disabled}>
                <Trans>Choose another…</Trans>
              </Button>
              <Button onClick={clear}>
                <Trans>Continue without it</Trans>
              </Button>
            </FailureNote>
          )}
        </>
      )}
    </DropZone>
  )
}
