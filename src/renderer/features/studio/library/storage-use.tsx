import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { JobKind } from '../../../../shared/job-ask.ts'
import { api } from '../../../ui/api.ts'
import { formatBytes } from '../../../ui/format/number.ts'
import { kindNames } from '../../../ui/jobs/job-words.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { useService } from '../../../ui/status-store.ts'
import styles from './library.module.css'

type Usage = readonly { readonly kind: JobKind; readonly files: number; readonly bytes: number }[]

/** How much of the disk what was made takes, by kind. */
export function StorageUse() {
  const service = useService()
  const [usage, setUsage] = useState<Usage>()
  // Another when something was made, ended or removed.
  const known = useJobs(({ jobs }) =>
    Object.values(jobs)
      .map(({ id, files }) => `${id}${String(files.length)}`)
      .join(),
  )
  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => {
      api.studio.usage(undefined, { signal: left.signal }).then(
        (answer) => {
          if (!left.signal.aborted) setUsage(answer)
        },
        () => {
          if (!left.signal.aborted) setUsage(undefined)
        },
      )
    }, 200)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [known, service])
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
