import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  actionsOf,
  createJobs,
  type Studio,
  type StudioOptions,
  type StudioService,
} from '../../../src/core/jobs/index.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import type { SpooledBytes } from '../../../src/core/storage/spool.ts'
import { writeWave } from '../../../src/sandbox/audio/wave.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import type { JobAsk } from '../../../src/shared/job-ask.ts'
import type { JobRecord } from '../../../src/shared/job-record.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { VirtualClock } from '../payments/virtual-clock.ts'
import { KEY } from '../storage/examples.ts'

const COST = '11500000000'
const never = new AbortController().signal
const payer: StudioOptions['payer'] = {
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
const image: JobAsk = { kind: 'image', model: 'm', prompt: 'an otter' }
const video: JobAsk = { kind: 'video', model: 'm', prompt: 'an otter' }

async function* streamBody(value: unknown): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
}

/** The job request, or a function that creates it from files that it uploads. */
type Asked = JobAsk | ((studio: Studio) => JobAsk | Promise<JobAsk>)

let clock: VirtualClock
let store: Store
let studios: Studio[]
/** The service's answer, the number of requests sent to it, and its answer about a clip. */
let answer: unknown
let sent: number
let clip: unknown
beforeEach(() => {
  clock = new VirtualClock(1_800_000_000_000)
  store = createStore({ folder: null, key: KEY, now: clock.now })
  studios = []
  answer = { data: [{ url: 'own' }] }
  sent = 0
  clip = { id: 'gen_1', status: 'completed', data: { url: 'own' } }
})
afterEach(async () => {
  for (const studio of studios) await studio[Symbol.asyncDispose]()
  store.close()
})

const receipt: Receipt = {
  id: 'r',
  at: 1,
  caller: { kind: 'window' },
  service: 'service',
  model: 'm',
  path: '/v1',
  privacy: 'forwarded',
  outcome: 'complete',
  bytesSent: 1,
  bytesReceived: 1,
  cost: COST,
}
const service: StudioService = {
  revision: 'B',
  accountId: () => 'account',
  estimate: () => Promise.resolve('unknown'),
  history: () => Promise.resolve({ records: [], pages: 1 }),
  open() {
    sent++
    return Promise.resolve({
      privacy: 'forwarded',
      receiptId: 'r',
      timing: { addedMs: 0, proofMs: 0, sealMs: 0, upstreamMs: 0 },
      receipt: () => receipt,
      status: 200,
      contentType: 'application/json',
      body: streamBody(answer),
    })
  },
  quote: () => Promise.reject(new Error('nothing is paid')),
  look: () => Promise.resolve({ status: 200, contentType: 'application/json', body: streamBody(clip) }),
  fetchOwn: () =>
    Promise.resolve({ status: 200, contentType: 'image/png', body: streamBody('what was made') }),
}

function open(
  changes: { readonly jobs?: Partial<Store['jobs']>; readonly jobFiles?: Partial<Store['jobFiles']> } = {},
): Studio {
  const { jobParts, deliveredFiles, receipts } = store
  const studio = createJobs({
    store: {
      jobs: { ...store.jobs, ...changes.jobs },
      jobFiles: { ...store.jobFiles, ...changes.jobFiles },
      jobParts,
      deliveredFiles,
      receipts,
    },
    spool: { open: () => Promise.resolve(spooled()) },
    service,
    payer,
    removeMetadata: (bytes) => bytes,
    now: clock.now,
    wait: clock.wait,
  })
  studios.push(studio)
  return studio
}
const begin = async (studio: Studio, ask: Asked): Promise<string> =>
  (
    await studio.start({
      ask: typeof ask === 'function' ? await ask(studio) : ask,
      pay: 'balance',
      caller: { kind: 'window' },
      signal: never,
    })
  ).id
const readJob = (id: string): JobRecord => store.jobs.get(id)!

/**
 * Simulates a process that ends when `so` holds for the job that it is about to write. None of its later writes
 * reaches the disk.
 */
async function ended(ask: Asked, so: (job: JobRecord) => boolean): Promise<string> {
  let over = false
  const first = open({
    jobs: {
      put(job) {
        over ||= so(job)
        if (over) throw new SottoError('store/unwritable')
        store.jobs.put(job)
      },
    },
  })
  const id = await begin(first, ask)
  await clock.until(() => over)
  await first[Symbol.asyncDispose]()
  expect(readJob(id).state).toBe('sending')
  return id
}

/** Lets the next process continue the job until it has ended. */
async function goesOn(id: string): Promise<JobRecord> {
  const next = open()
  next.resumeAll()
  await clock.until(() => ['done', 'failed', 'unknown', 'lost'].includes(readJob(id).state))
  return readJob(id)
}
const hasAnswer = ({ files }: JobRecord): boolean => files.some(({ role }) => role === 'answer')
const charged = { cost: COST, receiptId: 'r' }

describe('a response that was received before the process ended', () => {
  it.each([
    ['before the job named it', hasAnswer],
    ['before it was gone on with', (job: JobRecord) => job.state === 'saving'],
  ])('completes the job with its cost and its receipt: %s', async (_, so) => {
    const id = await ended(image, so)
    expect(await goesOn(id)).toMatchObject({
      state: 'done',
      ...charged,
      files: [{ role: 'answer' }, { index: 1, role: 'made' }],
    })
    expect(sent).toBe(1)
  })

  it.each([
    ['before the job named it', hasAnswer],
    ['before it was imported', (job: JobRecord) => job.state === 'working'],
  ])('to a submission is followed until the video is saved, %s', async (_, so) => {
    answer = { id: 'gen_1', status: 'pending' }
    const id = await ended(video, so)
    expect(await goesOn(id)).toMatchObject({
      state: 'done',
      ...charged,
      remoteId: 'gen_1',
      files: [{ role: 'answer' }, { index: 1, role: 'made' }],
    })
    expect(sent).toBe(1)
  })

  it('to a submission can contain the final state', async () => {
    answer = { id: 'gen_1', status: 'completed', data: { url: 'own' }, cost: '0.4' }
    expect(await goesOn(await ended(video, hasAnswer))).toMatchObject({
      state: 'done',
      remoteId: 'gen_1',
      cost: '400000000000',
    })
    answer = { id: 'gen_1', status: 'failed', error: 'too short' }
    expect(await goesOn(await ended(video, hasAnswer))).toMatchObject({
      state: 'failed',
      remoteId: 'gen_1',
      failure: { code: 'studio/video-failed' },
    })
  })

  it('to a part is neither requested nor charged again when the owner resumes the job', async () => {
    answer = { data: [{ index: 0, embedding: [1, 2] }] }
    const id = await ended(
      async (studio) => ({
        kind: 'embedding',
        model: 'm',
        source: { form: 'lines', file: await uploadInput(studio, Buffer.from('an otter\n')) },
      }),
      ({ files }) => files.some(({ role }) => role === 'part'),
    )
    expect((await goesOn(id)).state).toBe('unknown')
    open().resume(id)
    await clock.until(() => readJob(id).state === 'done')
    expect([readJob(id).cost, sent]).toEqual([COST, 1])
  })

  it('and not saved leaves the outcome unknown, with a known cost', async () => {
    const ends = Promise.withResolvers<number>()
    let saves = 0
    const id = await begin(open({ jobFiles: { save: () => (saves++, ends.promise) } }), image)
    await clock.until(() => saves === 1)
    expect(await goesOn(id)).toMatchObject({ state: 'unknown', ...charged })
    ends.reject(new SottoError('store/unwritable'))
  })
})

describe('a disk that refuses to save', () => {
  it('a response: the job shows its cost and its receipt, and nothing is paid again automatically', async () => {
    let tries = 0
    const studio = open({
      jobFiles: { save: () => (tries++, Promise.reject(new SottoError('store/unwritable'))) },
    })
    const id = await begin(studio, image)
    await clock.until(() => readJob(id).state === 'failed')
    const job = readJob(id)
    expect(job).toMatchObject({ ...charged, failure: { code: 'store/unwritable' } })
    expect(renderEnglish(job.failure!.detail!)).toBe(
      'The service responded and charged for it, but the response couldn’t be saved. Trying again costs again.',
    )
    expect([tries, sent, actionsOf(job)]).toEqual([6, 1, ['again']])
  })

  it('a response once: it is saved by a retry, and charged once', async () => {
    let tries = 0
    const studio = open({
      jobFiles: {
        save: (...saved) =>
          tries++ === 0 ? Promise.reject(new SottoError('store/unwritable')) : store.jobFiles.save(...saved),
      },
    })
    const id = await begin(studio, image)
    await clock.until(() => readJob(id).state === 'done')
    expect([readJob(id).cost, sent]).toEqual([COST, 1])
  })

  it('the response to a submission: its owner can resume the job', async () => {
    answer = { id: 'gen_1', status: 'pending' }
    let refuses = true
    const studio = open({
      jobs: {
        put(job) {
          if (refuses && job.state === 'working') throw new SottoError('store/unwritable')
          store.jobs.put(job)
        },
      },
    })
    const id = await begin(studio, video)
    await clock.until(() => readJob(id).state === 'failed')
    refuses = false
    expect(actionsOf(readJob(id))).toEqual(['again', 'resume'])
    studio.resume(id)
    await clock.until(() => readJob(id).state === 'done')
    expect([readJob(id), sent]).toMatchObject([{ remoteId: 'gen_1', ...charged }, 1])
  })

  it.each([
    ['speech', { kind: 'speech', text: 'The tide comes in.' }, 'spoken'],
    [
      'a transcript',
      async (studio) => ({
        kind: 'transcription',
        model: 'm',
        format: 'json',
        file: await uploadInput(studio, writeWave(new Float32Array(1600), 'x')),
      }),
      { text: 'The tide comes in.' },
    ],
    [
      'vectors',
      async (studio) => ({
        kind: 'embedding',
        model: 'm',
        source: { form: 'lines', file: await uploadInput(studio, Buffer.from('an otter\n')) },
      }),
      { data: [{ index: 0, embedding: [1, 2] }] },
    ],
  ] satisfies [string, Asked, unknown][])(
    'a part of %s: its cost counts, and so does the cost of sending it again',
    async (_, asked, answered) => {
      answer = answered
      let refuses = true
      const studio = open({
        jobFiles: {
          async save(id, index, content) {
            // The write fails at the end of the content, as on a disk that becomes full.
            const bytes = await store.jobFiles.save(id, index, content)
            if (refuses && index === 100) throw new SottoError('store/unwritable')
            return bytes
          },
        },
      })
      const id = await begin(studio, asked)
      await clock.until(() => readJob(id).state === 'failed')
      expect(readJob(id)).toMatchObject({ ...charged, failure: { code: 'store/unwritable' } })
      refuses = false
      await store.jobFiles.remove(id, 100)
      studio.resume(id)
      await clock.until(() => readJob(id).state === 'done')
      expect([readJob(id).cost, sent]).toEqual([(2n * BigInt(COST)).toString(), 2])
    },
  )
})

async function uploadInput(studio: Studio, bytes: Uint8Array): Promise<{ uploadId: string }> {
  const { uploadId, path } = studio.uploads.begin('given', bytes.byteLength, bytes.byteLength)
  await studio.uploads.receive(
    path.slice('/upload/'.length),
    (async function* () {
      yield await Promise.resolve(bytes)
    })(),
  )
  return { uploadId }
}

/** An upload that is stored in memory. */
function spooled(): SpooledBytes {
  const written: Uint8Array[] = []
  return {
    get size() {
      return Buffer.concat(written).length
    },
    write: (chunk) => Promise.resolve(void written.push(chunk)),
    read: async function* () {
      yield await Promise.resolve(Buffer.concat(written))
    },
    discard: () => Promise.resolve(),
  }
}
