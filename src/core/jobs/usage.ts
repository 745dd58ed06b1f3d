import { jobKinds, type JobKind } from '../../shared/job-ask.ts'
import type { Store } from '../storage/index.ts'

/** The storage used by jobs of one kind. */
export interface KindUsage {
  readonly kind: JobKind
  readonly jobs: number
  readonly files: number
  /** The total size of the files as they are referenced. A file that two jobs reference is stored once. */
  readonly bytes: number
}

const PAGE = 500

/** The storage used on this computer, by kind of job. */
export function usageOf(store: Store['jobs']): KindUsage[] {
  const sums = new Map(jobKinds.map((kind) => [kind, { jobs: 0, files: 0, bytes: 0 }]))
  for (let before: number | undefined; ;) {
    const page = store.list({ ...(before !== undefined && { before }), limit: PAGE })
    for (const {
      place,
      job: { ask, files },
    } of page) {
      before = place
      const sum = sums.get(ask.kind)
      if (!sum) continue
      sum.jobs += 1
      sum.files += files.length
      for (const { bytes } of files) sum.bytes += bytes
    }
    if (page.length < PAGE) return [...sums].map(([kind, sum]) => ({ kind, ...sum }))
  }
}
