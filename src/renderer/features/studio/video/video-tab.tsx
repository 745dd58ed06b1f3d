import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Job } from '../../../../shared/job.ts'
import type { Model } from '../../../../shared/model.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useGivenFile } from '../../../ui/jobs/use-given-file.ts'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { useService } from '../../../ui/status-store.ts'
import { VideoCard } from './video-card.tsx'
import { useVideoDraft } from './video-draft.ts'
import { ModelsFailed, VideoForm } from './video-form.tsx'
import styles from './video.module.css'

/** Clips from words or from an image: each is submitted, goes on by itself, and is watched here. */
export function VideoTab() {
  const { models, failure, again } = useVideoModels()
  const image = useGivenFile()
  const list = useJobList(['video'])
  const reuse = ({ id, ask }: Job) => {
    if (ask.kind !== 'video') return
    const { model, prompt, aspectRatio = '', duration = '', quality = '', extra } = ask
    useVideoDraft.setState({ model, prompt, aspectRatio, duration, quality, keepMetadata: false, extra: extra ? JSON.stringify(extra, null, 2) : '' })
    if (ask.image && 'file' in ask.image) image.use({ jobId: id, index: ask.image.file }, t`The image of that clip`)
    else image.clear()
    document.querySelector<HTMLElement>('[data-video-form] textarea')?.focus()
  }
  return (
    <div className={styles.tab} data-video-form>
      {failure && <ModelsFailed failure={failure} again={again} />}
      <VideoForm models={models ?? (failure ? [] : undefined)} image={image} onStarted={() => undefined} />
      <JobList label={t`Clips`} list={list} nothing={t`No clip was made yet. It takes a few minutes, and goes on when you leave.`}>
        {(job) => <VideoCard job={job} onReuse={reuse} />}
      </JobList>
    </div>
  )
}

/** As listed; asked for again where the listing could not be had. */
function useVideoModels(): { readonly models: readonly Model[] | undefined; readonly failure: Failure | undefined; readonly again: () => void } {
  const service = useService()
  const [turn, setTurn] = useState(0)
  const asked = `${service ?? ''} ${String(turn)}`
  const [known, setKnown] = useState<{ readonly asked: string; readonly models?: readonly Model[]; readonly failure?: Failure }>()
  useEffect(() => {
    const left = new AbortController()
    api.studio.models({ types: ['video'] }, { signal: left.signal }).then(
      (models) => { if (!left.signal.aborted) setKnown({ asked, models }) },
      (thrown: unknown) => { if (!left.signal.aborted) setKnown({ asked, failure: asFailure(thrown) }) },
    )
    return () => left.abort()
  }, [asked])
  const current = known?.asked === asked ? known : undefined
  return { models: current?.models, failure: current?.failure, again: () => setTurn((before) => before + 1) }
}
