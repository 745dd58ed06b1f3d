// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { BatchRow } from '../../src/shared/job-rows.ts'
import type { Job } from '../../src/shared/job.ts'
import { drawInPage, settled } from './in-page.ts'

const row = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({ inDesktop: true, api: { studio: { row: () => row() } } }))

const { RowDetail } = await import('../../src/renderer/features/data/batch/row-detail.tsx')

const answered: BatchRow = { index: 0, state: 'sending', cells: ['Bern'] }
const job: Job = {
  id: 'job',
  kind: 'batch',
  ask: { kind: 'embedding', model: 'open/e', source: { form: 'lines', file: { file: 0 } } },
  at: 1,
  changedAt: 1,
  state: 'sending',
  pay: 'balance',
  files: [],
  may: [],
  caller: { kind: 'window' },
}
const detail = (of: Job) =>
  createElement(RowDetail, { job: of, index: 0, columns: ['Place'], onClose: () => undefined })
const failed = () => screen.queryByRole('alert') !== null

test('a row that loads on a later try no longer shows the error', async () => {
  row.mockRejectedValueOnce(new TypeError('fetch failed'))
  const drawn = drawInPage(detail(job))
  await settled()
  expect(failed()).toBe(true)
  row.mockResolvedValueOnce(answered)
  drawn.rerender(detail({ ...job, changedAt: 2000 }))
  await settled()
  expect(failed()).toBe(false)
  expect(screen.getByRole('definition').textContent).toBe('Bern')
})
