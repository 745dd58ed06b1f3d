import { Socket } from 'node:net'
import { strToU8 } from 'fflate'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readContent } from '../../src/renderer/files/readers/read-content.ts'
import { UnreadableFile } from '../../src/renderer/files/readers/unreadable-file.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { readImageSize } from '../../src/shared/image-size/read-image-size.ts'
import { readImportFiles } from '../../src/shared/library/read-import-files.ts'
import { zip64Of } from '../zip64.ts'
import { fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'
import { exportArchives, officeArchives, PARTS } from './office-archives.ts'

/** No file takes longer, also on a slow computer. */
const MAX_MS = 10_000
/** A reader keeps the file, its unpacked text (at most 100 MB) and the result. In kilobytes, above what the process had before. */
const MAX_MEMORY_KB = 900_000

const connect = vi.spyOn(Socket.prototype, 'connect')
const request = vi.spyOn(globalThis, 'fetch')
beforeAll(() => {
  for (const call of [connect, request])
    call.mockImplementation(() => {
      throw new Error('A reader used the network.')
    })
})
afterAll(() => vi.restoreAllMocks())

/** How many inputs had each result, and the longest time. `expect` for each of them would take longer than reading. */
class Results {
  readonly #counts: Record<string, number> = {}
  #longest = 0

  add(result: string, began: number): void {
    this.#counts[result] = (this.#counts[result] ?? 0) + 1
    const took = performance.now() - began
    this.#longest = Math.max(this.#longest, took)
    if (took > MAX_MS) throw new Error(`took ${took.toFixed(0)} ms`)
  }

  report(name: string, maxRSSBefore: number): void {
    const inputs = Object.values(this.#counts).reduce((sum, count) => sum + count, 0)
    const memory = process.resourceUsage().maxRSS - maxRSSBefore
    console.log(name, {
      inputs,
      ...this.#counts,
      longestMs: Math.round(this.#longest),
      memoryMB: Math.round(memory / 1_000),
    })
    expect(memory).toBeLessThan(MAX_MEMORY_KB)
    expect(connect).not.toHaveBeenCalled()
    expect(request).not.toHaveBeenCalled()
  }
}

function readInBounds(bytes: Uint8Array, results: Results): void {
  const began = performance.now()
  let result = 'read'
  readOrRefuse(() => {
    try {
      readContent(bytes, 'x')
    } catch (thrown) {
      if (thrown instanceof UnreadableFile) result = thrown.code
      throw thrown
    }
  }, UnreadableFile)
  results.add(result, began)
}

it('reads or refuses any archive and office file by a code, in bounded time and memory', () => {
  const results = new Results()
  const { maxRSS } = process.resourceUsage()
  fc.assert(
    fc.property(officeArchives, (bytes) => readInBounds(bytes, results)),
    { numRuns: parserRuns },
  )
  results.report('archives and office files', maxRSS)
})

it('reads or refuses any archive of chats by a code, in bounded time and memory', async () => {
  const results = new Results()
  const { maxRSS } = process.resourceUsage()
  await fc.assert(
    fc.asyncProperty(exportArchives, fc.integer({ min: 1, max: 2_000 }), async (bytes, length) => {
      const began = performance.now()
      results.add(await importResult(bytes, length), began)
    }),
    { numRuns: parserRuns },
  )
  results.report('archives of chats', maxRSS)
})

async function importResult(bytes: Uint8Array, length: number): Promise<string> {
  async function* pieces() {
    await Promise.resolve()
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  try {
    for await (const { type } of readImportFiles([{ name: 'x.zip', bytes: pieces }])) void type
    return 'read'
  } catch (thrown) {
    if (thrown instanceof SottoError) return thrown.code
    throw thrown
  }
}

it.each([
  ['word/document.xml', /^word/],
  ['xl/sharedStrings.xml', /^xl/],
  ['ppt/slides/slide1.xml', /^ppt/],
  ['content.xml', /^(?:mimetype|content)/],
  ['a.xhtml', /^(?:META-INF|a\.)/],
])('refuses a document that would fill the memory by its %s, in bounded memory', (name, kind) => {
  const parts = Object.entries(PARTS).filter(([part]) => kind.test(part))
  const archive = zip64Of({ ...Object.fromEntries(parts), [name]: ' '.repeat(60_000_000) })
  const { maxRSS } = process.resourceUsage()
  expect(() => readContent(archive, 'x')).toThrow('attachment/document-too-large')
  expect(process.resourceUsage().maxRSS - maxRSS).toBeLessThan(MAX_MEMORY_KB)
})

it.each([
  ['mail', 'From: a@example.org\r\nMIME-Version: 1.0\r\n\r\nHello'],
  ['rich text', '{\\rtf1\\ansi Hello {\\b bold}\\par}'],
  ['a notebook', '{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[]}]}'],
])('reads or refuses any other bytes as a text, in bounded time: changes of %s', (name, genuine) => {
  const results = new Results()
  const { maxRSS } = process.resourceUsage()
  fuzz(strToU8(genuine), (bytes) => readInBounds(bytes, results))
  results.report(name, maxRSS)
})

it('finds a positive size or none in any header of an image', () => {
  const header = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAA=', 'base64')
  fuzz(header, (bytes) => {
    const { width, height } = readImageSize(bytes) ?? { width: 1, height: 1 }
    if (!(Math.min(width, height) > 0)) throw new Error(`a size of ${String(width)} × ${String(height)}`)
  })
})
