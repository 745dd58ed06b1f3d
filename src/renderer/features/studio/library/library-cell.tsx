import { t } from '@lingui/core/macro'
import { AudioLines, FileText, Film, ImageOff, Table2, type LucideIcon } from 'lucide-react'
import { memo } from 'react'
import type { JobKind } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { classNames } from '../../../ui/class-names.ts'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { kindNames, stateWords, titleOf } from '../../../ui/jobs/job-words.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { Moment } from '../../../ui/moment.tsx'
import styles from './library.module.css'

interface CellProps {
  job: Job
  place: number
  /** Whether Tab moves the focus to this cell. */
  current: boolean
  chosen: boolean
  onChoose: (jobId: string) => void
  onOpen: (job: Job) => void
  onFocus: (place: number) => void
}

const signs: Partial<Record<JobKind, LucideIcon>> = {
  video: Film,
  speech: AudioLines,
  transcription: FileText,
  data: Table2,
}

/** One job: its preview, its subject and its state. */
export const LibraryCell = memo(function LibraryCell({
  job,
  place,
  current,
  chosen,
  onChoose,
  onOpen,
  onFocus,
}: CellProps) {
  useLanguage()
  const title = titleOf(job)
  const state = stateWords[job.state].name
  const kind = kindNames[job.kind]
  const image = job.files.find(({ role, type }) => role === 'made' && type.startsWith('image/'))
  const Sign = signs[job.kind] ?? (job.kind === 'image' ? ImageOff : FileText)
  return (
    <div role="gridcell" aria-selected={chosen} className={classNames(styles.cell, chosen && styles.chosen)}>
      <button
        type="button"
        className={styles.open}
        data-place={place}
        tabIndex={current ? 0 : -1}
        onClick={() => onOpen(job)}
        onFocus={() => onFocus(place)}
      >
        <span className={styles.picture}>
          {image ? (
            <JobMedia job={job} file={image} alt="" thumb />
          ) : (
            <Sign size={28} strokeWidth={1.4} aria-hidden />
          )}
        </span>
        <bdi className={styles.title}>{title}</bdi>
        <span className={styles.line}>
          <span>{job.state === 'done' ? kind : state}</span> <Moment at={job.at} />
        </span>
      </button>
      <input
        type="checkbox"
        className={styles.check}
        checked={chosen}
        tabIndex={-1}
        aria-label={t`Select “${title}”`}
        onChange={() => onChoose(job.id)}
      />
    </div>
  )
})
