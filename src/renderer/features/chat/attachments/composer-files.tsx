import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '../../../../shared/attachment.ts'
import { IconButton } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { translatedFailure } from '../../../ui/language/core-sentences.ts'
import { isReading, removeFile, useAttached, type AttachedFile } from './attached-store.ts'
import styles from './attachments.module.css'
import { useDraftKeeping } from './drafts.ts'
import { factsOf } from './file-facts.ts'
import { FileView } from './file-view.tsx'
import { FileSign } from './file-sign.tsx'

const none: readonly AttachedFile[] = []

/** The files of a draft, each with what is known of it and a way to take it away; those that could not be taken say why. */
export function ComposerFiles({ draft, focusText }: { draft: string; focusText: () => void }) {
  const files = useAttached((state) => state.files[draft] ?? none)
  const unkept = useDraftKeeping((state) => state.failure)
  const [viewed, setViewed] = useState<Attachment>()
  const failed = files.filter(({ failure }) => failure !== undefined)
  const others = files.filter(({ failure }) => failure === undefined)
  const remove = (key: string) => {
    removeFile(draft, key)
    focusText()
  }
  return (
    <>
      {unkept && <FailureNote failure={unkept} className={styles.note}><Trans>This draft isn’t saved. It’s lost when this window closes.</Trans></FailureNote>}
      {failed.length > 0 && (
        <div role="alert">
          <ul className={styles.failed} aria-label={t`Not attached`}>
            {failed.map(({ key, name, failure }) => <li key={key}><Failed name={name} failure={failure} onRemove={() => remove(key)} /></li>)}
          </ul>
        </div>
      )}
      {others.length > 0 && (
        <ul className={styles.chips} aria-label={t`Attached files`} aria-busy={others.some(isReading)}>
          {others.map((file) => <li key={file.key} className={styles.chip}><Chip file={file} onView={setViewed} onRemove={() => remove(file.key)} /></li>)}
        </ul>
      )}
      {viewed && <FileView attachment={viewed} onClose={() => setViewed(undefined)} />}
    </>
  )
}

function Chip({ file, onView, onRemove }: { file: AttachedFile; onView: (attachment: Attachment) => void; onRemove: () => void }) {
  const { name, attachment } = file
  const shown = attachment?.name ?? name
  const remove = attachment ? t`Remove ${shown}` : t`Stop reading ${shown}`
  return (
    <>
      {attachment
        ? <button type="button" className={styles.open} onClick={() => onView(attachment)} title={t`Show ${shown}`}><FileSign attachment={attachment} /><Words name={shown} facts={factsOf(attachment)} /></button>
        : <span className={styles.open}><Words name={shown} facts={readingWords(file)} /></span>}
      <IconButton label={remove} onClick={onRemove}><X size={14} strokeWidth={1.75} aria-hidden /></IconButton>
    </>
  )
}

function Words({ name, facts }: { name: string; facts: string }) {
  return <span className={styles.words}><span className={styles.name} dir="auto">{name}</span> <span className={styles.facts}>{facts}</span></span>
}

function readingWords({ pages }: AttachedFile): string {
  if (!pages) return t`Reading…`
  const { read, of } = pages
  return plural(of, { one: `Page ${read} of # read`, other: `Page ${read} of # read` })
}

function Failed({ name, failure, onRemove }: { name: string; failure: AttachedFile['failure']; onRemove: () => void }) {
  if (!failure) return null
  const { says, remedy } = translatedFailure(failure)
  return (
    <div className={styles.failure}>
      <p><bdi className={styles.name}>{name}</bdi> <span>{says}</span> <span>{remedy}</span></p>
      <IconButton label={t`Dismiss the error for ${name}`} onClick={onRemove}><X size={14} strokeWidth={1.75} aria-hidden /></IconButton>
    </div>
  )
}
