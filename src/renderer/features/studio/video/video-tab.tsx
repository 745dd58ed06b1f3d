import { t } from '@lingui/core/macro'
import { Clapperboard } from 'lucide-react'
import type { Job } from '../../../../shared/job.ts'
import { useJobModels } from '../../../data/listings.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useGivenFile } from '../../../ui/jobs/use-given-file.ts'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { VideoCard } from './video-card.tsx'
import { useVideoDraft } from './video-draft.ts'
import { VideoForm } from './video-form.tsx'
import styles from './video.module.css'

/**
 * Videos from a prompt or from an image. Each video is submitted, continues automatically, and is played
 * here.
 */
export function VideoTab() {
  const { data: models, failure, refresh: again } = useJobModels('video')
  const image = useGivenFile()
  const list = useJobList(['video'])
  const reuse = ({ id, ask }: Job) => {
    if (ask.kind !== 'video') return
    const { model, prompt, aspectRatio = '', duration = '', quality = '', extra } = ask
    useVideoDraft.setState({
      model,
      prompt,
      aspectRatio,
      duration,
      quality,
      keepMetadata: false,
      extra: extra ? JSON.stringify(extra, null, 2) : '',
    })
    if (ask.image && 'file' in ask.image)
      image.use({ jobId: id, index: ask.image.file }, t`Previous starting image`)
    else image.clear()
    document.querySelector<HTMLElement>('[data-video-form] textarea')?.focus()
  }
  return (
    <div data-video-form>
      {failure && <FailureNote failure={failure} className={styles.failure} onRetry={again} />}
      <VideoForm models={models ?? (failure ? [] : undefined)} image={image} onStarted={() => undefined} />
      <JobList
        label={t`Videos`}
        list={list}
        nothing={{
          icon: Clapperboard,
          title: t`No videos yet`,
          description: t`Generating one takes a few minutes and continues if you leave.`,
        }}
      >
        {(job) => <VideoCard job={job} onReuse={reuse} />}
      </JobList>
    </div>
  )
}
