import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ScanText, X } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '../../../../shared/attachment.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { translatedFailure } from '../../../ui/language/core-sentences.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import {
  isReading,
  PASSWORD_FAILURES,
  removeFile,
  replaceFile,
  stopWork,
  useAttached,
  type AttachedFile,
} from './attached-store.ts'
import styles from './attachments.module.css'
import type { ConvertDialogProps } from './convert-dialog.tsx'
import { useDraftKeeping } from './drafts.ts'
import { factsOf } from './file-facts.ts'
import type { FileViewProps } from './file-view.tsx'
import type { ReadingDialogProps } from './reading-dialogs.tsx'
import { FileSign } from './file-sign.tsx'

// A file of its own would add to the first load of the window.
export { ComposerPassages } from '../passages/composer-passages.tsx'

const FileView = lazyComponent<FileViewProps>(async () => (await import('./file-view.tsx')).FileView)
const ConvertDialog = lazyComponent<ConvertDialogProps>(
  async () => (await import('./convert-dialog.tsx')).ConvertDialog,
)
const ReadingNotes = lazyComponent(async () => (await import('./reading-dialogs.tsx')).ReadingNotes)
const ReadingDialog = lazyComponent<ReadingDialogProps>(
  async () => (await import('./reading-dialogs.tsx')).ReadingDialog,
)

const none: readonly AttachedFile[] = []

/**
 * The files of a draft, each with its facts and a button to remove it. A file that couldn't be attached shows the
 * reason.
 */
export function ComposerFiles({ draft, focusText }: { draft: string; focusText: () => void }) {
  const files = useAttached((state) => state.files[draft] ?? none)
  const unkept = useDraftKeeping((state) => state.failure)
  const [viewed, setViewed] = useState<Attachment>()
  const [asked, setAsked] = useState<AttachedFile>()
  const [choosing, setChoosing] = useState<AttachedFile>()
  const offer = useStatus((state) => state.status?.service.documentConversion)
  const failed = files.filter(
    ({ failure, conversionFailure }) => failure !== undefined || conversionFailure !== undefined,
  )
  const others = files.filter(({ failure }) => failure === undefined)
  const unread = others.filter((file) => isReading(file) && !file.converting)
  const remove = (...keys: readonly string[]) => {
    for (const key of keys) removeFile(draft, key)
    focusText()
  }
  const dismiss = ({ key, failure }: AttachedFile) => {
    if (failure) return remove(key)
    replaceFile(key, ({ conversionFailure: _, ...file }) => file)
    focusText()
  }
  /** Undefined if the service can't convert this file. */
  const askFor = (file: AttachedFile) =>
    offer && file.document && !isReading(file) ? () => setAsked(file) : undefined
  return (
    <>
      {unkept && (
        <FailureNote failure={unkept} className={styles.note}>
          <Trans>This draft isn’t saved. It’s lost when this window closes.</Trans>
        </FailureNote>
      )}
      {failed.length > 0 && (
        <div role="alert">
          <ul
            className={styles.failed}
            aria-label={failed.every(({ failure }) => failure) ? t`Not attached` : t`File errors`}
          >
            {failed.map((file) => (
              <li key={file.key}>
                <Failed
                  file={file}
                  onConvert={askFor(file)}
                  onChoose={() => setChoosing(file)}
                  onRemove={() => dismiss(file)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {others.length > 0 && (
        <ul className={styles.chips} aria-label={t`Attached files`} aria-busy={others.some(isReading)}>
          {others.map((file) => (
            <li key={file.key} className={styles.chip}>
              <Chip
                file={file}
                onView={setViewed}
                onConvert={askFor(file)}
                onChoose={() => setChoosing(file)}
                onRemove={() => (file.converting ? stopWork(file.key) : remove(file.key))}
              />
            </li>
          ))}
        </ul>
      )}
      {unread.length > 1 && (
        <p className={styles.unread}>
          <Button onClick={() => remove(...unread.map(({ key }) => key))}>
            <Trans>Stop reading files</Trans>
          </Button>
        </p>
      )}
      {viewed && <FileView attachment={viewed} onClose={() => setViewed(undefined)} />}
      {choosing && (
        <ReadingDialog
          file={choosing}
          onClose={() => {
            setChoosing(undefined)
            focusText()
          }}
        />
      )}
      {asked && offer && (
        <ConvertDialog
          fileKey={asked.key}
          name={asked.name}
          offer={offer}
          onClose={() => setAsked(undefined)}
          onConvert={() => {
            setAsked(undefined)
            focusText()
          }}
        />
      )}
    </>
  )
}

interface FileActions {
  file: AttachedFile
  /** Absent if it can't be converted. */
  onConvert: (() => void) | undefined
  /** Opens what a person can choose about its reading. */
  onChoose: () => void
  onRemove: () => void
}

function Chip({
  file,
  onView,
  onConvert,
  onChoose,
  onRemove,
}: FileActions & { onView: (attachment: Attachment) => void }) {
  const { name, attachment, converting } = file
  const shown = attachment?.name ?? name
  const remove = converting
    ? t`Stop converting ${shown}`
    : attachment
      ? t`Remove ${shown}`
      : t`Stop reading ${shown}`
  return (
    <>
      {attachment && !converting ? (
        <button
          type="button"
          className={styles.open}
          onClick={() => onView(attachment)}
          title={t`Show ${shown}`}
        >
          <FileSign attachment={attachment} />
          <FileLabel name={shown} facts={factsOf(attachment)} />
        </button>
      ) : (
        <span className={styles.open}>
          <FileLabel name={shown} facts={readingWords(file)} />
        </span>
      )}
      {attachment && file.notes && <ReadingNotes file={file} onChoose={onChoose} />}
      {onConvert && attachment && (
        <IconButton label={t`Convert ${shown} in the enclave…`} onClick={onConvert}>
          <ScanText size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      <IconButton label={remove} onClick={onRemove}>
        <X size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </>
  )
}

function FileLabel({ name, facts }: { name: string; facts: string }) {
  return (
    <span className={styles.words}>
      <span className={styles.name} dir="auto">
        {name}
      </span>{' '}
      <span className={styles.facts}>{facts}</span>
    </span>
  )
}

function readingWords({ pages, converting }: AttachedFile): string {
  if (converting) return t`Converting in the enclave…`
  if (!pages) return t`Reading…`
  const { read, of } = pages
  return plural(of, { one: `Page ${read} of # read`, other: `Page ${read} of # read` })
}

function Failed({ file, onConvert, onChoose, onRemove }: FileActions) {
  const { name, failure: unread, conversionFailure } = file
  const failure = conversionFailure ?? unread
  if (!failure) return null
  const { says, remedy, detail } = translatedFailure(failure)
  return (
    <div className={styles.failure}>
      <p>
        <bdi className={styles.name}>{name}</bdi> {detail !== undefined && <span>{detail}</span>}{' '}
        <span>{says}</span> <span>{remedy}</span>
      </p>
      {file.source && PASSWORD_FAILURES.has(failure.code) && (
        <Button onClick={onChoose}>
          <Trans>Enter password…</Trans>
        </Button>
      )}
      {onConvert && (
        <Button onClick={onConvert}>
          <Trans>Convert in the enclave…</Trans>
        </Button>
      )}
      <IconButton label={t`Dismiss the error for ${name}`} onClick={onRemove}>
        <X size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}
