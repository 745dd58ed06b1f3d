import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createJobs, type StudioService } from '../../../src/core/jobs/index.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import type { PayWay } from '../../../src/shared/job.ts'
import { msg } from '../../../src/shared/localized-text.ts'
import { VirtualClock } from '../payments/virtual-clock.ts'
import { KEY } from '../storage/examples.ts'
import { png } from './image-bytes.ts'
import {
  BRUSH,
  bytesOf,
  codeOf,
  get,
  make,
  start,
  startStudioWorld,
  until,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'

const VIDEO = 'sandbox/carosello-video'
const FROM_IMAGE = 'sandbox/giostra-image-to-video'

describe.each([
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const)('videos, Revision %s, %s', (revision, pay: PayWay) => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld(revision, pay)
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    world.clock.ahead = 0
  })

  it('are submitted, polled and saved with their final cost', async () => {
    const job = await start(world, {
      kind: 'video',
      model: VIDEO,
      prompt: 'an otter swims',
      duration: '5',
      quality: '720p',
      aspectRatio: '1:1',
    })
    expect(job.estimate).toEqual({ least: '402500000000', most: '402500000000' })
    if (pay === 'single') await world.call('studio/pay', { jobId: job.id })
    await until(world, job.id, 'working').catch(() => undefined)
    expect((await get(world, job.id)).remoteId).toMatch(/^gen_/)
    await expect
      .poll(
        async () => {
          if ((await get(world, job.id)).may.includes('poll'))
            await world.call('studio/poll', { jobId: job.id })
          return (await get(world, job.id)).state
        },
        { timeout: 40_000 },
      )
      .toBe('done')
    const done = await get(world, job.id)
    expect(done.files).toMatchObject([
      { role: 'answer' },
      { index: 1, role: 'made', type: 'video/mp4', name: 'an-otter-swims-1.mp4' },
    ])
    if (pay === 'balance') expect(done.cost).toBe('402500000000')
    expect((await bytesOf(world, job.id, 1)).length).toBe(done.files[1]?.bytes)
    world.clock.ahead += 25 * 3_600_000
    expect((await bytesOf(world, job.id, 1)).length).toBe(done.files[1]?.bytes)
  }, 60_000)

  it('refuse a parameter that is set twice, and send nothing', async () => {
    expect(
      codeOf(await start(world, { kind: 'video', model: VIDEO, prompt: 'x', extra: { duration: '5' } })),
    ).toBe('studio/parameter-clash')
    expect(codeOf(await start(world, { kind: 'video', model: 'private/x', prompt: 'x' }))).toBe(
      'privacy/path',
    )
  })

  if (revision === 'B') {
    it('start from an image of the gallery or an uploaded one', async () => {
      const image = await make(world, { kind: 'image', model: BRUSH, prompt: 'an otter' })
      for (const source of [{ jobId: image.id, index: 1 }, await uploaded(world, 'a.png', png(32, 32))]) {
        const job = await start(world, {
          kind: 'video',
          model: FROM_IMAGE,
          prompt: 'it swims',
          image: source,
        })
        expect(codeOf(job)).toBe('not refused')
        if (pay === 'single') await world.call('studio/pay', { jobId: job.id })
        await expect.poll(async () => (await get(world, job.id)).remoteId).toBeDefined()
      }
    }, 60_000)
  }
})

describe('a video in progress', () => {
  const START = 1_800_000_000_000
  const never = new AbortController().signal
  const payer = {
    get: () => null,
    decline: () => {
      throw new Error('nothing is paid')
    },
    pay: () => Promise.reject(new Error('nothing is paid')),
    retry: () => Promise.reject(new Error('nothing is paid')),
    settled: () => Promise.reject(new Error('nothing is paid')),
    changes: async function* () {
      yield* await Promise.resolve([])
    },
  }

  function open(clock: VirtualClock, store: ReturnType<typeof createStore>, service: Partial<StudioService>) {
    const whole: StudioService = {
      revision: 'B',
      accountId: () => 'account',
      open: () =>
        Promise.resolve({
          privacy: 'forwarded',
          receiptId: 'r',
          timing: { addedMs: 0, proofMs: 0, sealMs: 0, upstreamMs: 0 },
          receipt: () => undefined,
          status: 202,
          contentType: 'application/json',
          body: streamBody({ id: 'gen_1', status: 'pending', estimated_cost: 0.4 }),
        }),
      quote: () => Promise.reject(new Error('not here')),
      estimate: () => Promise.resolve('unknown'),
      look: () => Promise.reject(new Error('not here')),
      fetchOwn: () => Promise.resolve({ status: 200, contentType: 'video/mp4', body: streamBody('clip') }),
      history: () => Promise.resolve({ records: [], pages: 1 }),
      ...service,
    }
    return createJobs({
      store,
      spool: { open: () => Promise.reject(new Error('not here')) },
      service: whole,
      payer,
      removeMetadata: (bytes) => bytes,
      now: clock.now,
      wait: clock.wait,
    })
  }
  async function* streamBody(value: unknown): AsyncGenerator<Uint8Array, void> {
    yield await Promise.resolve(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
  }
  const state = (status: number, more: object) =>
    Promise.resolve({ status, contentType: 'application/json', body: streamBody({ id: 'gen_1', ...more }) })
  const begin = (studio: ReturnType<typeof open>) =>
    studio.start({
      ask: { kind: 'video', model: 'm', prompt: 'p' },
      pay: 'balance',
      caller: { kind: 'window' },
      signal: never,
    })

  it('is polled every 5 seconds, later every 10, until it is done', async () => {
    const clock = new VirtualClock(START)
    let asked = 0
    const studio = open(clock, createStore({ folder: null, key: KEY, now: clock.now }), {
      look: () =>
        ++asked < 20
          ? state(202, { status: 'pending' })
          : state(200, { status: 'completed', data: { url: 'own' }, cost: 0.4025 }),
    })
    const { id } = await begin(studio)
    await clock.until(() => studio.jobs.of(id).state === 'done')
    expect(clock.waits).toEqual([...Array<number>(12).fill(5000), ...Array<number>(8).fill(10_000)])
    expect(studio.jobs.of(id)).toMatchObject({ cost: '402500000000', files: [{ index: 0 }, { index: 1 }] })
  })

  it('is polled by the next process, and at once after sleep, but not for another account', async () => {
    const clock = new VirtualClock(START)
    const store = createStore({ folder: null, key: KEY, now: clock.now })
    let [asked, account, done] = [0, 'account', false]
    const look = () => (
      asked++,
      done ? state(200, { status: 'completed', data: { url: 'own' } }) : state(202, { status: 'pending' })
    )
    const first = open(clock, store, { look })
    const { id } = await begin(first)
    await clock.until(() => first.jobs.of(id).state === 'working' && asked > 1)
    await first[Symbol.asyncDispose]()
    expect(first.jobs.of(id).state).toBe('working')
    account = 'another'
    const second = open(clock, store, { look, accountId: () => account })
    const before = asked
    second.resumeAll()
    await clock.pass(60_000)
    expect(asked).toBe(before)
    account = 'account'
    done = true
    second.wake()
    await expect.poll(() => second.jobs.of(id).state).toBe('done')
    expect(asked).toBe(before + 1)
    await second[Symbol.asyncDispose]()
  })

  it('that failed shows the service’s message', async () => {
    const clock = new VirtualClock(START)
    for (const error of ['too\nshort', { message: 'too short' }, { error: { message: 'too short' } }]) {
      const studio = open(clock, createStore({ folder: null, key: KEY, now: clock.now }), {
        look: () => state(200, { status: 'failed', error }),
      })
      const { id } = await begin(studio)
      await clock.until(() => studio.jobs.of(id).state === 'failed')
      expect(studio.jobs.of(id).failure).toEqual({
        code: 'studio/video-failed',
        detail: msg('The service’s message: “{words}”.', { words: 'too short' }),
      })
    }
  })

  it('whose URL has expired is polled once more, and is lost with its cost if that fails', async () => {
    const clock = new VirtualClock(START)
    let asked = 0
    const gone = open(clock, createStore({ folder: null, key: KEY, now: clock.now }), {
      look: () => (asked++, state(200, { status: 'completed', data: { url: 'own' }, cost: 0.4 })),
      fetchOwn: () => Promise.reject(new SottoError('service/key-refused')),
    })
    const { id: lost } = await begin(gone)
    await clock.until(() => gone.jobs.of(lost).state === 'lost')
    expect([asked, gone.jobs.of(lost).cost]).toEqual([2, '400000000000'])
  })
})
