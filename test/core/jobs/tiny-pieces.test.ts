import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Jobs } from '../../../src/core/jobs/jobs.ts'
import { keepMade } from '../../../src/core/jobs/save-results.ts'
import { LiveSpeech } from '../../../src/core/jobs/live-speech.ts'
import { Uploads } from '../../../src/core/jobs/uploads.ts'
import type { SpooledBytes } from '../../../src/core/storage/spool.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import type { JobRecord } from '../../../src/shared/job-record.ts'
import { png } from './image-bytes.ts'

const MANY = 512 * 1024
/** A piece with a separate buffer takes more than 100 bytes, so all of them would take more than 50 MB. */
const MOST_HELD = 12 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** Yields all pieces in the same memory, as a connection may. */
async function* oneByOne(
  bytes: Uint8Array,
  atEnd: () => void | Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  const piece = new Uint8Array(1)
  for (const byte of bytes) {
    piece[0] = byte
    yield await Promise.resolve(piece)
  }
  await atEnd()
}

describe('data that arrives byte by byte takes no more memory than its size', () => {
  const picture = Buffer.concat([png(3, 2), Buffer.alloc(MANY, 5)])
  const job: JobRecord = {
    id: 'j',
    at: 1,
    changedAt: 1,
    state: 'sending',
    pay: 'balance',
    caller: { kind: 'window' },
    files: [],
    ask: { kind: 'speech', text: 'x' },
    parts: { of: 1, done: 0 },
  }
  const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
  afterAll(() => store.close())

  let before = 0
  let retained = Infinity
  beforeEach(() => {
    before = heap()
  })
  const measure = (): void => {
    retained = heap() - before
  }

  it('when a result is saved and its type detected', async () => {
    expect(await keepMade(job, 1, oneByOne(picture, measure), { files: store.jobFiles })).toMatchObject({
      type: 'image/png',
      width: 3,
      height: 2,
      bytes: picture.length,
    })
    expect(retained).toBeLessThan(MOST_HELD)
  }, 60_000)

  it('when a file is uploaded', async () => {
    let size = 0
    const spooled: SpooledBytes = {
      get size() {
        return size
      },
      write: (chunk) => Promise.resolve(void (size += chunk.byteLength)),
      read: () => oneByOne(picture, measure),
      discard: () => Promise.resolve(),
    }
    const uploads = new Uploads({ open: () => Promise.resolve(spooled) }, Date.now)
    const { uploadId, path } = uploads.begin('a.png', picture.length, picture.length)
    await uploads.receive(path.slice('/upload/'.length), oneByOne(picture, measure))
    expect(retained).toBeLessThan(MOST_HELD)
    const { type, width, head } = uploads.getFile(uploadId)
    expect([type, width, picture.equals(head)]).toEqual(['image/png', 3, true])
  }, 60_000)

  it('when speech is played while it is generated', async () => {
    const jobs = new Jobs(store.jobs, Date.now)
    jobs.put(job)
    const live = new LiveSpeech(jobs, store.jobFiles)
    const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413, 7)])
    const spoken = Buffer.concat(Array.from({ length: Math.ceil(MANY / frame.length) }, () => frame))
    const heard: Uint8Array[] = []
    let late: AsyncIterator<Uint8Array> | undefined
    const body = oneByOne(spoken, async () => {
      measure()
      // A listener that starts only now hears all of it.
      const { stream } = await live.listen(job.id, new AbortController().signal)
      late = stream()[Symbol.asyncIterator]()
      heard.push((await late.next()).value as Uint8Array)
    })
    let passed = 0
    for await (const piece of live.passing(job.id, 100, body)) passed += piece.byteLength
    expect(passed).toBe(spoken.length)
    jobs.apply(job.id, { type: 'stopped' })
    for (let next = await late!.next(); next.done !== true; next = await late!.next()) heard.push(next.value)
    expect(spoken.equals(Buffer.concat(heard))).toBe(true)
    expect(retained).toBeLessThan(MOST_HELD)
  }, 60_000)
})
