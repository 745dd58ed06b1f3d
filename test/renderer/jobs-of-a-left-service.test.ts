import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import type { Job } from '../../src/shared/job.ts'
import type { Status } from '../../src/shared/status.ts'

/** The call that waits for the test's answer. */
let answer: (answer: unknown) => void = () => undefined
const waits = () =>
  new Promise((resolve) => {
    answer = resolve
  })

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { studio: { start: waits, stop: waits, remove: waits, restore: waits } },
}))

const { api } = await import('../../src/renderer/ui/api.ts')
const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState, setScopedState } = await import('../../src/renderer/data/use-answer.ts')
const { knownJobs, showJob, startJob } = await import('../../src/renderer/ui/jobs/jobs-store.ts')
const { removedJobs, removeJobs, takeJobsBack } = await import('../../src/renderer/ui/jobs/removals.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const ask: JobAsk = { kind: 'speech', text: 'Hello' }
const job: Job = {
  id: 'job',
  kind: 'speech',
  ask,
  at: 1,
  changedAt: 1,
  state: 'done',
  pay: 'balance',
  files: [],
  may: [],
  caller: { kind: 'window' },
}
const shown = () => Object.keys(readScopedState(currentScope(), knownJobs))

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
})

describe('a job of a service that was left', () => {
  test.each([
    ['that was begun', () => startJob(ask, 'balance'), job],
    ['that was stopped', () => showJob(api.studio.stop({ jobId: 'job' })), job],
  ])('is none of the next: one %s', async (_, call, answered) => {
    const called = call()
    answer(answered)
    await called
    expect(shown()).toEqual(['job'])
    setScopedState(currentScope(), knownJobs, () => ({}))
    const late = call()
    setStatus(status('two'))
    answer(answered)
    await late
    expect(shown()).toEqual([])
  })

  test('cannot be taken back at the next', async () => {
    const removed = removeJobs([job])
    setStatus(status('two'))
    answer({ removed: ['job'], undoMs: 30_000 })
    await removed
    expect(readScopedState(currentScope(), removedJobs)).toBeNull()
  })

  test('is none of the next where it is taken back', async () => {
    setScopedState(currentScope(), removedJobs, () => ({ first: job, jobIds: ['job'] }))
    const back = takeJobsBack()
    setStatus(status('two'))
    answer([job])
    await back
    expect(shown()).toEqual([])
  })
})
