import { expect, test, vi } from 'vitest'
import type { Job } from '../../src/shared/job.ts'
import { draw } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/ui/announcer.tsx', () => ({ announce: () => undefined }))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {} }))
vi.mock('../../src/renderer/ui/jobs/upload.ts', () => ({ uploadFile: (file: File) => Promise.resolve({ uploadId: `upload of ${file.name}`, bytes: file.size, type: 'image/png' }) }))

const { useGivenFile } = await import('../../src/renderer/ui/jobs/use-given-file.ts')

const settled = () => new Promise(setImmediate)
const jobOf = (name: string): Job => ({ id: `job of ${name}`, kind: 'image', ask: { kind: 'image', model: 'open/images' }, at: 1, changedAt: 1, state: 'sending', pay: 'balance', files: [{ index: 0, role: 'given', name, type: 'image/png', bytes: 1 }], may: [], caller: { kind: 'window' } })

test('a job has its own file alone: one that was chosen while it was being sent stays what it is', async () => {
  const given = draw(() => useGivenFile())
  given.shown().take(new File(['a'], 'a.png'))
  await settled()
  const { usedBy } = given.shown()
  given.shown().take(new File(['b'], 'b.png'))
  await settled()
  usedBy(jobOf('a.png'))
  expect(given.shown().picked).toMatchObject({ state: 'taken', name: 'b.png', given: { uploadId: 'upload of b.png' } })
})

test('a file that a job has is that job’s from then on', async () => {
  const given = draw(() => useGivenFile())
  given.shown().take(new File(['a'], 'a.png'))
  await settled()
  given.shown().usedBy(jobOf('a.png'))
  expect(given.shown().picked).toEqual({ state: 'taken', name: 'a.png', given: { jobId: 'job of a.png', index: 0 } })
})
