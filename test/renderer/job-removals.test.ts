import { expect, test, vi } from 'vitest'
import type { Job } from '../../src/shared/job.ts'

/** The call that waits for the test's answer. */
let answer: (answer: unknown) => void = () => undefined
const waits = () =>
  new Promise((resolve) => {
    answer = resolve
  })

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { studio: { remove: waits, restore: waits } } }))

const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState, setScopedState } = await import('../../src/renderer/data/use-answer.ts')
const { removedJobs, removeJobs, takeJobsBack } = await import('../../src/renderer/ui/jobs/removals.ts')

const job: Job = {
  id: 'job',
  kind: 'speech',
  ask: { kind: 'speech', text: 'Hello' },
  at: 1,
  changedAt: 1,
  state: 'done',
  pay: 'balance',
  files: [],
  may: [],
  caller: { kind: 'window' },
}

test('what is deleted while something else is being taken back can be taken back too', async () => {
  setScopedState(currentScope(), removedJobs, () => ({ first: job, jobIds: ['job'] }))
  const back = takeJobsBack()
  const restored = answer
  const removed = removeJobs([{ ...job, id: 'other' }])
  answer({ removed: ['other'], undoMs: 30_000 })
  await removed
  restored([job])
  await back
  expect(readScopedState(currentScope(), removedJobs)?.jobIds).toEqual(['other'])
})
