import { expect, test } from 'vitest'
import { BatchBook } from '../../../src/core/jobs/batch/batch-book.ts'
import { Jobs } from '../../../src/core/jobs/jobs.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY } from '../storage/examples.ts'
import { job } from '../storage/job-examples.ts'

const HOUR = 3_600_000

test('the progress of a batch is written at intervals, also after the clock was set back', () => {
  let time = 1_800_000_000_000
  const now = (): number => time
  const store = createStore({ folder: null, key: KEY, now })
  try {
    const jobs = new Jobs(store.jobs, now)
    jobs.put(job('a', { parts: { of: 5, done: 0 } }))
    const book = new BatchBook('a', { jobs, parts: store.jobParts, now })
    let row = 0
    const doneAfter = (passed: number): number | undefined => {
      time += passed
      book.put({ part: row++, state: 'done' })
      return jobs.of('a').rows?.done
    }
    expect([doneAfter(0), doneAfter(100), doneAfter(400)]).toEqual([1, 1, 3])
    expect([doneAfter(-HOUR), doneAfter(100)]).toEqual([4, 4])
  } finally {
    store.close()
  }
})
