import { plural, t } from '@lingui/core/macro'
import { useAnswer } from '../../../data/use-answer.ts'
import { pause } from '../../../data/watch.ts'
import { api } from '../../../ui/api.ts'
import { formatBytes } from '../../../ui/format/number.ts'
import { kindNames } from '../../../ui/jobs/job-words.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import styles from './library.module.css'

/** The disk space that the library's files use, by kind. */
export function StorageUse() {
  // The key changes when a job is created, ends or is removed.
  const known = Object.values(useJobs())
    .map(({ id, files }) => `${id}${String(files.length)}`)
    .join()
  const { data: usage } = useAnswer(
    {
      key: ['storage-use', known],
      ask: async ({ signal }) => {
        await pause(200, signal)
        signal.throwIfAborted()
        return api.studio.usage(undefined, { signal })
      },
    },
    { keepPrevious: true, transient: true },
  )
  if (!usage || usage.length === 0) return null
  const total = usage.reduce((sum, { bytes }) => sum + bytes, 0)
  const files = usage.reduce((sum, each) => sum + each.files, 0)
  const space = formatBytes(total)
  return (
    <div className={styles.usage} data-testid="usage">
      <p>
        {plural(files, {
          one: `${space} on this computer in # file`,
          other: `${space} on this computer in # files`,
        })}
      </p>
      <ul className={styles.kinds}>
        {usage
          .filter(({ bytes }) => bytes > 0)
          .map(({ kind, bytes }) => (
            <li key={kind}>{t`${kindNames[kind]}: ${formatBytes(bytes)}`}</li>
          ))}
      </ul>
    </div>
  )
}
