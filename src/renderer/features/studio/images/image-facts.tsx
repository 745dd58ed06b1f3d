import { t } from '@lingui/core/macro'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { formatBytes } from '../../../ui/format/number.ts'
import { costSentence } from '../../../ui/jobs/price-words.ts'
import styles from './images.module.css'

/**
 * The parameters that images were requested with, next to their model. Omits the parameters that the model
 * chose.
 */
export function ImageChoices({ job: { ask } }: { job: Job }) {
  if (ask.kind !== 'image') return null
  const { seed, quality, size, resolution, outputFormat } = ask
  const facts = [
    ...(seed === undefined ? [] : [t`Seed ${String(seed)}`]),
    quality,
    resolution,
    size,
    outputFormat?.toUpperCase(),
  ].filter((word) => word !== undefined)
  return facts.length === 0 ? null : (
    <p className={styles.facts}>
      {facts.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  )
}

/** All known facts about one image. */
export function ImageFacts({ job, file }: { job: Job; file: JobFile }) {
  const cost = costSentence(job)
  return (
    <>
      <ImageChoices job={job} />
      <p className={styles.facts}>
        {job.ask.kind === 'image' && <code>{job.ask.model}</code>}
        {file.width !== undefined && file.height !== undefined && (
          <span>{`${String(file.width)} × ${String(file.height)}`}</span>
        )}
        <span>{formatBytes(file.bytes)}</span>
        {cost !== undefined && <span>{cost}</span>}
      </p>
    </>
  )
}
