import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSpool, type SpooledBytes } from '../../../src/core/storage/spool.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'sotto-spool-')), 'spool')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

async function all(spooled: SpooledBytes): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(spooled.read()))
}

describe('a spool', () => {
  it('returns the written bytes, in pieces of any size', async () => {
    const spool = createSpool(folder)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }), async (pieces) => {
        const spooled = await spool.open()
        for (const piece of pieces) await spooled.write(piece)
        const whole = Buffer.concat(pieces)
        expect(spooled.size).toBe(whole.length)
        expect(await all(spooled)).toEqual(whole)
        await spooled.discard()
      }),
      { numRuns: 100 },
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('returns several of its own pieces, in order', async () => {
    const spooled = await createSpool(folder).open()
    const whole = Buffer.alloc(700_001, 'the quick brown fox ')
    for (let at = 0; at < whole.length; at += 65_536) await spooled.write(whole.subarray(at, at + 65_536))
    expect((await all(spooled)).equals(whole)).toBe(true)
    await spooled.discard()
  })

  it('buffers no more than the piece that is being written', async () => {
    const spooled = await createSpool(folder).open()
    const piece = Buffer.alloc(64 * 1024, 7)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let written = 0; written < 25_000_000; written += piece.byteLength) {
      await spooled.write(piece)
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    expect(most).toBeLessThan(1_000_000)
    await spooled.discard()
  })

  it('leaves nothing readable on disk, and nothing for other users of this computer', async () => {
    const spooled = await createSpool(folder).open()
    await spooled.write(Buffer.from('a canary of words that nobody else may read'))
    const [name = ''] = await readdir(folder)
    const path = join(folder, name)
    const bytes = await readFile(path)
    expect(bytes.length).toBe(spooled.size)
    expect(bytes.includes('canary')).toBe(false)
    expect((await stat(path)).mode & 0o077).toBe(0)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    await spooled.discard()
    expect(await readdir(folder)).toEqual([])
  })

  it('removes the leftover files of a crash once, and nothing else', async () => {
    const abandoned = await createSpool(folder).open()
    await abandoned.write(Buffer.from('x'))
    await writeFile(join(folder, 'other.txt'), 'kept')
    const spool = createSpool(folder)
    const first = await spool.open()
    const second = await spool.open()
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toHaveLength(2)
    expect(await readdir(folder)).toContain('other.txt')
    await Promise.all([first, second, abandoned].map((spooled) => spooled.discard()))
  })

  it.each([
    ['changed', (bytes: Buffer) => bytes.fill((bytes[2] ?? 0) ^ 1, 2, 3)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 5)],
  ])('refuses to return a file that was %s on disk', async (_how, harm) => {
    const spooled = await createSpool(folder).open()
    await spooled.write(Buffer.from('0123456789'))
    const path = join(folder, (await readdir(folder))[0] ?? '')
    const file = await open(path, 'r+')
    const harmed = harm(await readFile(path))
    await file.truncate(0)
    await file.write(harmed, 0, harmed.length, 0)
    await file.close()
    await expect(all(spooled)).rejects.toMatchObject({ code: 'store/damaged' })
    await spooled.discard()
  })

  it('fails if the folder can’t be written, and succeeds once it can', async () => {
    await writeFile(folder, 'a file stands in its place')
    const spool = createSpool(folder)
    await expect(spool.open()).rejects.toMatchObject({ code: 'store/unwritable' })
    await rm(folder)
    await (await spool.open()).discard()
  })
})
