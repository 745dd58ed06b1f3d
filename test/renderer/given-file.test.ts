// @vitest-environment happy-dom
import { act, renderHook, type RenderHookResult } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Job } from '../../src/shared/job.ts'
import type { GivenFileState } from '../../src/renderer/ui/jobs/use-given-file.ts'
import { settled } from './in-page.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: { upload: { begin: ({ name }: { name: string }) => Promise.resolve({ path: `/${name}` }) } },
  },
}))
/** The core accepts every upload. */
vi.stubGlobal(
  'XMLHttpRequest',
  class extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = 200
    responseText = ''
    open(_method: string, path: string): void {
      this.responseText = JSON.stringify({
        uploadId: `upload of ${path.slice(1)}`,
        bytes: 1,
        type: 'image/png',
      })
    }

    send(): void {
      this.dispatchEvent(new Event('load'))
    }
  },
)

const { useGivenFile } = await import('../../src/renderer/ui/jobs/use-given-file.ts')

const jobOf = (name: string): Job => ({
  id: `job of ${name}`,
  kind: 'image',
  ask: { kind: 'image', model: 'open/images' },
  at: 1,
  changedAt: 1,
  state: 'sending',
  pay: 'balance',
  files: [{ index: 0, role: 'given', name, type: 'image/png', bytes: 1 }],
  may: [],
  caller: { kind: 'window' },
})

async function take({ result }: RenderHookResult<GivenFileState, unknown>, name: string): Promise<void> {
  act(() => result.current.take(new File(['a'], name)))
  await settled()
}

test('a file chosen while a job is being sent is not replaced by that job’s file', async () => {
  const hook = renderHook(() => useGivenFile())
  await take(hook, 'a.png')
  const { usedBy } = hook.result.current
  await take(hook, 'b.png')
  act(() => usedBy(jobOf('a.png')))
  expect(hook.result.current.picked).toMatchObject({
    state: 'taken',
    name: 'b.png',
    source: { uploadId: 'upload of b.png' },
  })
})

test('a file used by a job refers to the job’s copy from then on', async () => {
  const hook = renderHook(() => useGivenFile())
  await take(hook, 'a.png')
  act(() => hook.result.current.usedBy(jobOf('a.png')))
  expect(hook.result.current.picked).toEqual({
    state: 'taken',
    name: 'a.png',
    source: { jobId: 'job of a.png', index: 0 },
  })
})
