import { expect, test, vi } from 'vitest'
import type { BatchRow } from '../../src/shared/job-rows.ts'
import type { Job } from '../../src/shared/job.ts'
import { draw, elements } from './drawn-hook.ts'

const row = vi.fn<() => Promise<unknown>>()

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/ui/api.ts', () => ({ inDesktop: true, api: { studio: { row: () => row() } } }))
vi.mock('../../src/renderer/ui/receipt-store.ts', () => ({}))
vi.mock('../../src/renderer/features/data/results/answer-view.tsx', () => ({ AnswerView: () => null }))

const { RowDetail } = await import('../../src/renderer/features/data/batch/row-detail.tsx')

const settled = () => new Promise(setImmediate)
const answered: BatchRow = { index: 0, state: 'sending', cells: ['Bern'] }
const job: Job = { id: 'job', kind: 'batch', ask: { kind: 'embedding', model: 'open/e', source: { form: 'lines', file: { file: 0 } } }, at: 1, changedAt: 1, state: 'sending', pay: 'balance', files: [], may: [], caller: { kind: 'window' } }

test('a row that could be read again says no longer that it could not', async () => {
  const given = { job }
  row.mockRejectedValueOnce(new TypeError('fetch failed'))
  const detail = draw(() => RowDetail({ job: given.job, index: 0, columns: ['Place'], onClose: () => undefined }))
  const failed = () => [...elements(detail.shown())].some((each) => 'failure' in each)
  await settled()
  expect(failed()).toBe(true)
  given.job = { ...job, changedAt: 2000 }
  row.mockResolvedValueOnce(answered)
  detail.again()
  await settled()
  expect(failed()).toBe(false)
})
