import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from './examples.ts'
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
const delivered = () => join(folder, 'delivered')
const names = () => (existsSync(delivered()) ? readdirSync(delivered()) : [])
const damaged = { code: 'store/damaged' }

function picture(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 1) bytes.writeUInt8((at * 31 + seed + (at >> 8)) & 0xff, at)
  return bytes
}
async function read(store: Store, id: string, index: number): Promise<Buffer> {
  return Buffer.from((await store.deliveredFiles.read(id, index)) ?? expect.unreachable())
}

describe.each(['in memory', 'in a file', 'moved into a file'])('delivered files %s', (where) => {
  let store: Store
  beforeEach(() => {
    store = open(where === 'in a file' ? folder : null)
    if (where === 'moved into a file') store.moveTo(folder, KEY)
  })

  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE + 77])(
    'are read back whole: %d bytes',
    async (length) => {
      const content = picture(length)
      expect(await store.deliveredFiles.save('p', 0, chunks(content, 10_007))).toBe(length)
      expect((await read(store, 'p', 0)).equals(content)).toBe(true)
    },
  )

  test('are written in chunks of any size, even from one reused buffer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 50_000 }), { maxLength: 12 }), async (sizes) => {
        const whole: Buffer[] = []
        async function* content() {
          const buffer = Buffer.alloc(50_000)
          for (const [number, size] of sizes.entries()) {
            buffer.fill(number + 1)
            whole.push(Buffer.from(buffer.subarray(0, size)))
            await Promise.resolve()
            yield buffer.subarray(0, size)
          }
        }
        await store.deliveredFiles.save('p', 1, content())
        expect((await read(store, 'p', 1)).equals(Buffer.concat(whole))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('belong to a payment and a number, and a new one replaces the old one', async () => {
    const { deliveredFiles } = store
    await deliveredFiles.save('p', 0, chunks(Buffer.from('first')))
    await deliveredFiles.save('p', 1, chunks(Buffer.from('second')))
    await deliveredFiles.save('q', 0, chunks(Buffer.from('another')))
    await deliveredFiles.save('p', 0, chunks(Buffer.from('first again')))
    const texts = async () =>
      [
        await deliveredFiles.read('p', 0),
        await deliveredFiles.read('p', 1),
        await deliveredFiles.read('q', 0),
      ].map((bytes) => bytes && Buffer.from(bytes).toString())
    expect(await texts()).toEqual(['first again', 'second', 'another'])
    if (where !== 'in memory') expect(names()).toHaveLength(3)
    await deliveredFiles.remove('p')
    await deliveredFiles.remove('nothing')
    expect(await texts()).toEqual([null, null, 'another'])
    if (where !== 'in memory') expect(names()).toHaveLength(1)
  })

  test('that end early aren’t saved, and the existing ones stay', async () => {
    await store.deliveredFiles.save('p', 0, chunks(Buffer.from('whole')))
    async function* broken() {
      yield* chunks(picture(3 * PIECE))
      throw new Error('cut off')
    }
    await expect(store.deliveredFiles.save('p', 0, broken())).rejects.toThrow('cut off')
    await expect(store.deliveredFiles.save('p', 1, broken())).rejects.toThrow('cut off')
    expect(Buffer.from((await store.deliveredFiles.read('p', 0)) ?? []).toString()).toBe('whole')
    expect(await store.deliveredFiles.read('p', 1)).toBeNull()
    if (where !== 'in memory') expect(names()).toHaveLength(1)
  })
})

describe('delivered files on disk', () => {
  async function two(): Promise<[string, string]> {
    const store = open()
    await store.deliveredFiles.save('p', 0, chunks(picture(3 * PIECE, 1)))
    const [first = ''] = names()
    await store.deliveredFiles.save('p', 1, chunks(picture(3 * PIECE, 9)))
    const second = names().find((name) => name !== first) ?? ''
    return [join(delivered(), first), join(delivered(), second)]
  }

  test('are encrypted, and inaccessible to other users of this computer', async () => {
    const content = Buffer.alloc(200_000, 'canary of what was delivered ')
    await open().deliveredFiles.save('p', 0, chunks(content))
    const [name = ''] = names()
    expect(names()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.sealed$/)])
    const bytes = readFileSync(join(delivered(), name))
    expect(bytes.includes('canary')).toBe(false)
    expect(bytes.length).toBeGreaterThan(content.length)
    expect([statSync(join(delivered(), name)).mode & 0o777, statSync(delivered()).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
  })

  test.each<[string, (first: string, second: string) => void]>([
    ['changed', (first) => writeFileSync(first, readFileSync(first).fill(1, PIECE, PIECE + 1))],
    ['cut off within a piece', (first) => writeFileSync(first, readFileSync(first).subarray(0, 2 * PIECE))],
    [
      'cut off between two pieces',
      (first) => writeFileSync(first, readFileSync(first).subarray(0, 2 * (PIECE + 16))),
    ],
    ['emptied', (first) => writeFileSync(first, '')],
    ['gone', (first) => rmSync(first)],
    ['longer', (first) => writeFileSync(first, Buffer.concat([readFileSync(first), readFileSync(first)]))],
    [
      'longer by less than a tag',
      (first) => writeFileSync(first, Buffer.concat([readFileSync(first), Buffer.alloc(5)])),
    ],
    ['another one', (first, second) => renameSync(second, first)],
    [
      'its pieces in another order',
      (first) => {
        const bytes = readFileSync(first)
        const piece = (at: number) => bytes.subarray(at * (PIECE + 16), (at + 1) * (PIECE + 16))
        writeFileSync(first, Buffer.concat([piece(1), piece(0), piece(2)]))
      },
    ],
  ])('are damaged when %s', async (_how, harm) => {
    const [first, second] = await two()
    const store = opened[0] ?? expect.unreachable()
    harm(first, second)
    await expect(store.deliveredFiles.read('p', 0)).rejects.toMatchObject(damaged)
  })

  test('are damaged when their rows were swapped', async () => {
    await two()
    opened.pop()?.close()
    const database = new DatabaseSync(join(folder, 'sotto.db'))
    database.exec(
      'UPDATE delivered_files SET at_index = at_index + 10; UPDATE delivered_files SET at_index = 11 - at_index',
    )
    database.close()
    const store = open()
    await expect(store.deliveredFiles.read('p', 0)).rejects.toMatchObject(damaged)
    await expect(store.deliveredFiles.read('p', 1)).rejects.toMatchObject(damaged)
  })

  test('are available after a restart, without the unfinished ones of a killed process', async () => {
    const [first] = await two()
    opened.pop()?.close()
    writeFileSync(join(delivered(), 'ab.part'), 'half')
    writeFileSync(join(delivered(), `${'0'.repeat(8)}.sealed`), 'whole, but named by nothing')
    writeFileSync(join(delivered(), 'somebody else’s'), '')
    const before = readFileSync(first)
    const store = open()
    expect(names()).toHaveLength(3)
    expect(readFileSync(first).equals(before)).toBe(true)
    expect((await read(store, 'p', 0)).equals(picture(3 * PIECE, 1))).toBe(true)
  })

  test('fail if the folder can’t be written, and nothing is saved', async () => {
    const store = open()
    writeFileSync(delivered(), 'a file stands in its place')
    await expect(store.deliveredFiles.save('p', 0, chunks(picture(10)))).rejects.toMatchObject({
      code: 'store/unwritable',
    })
    expect(await store.deliveredFiles.read('p', 0)).toBeNull()
    rmSync(delivered())
    const blocking = new DatabaseSync(join(folder, 'sotto.db'))
    blocking.exec('BEGIN IMMEDIATE')
    await expect(store.deliveredFiles.save('p', 0, chunks(picture(10)))).rejects.toMatchObject({
      code: 'store/unwritable',
    })
    blocking.close()
    expect(names()).toEqual([])
  })

  test('move with a store out of memory, even while they’re being written', async () => {
    const store = open(null)
    await store.deliveredFiles.save('p', 0, chunks(picture(2 * PIECE + 5)))
    let moved = () => {}
    const move = new Promise<void>((resolve) => (moved = resolve))
    async function* slow() {
      yield picture(PIECE + 3, 4)
      await move
      yield picture(10, 5)
    }
    const saving = store.deliveredFiles.save('p', 1, slow())
    store.moveTo(folder, KEY)
    expect(names()).toHaveLength(1)
    moved()
    expect(await saving).toBe(PIECE + 13)
    for (const place of ['the same', 'another']) {
      const reading = place === 'the same' ? store : (store.close(), opened.pop(), open())
      expect((await read(reading, 'p', 0)).equals(picture(2 * PIECE + 5)), place).toBe(true)
      expect(
        (await read(reading, 'p', 1)).equals(Buffer.concat([picture(PIECE + 3, 4), picture(10, 5)])),
        place,
      ).toBe(true)
    }
    expect(names()).toHaveLength(2)
  })

  test('stay in memory if the store can’t be moved', async () => {
    const there = open()
    await there.deliveredFiles.save('p', 0, chunks(picture(7)))
    const store = open(null)
    await store.deliveredFiles.save('p', 0, chunks(picture(9)))
    expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining(damaged))
    expect(names()).toHaveLength(1)
    expect(await store.deliveredFiles.read('p', 0)).toHaveLength(9)
    expect(await there.deliveredFiles.read('p', 0)).toHaveLength(7)
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'a file stands in its place')
    expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
    expect(await store.deliveredFiles.read('p', 0)).toHaveLength(9)
  })
})
