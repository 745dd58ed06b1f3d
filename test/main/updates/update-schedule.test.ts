import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUpdates, type UpdateClient, type UpdatesParts } from '../../../src/main/updates/updates.ts'
import { SottoError } from '../../../src/shared/errors.ts'

const HOUR = 60 * 60_000
let looks: number
let wanted: boolean
const client: UpdateClient = {
  look: () => {
    looks++
    return Promise.reject(new SottoError('update/unreachable'))
  },
  fetch: () => Promise.reject(new Error('nothing to fetch')),
  install: () => undefined,
}
const updates = (changed: Partial<UpdatesParts> = {}) =>
  createUpdates({
    version: '0.1.0',
    support: 'yes',
    hosts: ['releases.example'],
    open: () => Promise.resolve(client),
    verify: () => Promise.reject(new Error('nothing to judge')),
    stored: { now: { seed: '0'.repeat(32), ran: '0.1.0', installing: null }, keep: () => Promise.resolve() },
    wanted: () => wanted,
    leave: () => Promise.resolve(),
    again: () => undefined,
    ...changed,
  })

beforeEach(() => {
  looks = 0
  wanted = true
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('automatic update checks', () => {
  it('begin one minute after the start, and run once a day', async () => {
    using live = updates()
    live.begin()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(looks).toBe(0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(looks).toBe(1)
    await vi.advanceTimersByTimeAsync(23 * HOUR)
    expect(looks).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * HOUR)
    expect(looks).toBe(2)
    expect(live.view()).toMatchObject({ phase: 'idle', failure: { code: 'update/unreachable' } })
  })
  it('continue if the clock was set back', async () => {
    using live = updates()
    live.begin()
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(looks).toBe(1)
    vi.setSystemTime(Date.now() - 1000 * HOUR)
    await vi.advanceTimersByTimeAsync(2 * HOUR)
    expect(looks).toBe(2)
    await vi.advanceTimersByTimeAsync(20 * HOUR)
    expect(looks).toBe(2)
  })
  it('load no update client while they are off, and start within an hour after they are turned on', async () => {
    const open = vi.fn(() => Promise.resolve(client))
    using live = updates({ open })
    wanted = false
    live.begin()
    await vi.advanceTimersByTimeAsync(100 * HOUR)
    expect([open.mock.calls.length, looks, live.hosts()]).toEqual([0, 0, []])
    wanted = true
    await vi.advanceTimersByTimeAsync(HOUR)
    expect([looks, live.hosts()]).toEqual([1, ['releases.example']])
  })
  it.each(['no-address', 'package'] as const)(
    'don’t run if the build doesn’t support them: %s',
    async (support) => {
      const open = vi.fn(() => Promise.resolve(client))
      using live = updates({ support, open })
      live.begin()
      await vi.advanceTimersByTimeAsync(100 * HOUR)
      expect([open.mock.calls.length, live.hosts()]).toEqual([0, []])
      await expect(live.check()).rejects.toMatchObject({ code: 'update/none' })
    },
  )
  it('end with Sotto', async () => {
    const live = updates()
    live.begin()
    live[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(100 * HOUR)
    expect(looks).toBe(0)
  })
  it('load the update client again after a failure', async () => {
    let broken = true
    using live = updates({
      open: () => (broken ? Promise.reject(new Error('not loaded')) : Promise.resolve(client)),
    })
    expect((await live.check()).phase).toBe('idle')
    expect(looks).toBe(0)
    broken = false
    await live.check()
    expect(looks).toBe(1)
  })
  it('run one at a time', async () => {
    using live = updates()
    await Promise.all([live.check(), live.check()])
    expect(looks).toBe(1)
  })
})

describe('after a new version starts', () => {
  const viewAfterStart = (ran: string | null, installing: string | null = null) => {
    const keep = vi.fn(() => Promise.resolve())
    return {
      keep,
      view: updates({ stored: { now: { seed: '0'.repeat(32), ran, installing }, keep } }).view(),
    }
  }
  it('names the previous version until its changes were seen', () => {
    const { view, keep } = viewAfterStart('0.0.9')
    expect([view.updatedFrom, keep.mock.calls]).toEqual(['0.0.9', []])
  })
  it.each([null, '0.2.0', 'not a version'])(
    'names no previous version after %s, and saves the current one',
    (ran) => {
      const { view, keep } = viewAfterStart(ran)
      expect([view.updatedFrom, keep.mock.calls]).toEqual([null, [[{ installing: null, ran: '0.1.0' }]]])
    },
  )
  it('reports that the system did not install it', () => {
    expect(viewAfterStart('0.1.0', '0.2.0').view.failure?.code).toBe('update/not-installed')
    expect(viewAfterStart('0.0.9', '0.1.0').view).toMatchObject({ failure: null, updatedFrom: '0.0.9' })
  })
})
