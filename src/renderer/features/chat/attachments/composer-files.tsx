import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ScanText, TextSelect, X } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '../../../../shared/attachment.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { translatedFailure } from '../../../ui/language/core-sentences.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import {
  isReading,
  isRecognizable,
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
import { formatPercent } from '../../../ui/format/number.ts'
import { factsOf } from './file-facts.ts'
import type { FileViewProps } from './file-view.tsx'
import type { ReadingDialogProps } from './reading-dialogs.tsx'
import type { RecognizeDialogProps } from './recognition/recognize-dialog.tsx'
import { FileSign } from './file-sign.tsx'

// A file of its own would add to the first load of the window.
export { ComposerPassages } from '../passages/composer-passages.tsx'

const FileView = lazyComponent<FileViewProps>(async () => (await import('./file-view.tsx')).FileView)
const ConvertDialog = lazyComponent<ConvertDialogProps>(
  async () => (await import('./convert-dialog.tsx')).ConvertDialog,
)
const RecognizeDialog = lazyComponent<RecognizeDialogProps>(
  async () => (await import('./recognition/recognize-dialog.tsx')).RecognizeDialog,
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
  const [scanned, setScanned] = useState<AttachedFile>()
  const offer = useStatus((state) => state.status?.service.documentConversion)
  const failed = files.filter(
    ({ failure, conversionFailure }) => failure !== undefined || conversionFailure !== undefined,
  )
  const others = files.filter(({ failure }) => failure === undefined)
  const unread = others.filter((file) => isReading(file) && !isStoppable(file))
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
  /** Undefined if it has no images with text. */
  const recognitionOf = (file: AttachedFile) => (isRecognizable(file) ? () => setScanned(file) : undefined)
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
                  onRecognize={recognitionOf(file)}
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
                onRecognize={recognitionOf(file)}
                onChoose={() => setChoosing(file)}
                onRemove={() => (isStoppable(file) ? stopWork(file.key) : remove(file.key))}
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
      {scanned && (
        <RecognizeDialog
          file={scanned}
          onClose={() => {
            setScanned(undefined)
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
  /** Absent if no text can be recognized in it. */
  onRecognize: (() => void) | undefined
  /** Opens what a person can choose about its reading. */
  onChoose: () => void
  onRemove: () => void
}

function Chip({
  file,
  onView,
  onConvert,
  onRecognize,
  onChoose,
  onRemove,
}: FileActions & { onView: (attachment: Attachment) => void }) {
  const { name, attachment, converting, recognizing } = file
  const shown = attachment?.name ?? name
  const remove = converting
    ? t`Stop converting ${shown}`
    : recognizing
      ? t`Stop recognizing text in ${shown}`
      : attachment
        ? t`Remove ${shown}`
        : t`Stop reading ${shown}`
  return (
    <>
      {attachment && !isStoppable(file) ? (
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
      {onRecognize && attachment && (
        <IconButton label={t`Recognize text in ${shown}…`} onClick={onRecognize}>
          <TextSelect size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
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

/** Whether it's being converted or recognized. Stopping that leaves the file as it was before. */
function isStoppable({ converting, recognizing }: AttachedFile): boolean {
  return converting === true || recognizing !== undefined
}

function readingWords({ pages, converting, recognizing }: AttachedFile): string {
  if (converting) return t`Converting in the enclave…`
  if (recognizing) {
    const percent = formatPercent(recognizing.percent / 100)
    const { page, of } = recognizing
    return page === undefined || of === undefined
      ? t`Recognizing text, ${percent}`
      : t`Recognizing text, page ${page} of ${of}, ${percent}`
  }
  if (!pages) return t`Reading…`
  const { read, of } = pages
  return plural(of, { one: `Page ${read} of # read`, other: `Page ${read} of # read` })
}

function Failed({ file, onConvert, onRecognize, onChoose, onRemove }: FileActions) {
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
      {onRecognize && (
        <Button onClick={onRecognize}>
          <Trans>Recognize text…</Trans>
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
