import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { Jobs, type PublicJob } from '../../../src/core/jobs/jobs.ts'
import { KEY } from '../storage/examples.ts'
import { job } from '../storage/job-examples.ts'

test('a later state of a job always has a later change time, even if the clock is set back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 8 }),
      (clocks) => {
        const start = 1_800_000_000_000
        let now = start
        const store = createStore({ folder: null, key: KEY, now: () => now })
        try {
          const jobs = new Jobs(store.jobs, () => now)
          const notified: PublicJob[] = []
          jobs.onChange(({ job: one }) => {
            if (one) notified.push(one)
          })
          jobs.put(job('a', { changedAt: start }))
          for (const clock of clocks) {
            now = start + clock
            jobs.put(jobs.of('a'))
          }
          const changes = notified.map(({ changedAt }) => changedAt)
          expect(changes).toHaveLength(clocks.length + 1)
          expect(changes).toEqual([...new Set(changes)].toSorted((a, b) => a - b))
          expect(store.jobs.get('a')?.changedAt).toBe(changes.at(-1))
        } finally {
          store.close()
        }
      },
    ),
  )
})
