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
  /** Which files are accepted, and what happens to them. */
  hint?: ReactNode
  /** The `accept` attribute of the file input. Dropped and pasted files are checked by their bytes anyway. */
  accept: string
  fileInput: GivenFileState
  disabled?: boolean
  /** The job can be sent without a file. */
  optional?: boolean
  /** Shown next to the button: another source for a file. */
  others?: ReactNode
  /** A preview of the picked file. */
  preview?: ReactNode
}

/**
 * A file from a dialog, a drop or a paste. It is passed to the core on this computer, and leaves the computer only when
 * the job is sent.
 */
export function FileField({
  label,
  hint,
  accept,
  fileInput: { picked, take, clear },
  disabled = false,
  optional = false,
  others,
  preview,
}: FileFieldProps) {
  useEffect(() => {
    if (disabled) return
    const pasted = (event: ClipboardEvent) => {
      const data = event.clipboardData
      const [file] = data?.files ?? []
      // A spreadsheet copies a picture of its cells along with their text. Only the text is pasted.
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
                {optional ? <Trans>Continue without it</Trans> : <Trans>Remove</Trans>}
              </Button>
            </FailureNote>
          )}
        </>
      )}
    </DropZone>
  )
}
