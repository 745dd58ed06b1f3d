import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from './examples.ts'
import { job } from './job-examples.ts'
import { chunks } from './payment-examples.ts'

const PIECE = 64 * 1024
let root = ''
let folder = ''
const opened: Store[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(root, { recursive: true, force: true })
})

function open(place: string | null = folder): Store {
  const store = createStore({ folder: place, key: KEY, now: ticking() })
  opened.push(store)
  return store
}
const names = (): string[] =>
  readdirSync(join(folder, 'delivered')).filter((name) => name.endsWith('.sealed'))
const content = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff))
async function read(pieces: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces ?? expect.unreachable()))
}

describe('jobs', () => {
  test('are unchanged after a restart', () => {
    const store = open()
    store.jobs.put(job('a'))
    store.jobs.put(job('b', { pay: 'single', purchaseId: 'p', state: 'ready' }))
    store.jobs.put(job('a', { state: 'unknown' }))
    store.close()
    const again = open()
    expect(again.jobs.get('a')).toEqual(job('a', { state: 'unknown' }))
    expect(again.jobs.ofPurchase('p')).toEqual(job('b', { pay: 'single', purchaseId: 'p', state: 'ready' }))
    expect([again.jobs.get('c'), again.jobs.ofPurchase('q')]).toEqual([null, null])
  })

  test('are listed by kind and position, newest first, and the unfinished ones separately', () => {
    const store = open(null)
    for (const [id, state] of [
      ['a', 'done'],
      ['b', 'working'],
      ['c', 'unknown'],
      ['d', 'lost'],
    ] as const)
      store.jobs.put(job(id, { state }))
    const first = store.jobs.list({ limit: 3 })
    expect(first.map(({ job: { id } }) => id)).toEqual(['d', 'c', 'b'])
    expect(
      store.jobs.list({ kinds: ['image'], before: first[2]!.place, limit: 3 }).map(({ job: { id } }) => id),
    ).toEqual(['a'])
    expect(store.jobs.list({ kinds: [], limit: 3 })).toEqual([])
    expect(store.jobs.open().map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test('that are hidden appear in no list, and can be restored', () => {
    const store = open(null)
    store.jobs.put(job('a', { purchaseId: 'p', state: 'working' }))
    expect([store.jobs.hide('a'), store.jobs.hide('a'), store.jobs.hide('z')]).toEqual([true, false, false])
    expect([
      store.jobs.get('a'),
      store.jobs.ofPurchase('p'),
      store.jobs.list({ limit: 9 }),
      store.jobs.open(),
      store.jobs.hidden(),
    ]).toEqual([null, null, [], [], ['a']])
    expect([store.jobs.takeBack('a'), store.jobs.takeBack('a'), store.jobs.get('a')?.id]).toEqual([
      true,
      false,
      'a',
    ])
    store.jobs.remove('a')
    expect([store.jobs.get('a'), store.jobs.hidden()]).toEqual([null, []])
  })

  test('can’t be opened with a changed state, time or purchase', () => {
    for (const change of ["state = 'done'", 'at = 5', "purchase_id = 'q'", "id = 'z'"]) {
      const store = open()
      store.jobs.put(job('a'))
      store.close()
      const database = new DatabaseSync(join(folder, 'sotto.db'))
      database.exec(`UPDATE jobs SET ${change}`)
      database.close()
      expect(() => open().jobs.list({ limit: 9 })).toThrow(
        expect.objectContaining({ code: 'store/damaged' }) as Error,
      )
      rmSync(folder, { recursive: true })
    }
  })

  test('that can’t be opened don’t prevent others from continuing', () => {
    const store = open()
    for (const id of ['a', 'b', 'c']) store.jobs.put(job(id))
    store.close()
    const database = new DatabaseSync(join(folder, 'sotto.db'))
    database.exec(
      "UPDATE jobs SET body = zeroblob(64) WHERE id = 'a'; UPDATE jobs SET state = 'strange' WHERE id = 'b'",
    )
    database.close()
    expect(
      open()
        .jobs.open()
        .map(({ id }) => id),
    ).toEqual(['c'])
  })

  test('leave no plaintext in the data folder', async () => {
    const store = open()
    store.jobs.put(job('a'))
    await store.jobFiles.save('a', 1, chunks(Buffer.from('canary bytes'), 5))
    store.close()
    const bytes = Buffer.concat(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
    )
    expect(bytes.includes('canary')).toBe(false)
  })
})

describe.each(['in memory', 'in a file', 'moved into a file'])('the files of jobs %s', (where) => {
  let store: Store
  beforeEach(() => {
    store = open(where === 'in a file' ? folder : null)
    if (where === 'moved into a file') store.moveTo(folder, KEY)
  })

  test('can be read from any byte', async () => {
    const bytes = content(3 * PIECE + 77)
    expect(await store.jobFiles.save('j', 1, chunks(bytes, 10_007))).toBe(bytes.length)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.nat(bytes.length),
          fc.constantFrom(0, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, bytes.length),
        ),
        async (from) => {
          expect((await read(store.jobFiles.stream('j', 1, from))).equals(bytes.subarray(from))).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
    expect([store.jobFiles.size('j', 1), store.jobFiles.size('j', 2), store.jobFiles.stream('j', 2)]).toEqual(
      [bytes.length, null, null],
    )
  })

  test('use the memory of only a few pieces, and leave their source unchanged', async () => {
    const store = open()
    const piece = new Uint8Array(PIECE).fill(7)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    async function* content(): AsyncGenerator<Uint8Array, void> {
      for (let pieces = 0; pieces < 400; pieces++) {
        yield await Promise.resolve(piece)
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      }
    }
    expect(await store.jobFiles.save('j', 1, content())).toBe(400 * PIECE)
    expect([most < 2_000_000, piece.byteLength]).toEqual([true, PIECE])
  })

  test('are adopted from a payment or another job, stored once, and deleted with their last reference', async () => {
    await store.deliveredFiles.save('p', 1, chunks(content(100), 9))
    expect(await store.jobFiles.adopt('j', 1, { paymentId: 'p', index: 1 })).toBe(100)
    expect(await store.jobFiles.adopt('k', 7, { jobId: 'j', index: 1 })).toBe(100)
    expect(await store.jobFiles.adopt('j', 2, { paymentId: 'p', index: 2 })).toBeNull()
    if (where !== 'in memory') expect(names()).toHaveLength(1)
    await store.deliveredFiles.remove('p')
    expect((await read(store.jobFiles.stream('j', 1))).equals(content(100))).toBe(true)
    await store.jobFiles.remove('j')
    expect((await read(store.jobFiles.stream('k', 7, 40))).equals(content(100).subarray(40))).toBe(true)
    await store.jobFiles.remove('k', 7)
    expect(store.jobFiles.stream('k', 7)).toBeNull()
    if (where !== 'in memory') expect(names()).toEqual([])
  })

  test('replace the previous content, and a failed write leaves it unchanged', async () => {
    await store.jobFiles.save('j', 1, chunks(content(10), 3))
    async function* failing(): AsyncGenerator<Uint8Array, void> {
      yield await Promise.resolve(content(5))
      throw new Error('cut off')
    }
    await expect(store.jobFiles.save('j', 1, failing())).rejects.toThrow('cut off')
    expect(await read(store.jobFiles.stream('j', 1))).toEqual(content(10))
    await store.jobFiles.save('j', 1, chunks(content(20), 3))
    expect(await read(store.jobFiles.stream('j', 1))).toEqual(content(20))
    if (where !== 'in memory') expect(names()).toHaveLength(1)
  })
})

test('are deleted at the start if nothing refers to them, and remain if a job does', async () => {
  const store = open()
  await store.jobFiles.save('j', 1, chunks(content(10), 3))
  store.close()
  expect(names()).toHaveLength(1)
  const again = open()
  expect(await read(again.jobFiles.stream('j', 1))).toEqual(content(10))
  await again.jobFiles.remove('j')
  expect(names()).toEqual([])
})
