import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './drop-zone.module.css'
import fields from './field.module.css'

interface DropZoneProps {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  /** As `accept` of a file input. The reader of a file checks its content anyway. */
  accept?: string
  /** `files` takes several, `folder` takes a folder, which can't be dropped. */
  takes?: 'file' | 'files' | 'folder'
  disabled?: boolean
  onFiles: (files: readonly File[]) => void
  /** The names of the chosen files. */
  names?: readonly string[]
  /** Replaces the button and the names. */
  children?: (zone: Zone) => ReactNode
}

interface Zone {
  /** Files are dragged over the place. */
  readonly over: boolean
  /** Opens the dialog. */
  readonly choose: () => void
}

/** A place for files: they are dropped on it or chosen in a dialog. */
export function DropZone({
  label,
  hint,
  fault,
  accept,
  takes = 'file',
  disabled = false,
  onFiles,
  names = [],
  children,
}: DropZoneProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const give = (list: FileList | null) => {
    const files = [...(list ?? [])].slice(0, takes === 'file' ? 1 : undefined)
    if (files.length > 0 && !disabled) onFiles(files)
  }
  const dragged = (event: DragEvent) => {
    if (disabled || takes === 'folder' || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const dropped = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (takes !== 'folder') give(event.dataTransfer.files)
  }
  const choose = () => input.current?.click()
  return (
    <div
      className={fields.field}
      role="group"
      aria-labelledby={id}
      {...(fault !== undefined && { 'aria-describedby': `${id}-fault` })}
    >
      <span id={id} className={fields.label}>
        {label}
      </span>
      <div
        className={classNames(styles.zone, over && styles.over)}
        data-testid="file-place"
        data-file-place
        data-invalid={fault !== undefined || undefined}
        onDragEnter={dragged}
        onDragOver={dragged}
        onDragLeave={() => setOver(false)}
        onDrop={dropped}
      >
        <input
          ref={input}
          type="file"
          hidden
          accept={accept}
          multiple={takes === 'files'}
          {...(takes === 'folder' && { webkitdirectory: '' })}
          data-testid={`${takes}-input`}
          onChange={({ target }) => {
            give(target.files)
            // The same file can be chosen again.
            target.value = ''
          }}
        />
        {children ? (
          <Content over={over} choose={choose} render={children} />
        ) : (
          <div className={styles.line}>
            {names.length > 0 && <span className={styles.names}>{names.slice(0, 3).join(', ')}</span>}
            <Button onClick={choose} disabled={disabled}>
              <ChooseWords takes={takes} replaces={names.length > 0} />
            </Button>
            {names.length === 0 && takes !== 'folder' && <DropWords over={over} />}
          </div>
        )}
      </div>
      {hint !== undefined && <p className={fields.hint}>{hint}</p>}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={fields.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

function Content({ render, ...zone }: Zone & { render: (zone: Zone) => ReactNode }) {
  return render(zone)
}

function ChooseWords({ takes, replaces }: { takes: string; replaces: boolean }) {
  if (replaces) return <Trans>Replace…</Trans>
  if (takes === 'folder') return <Trans>Choose folder…</Trans>
  return takes === 'files' ? <Trans>Choose files…</Trans> : <Trans>Choose file…</Trans>
}

function DropWords({ over }: { over: boolean }) {
  return (
    <span className={fields.hint}>
      {over ? <Trans>Drop the file here.</Trans> : <Trans>You can also drop a file here.</Trans>}
    </span>
  )
}
