import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job, JobFile } from '../../../shared/job.ts'
import { FailureNote } from '../failure-note.tsx'
import { canDragOut, dragOut } from './drag-out.ts'
import styles from './job-media.module.css'
import { titleOf } from './job-words.ts'
import { useLink } from './use-link.ts'

interface JobMediaProps {
  job: Job
  file: JobFile
  /** Alternative text for the picture. */
  alt?: string
  /** Small, among others. */
  thumb?: boolean
}

/** Whether the file can be shown or played here. The type comes from the file's bytes, not from its name. */
export function isShown({ type }: Pick<JobFile, 'type'>): boolean {
  return /^(?:image\/(?:png|jpeg|gif|webp|avif)|video\/(?:mp4|webm|quicktime)|audio\/.+)$/.test(type)
}

/** An image, clip or sound of a job. Its address is short-lived and is renewed after it expires. */
export function JobMedia({ job, file, alt = titleOf(job), thumb = false }: JobMediaProps) {
  const { path, failure, renew } = useLink(job.id, file.index)
  if (!isShown(file))
    return (
      <p className={styles.plain}>
        <Trans>Sotto can’t safely display this file. You can still save it.</Trans>
      </p>
    )
  if (failure)
    return thumb ? (
      <span className={styles.frame} role="img" aria-label={alt} />
    ) : (
      <FailureNote failure={failure} isSaved />
    )
  if (path === undefined) return <span className={styles.frame} role="status" aria-label={t`Loading…`} />
  if (file.type.startsWith('image/')) {
    return (
      <img
        className={thumb ? styles.thumb : styles.image}
        src={path}
        alt={alt}
        {...(file.width !== undefined && file.height !== undefined
          ? { width: file.width, height: file.height }
          : {})}
        loading="lazy"
        decoding="async"
        draggable={canDragOut()}
        onDragStart={(event) => dragOut(event, file, path)}
        onError={renew}
      />
    )
  }
  if (file.type.startsWith('video/'))
    return (
      <video
        className={styles.video}
        src={path}
        controls={!thumb}
        preload="metadata"
        aria-label={alt}
        onError={renew}
      />
    )
  return (
    <audio className={styles.audio} src={path} controls preload="metadata" aria-label={alt} onError={renew} />
  )
}
