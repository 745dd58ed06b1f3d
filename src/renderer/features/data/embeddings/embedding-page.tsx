import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { embeddingExportForms } from '../../../../shared/job-export-forms.ts'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatExactUsd } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import { JobActions } from '../../../ui/jobs/job-card.tsx'
import { JobCompare } from '../../../ui/jobs/job-compare.tsx'
import { showJob } from '../../../ui/jobs/jobs-store.ts'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { saveLinked } from '../../../ui/save-file.ts'
import { Select } from '../../../ui/select.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useNow } from '../../../ui/use-now.ts'
import { showEmbedding } from './embedding-store.ts'
import { embeddingState, embeddingTitle, textsDone } from './embedding-words.ts'
import kept from '../kept.module.css'
import styles from './embeddings.module.css'
import { SimilarityViews } from './similarity-views.tsx'
import { useVectors } from './use-vectors.ts'

/** One embedding: its progress, its cost, the similarity of its vectors, and its current actions. */
export function EmbeddingPage({ job }: { job: Job }) {
  const title = useRef<HTMLHeadingElement>(null)
  const { name, means } = embeddingState(job)
  useEffect(() => {
    title.current?.focus()
  }, [])
  return (
    <div className={styles.tab}>
      <p>
        <Button onClick={() => showEmbedding(null)}>
          <ArrowLeft size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Back to embeddings</Trans>
        </Button>
      </p>
      <header className={kept.head}>
        <h2 ref={title} tabIndex={-1} className={kept.title}>
          {embeddingTitle(job)}
        </h2>
        <span className={kept.state} role="status">
          {name}
        </span>
      </header>
      {means !== undefined && !(job.failure && job.state === 'failed') && (
        <p className={styles.quiet}>{means}</p>
      )}
      <Progress job={job} />
      {/* The text above already explains an unknown outcome. */}
      {job.failure && job.state !== 'unknown' && <FailureNote failure={job.failure} isSaved />}
      {job.may.includes('compare') && <JobCompare jobId={job.id} />}
      <JobActions job={job} more={job.may.includes('pause') && <Pause jobId={job.id} />} />
      <About job={job} />
      {(job.vectors?.count ?? 0) > 0 && <SaveVectors job={job} />}
      <Seen job={job} />
    </div>
  )
}

function Progress({ job }: { job: Job }) {
  const now = useNow(1000)
  const { of, done } = job.parts ?? { of: 1, done: 0 }
  const elapsed = formatDuration(now - (job.sentAt ?? job.at))
  return (
    <div className={kept.progress}>
      <progress value={done} max={Math.max(of, 1)} aria-label={t`Texts completed`} />
      <p className={styles.quiet} data-testid="texts-done">
        {textsDone(job)}
        {!hasEnded(job.state) && <> · {elapsed}</>}
      </p>
    </div>
  )
}

function Pause({ jobId }: { jobId: string }) {
  const pause = useAction(async () => {
    await showJob(api.studio.pause({ jobId }))
    announce(t`Pausing: waiting for requests in progress`)
  })
  return (
    <>
      <Button onClick={() => void pause.run()} busy={pause.busy && t`Pausing…`}>
        <Trans>Pause</Trans>
      </Button>
      {pause.failure && <FailureNote failure={pause.failure} />}
    </>
  )
}

function About({ job }: { job: Job }) {
  const { ask, vectors } = job
  if (ask.kind !== 'embedding') return null
  return (
    <Facts>
      <Fact name={t`Cost`}>
        <span data-testid="embedding-cost">
          {job.cost === undefined ? t`not available yet` : formatExactUsd(job.cost)}
        </span>
      </Fact>
      <Fact name={t`Model`}>
        <code>{ask.model}</code>
      </Fact>
      {vectors && <Fact name={t`Dimensions`}>{formatCount(vectors.dimensions)}</Fact>}
      <Fact name={t`Started`}>
        <Moment at={job.at} exact />
      </Fact>
      <Fact name={t`Who can read it`}>
        <PrivacyMark privacy="forwarded" />
      </Fact>
    </Facts>
  )
}

const formNames = {
  get csv() {
    return t`Save as CSV`
  },
  get json() {
    return t`Save as JSON`
  },
  get npy() {
    return t`Save as NPY`
  },
  get parquet() {
    return t`Save as Parquet`
  },
}

function SaveVectors({ job: { id: jobId } }: { job: Job }) {
  const [form, setForm] = useState<(typeof embeddingExportForms)[number]>('csv')
  const save = useAction(async () => {
    const { path, name } = await api.studio.results({ jobId, format: form })
    await saveLinked(name, path)
  })
  return (
    <>
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.actions}>
        <Select
          aria-label={t`File format`}
          value={form}
          onChange={({ target }) =>
            setForm(embeddingExportForms.find((each) => each === target.value) ?? 'csv')
          }
        >
          {embeddingExportForms.map((each) => (
            <option key={each} value={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </Select>
        <Button onClick={() => void save.run()} busy={save.busy && t`Saving…`}>
          {formNames[form]}
        </Button>
      </div>
    </>
  )
}

/** While texts are still being sent, partial results aren't drawn, because every part would redraw them. */
function Seen({ job }: { job: Job }) {
  const count = hasEnded(job.state) ? (job.vectors?.count ?? 0) : 0
  const vectors = useVectors(job.id, count)
  if (vectors.state === 'none')
    return (
      <p className={styles.quiet}>
        {hasEnded(job.state)
          ? t`No vectors were created.`
          : t`Nearest neighbors, similarity, and the map appear here when it’s done or paused.`}
      </p>
    )
  if (vectors.state === 'failed') return <FailureNote failure={vectors.failure} onRetry={vectors.again} />
  if (vectors.state === 'reading')
    return (
      <p className={styles.quiet} role="status">
        {openingWords(vectors)}
      </p>
    )
  return <SimilarityViews vectors={vectors.vectors} />
}

function openingWords({ read, of }: { read: number; of: number }): string {
  const opened = formatCount(read)
  return plural(of, { one: `Loading ${opened} of # vector…`, other: `Loading ${opened} of # vectors…` })
}
