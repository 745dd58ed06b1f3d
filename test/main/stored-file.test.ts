import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepInFile } from '../../src/main/stored-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-kept-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('keeps the last of values that follow one another at once, whatever their length', async () => {
  const file = join(folder, 'theme.json')
  const keep = keepInFile(file)
  const values = Array.from({ length: 40 }, (_, at) => 'x'.repeat((at * 7919) % 5000))
  await Promise.all(values.map(keep))
  expect(JSON.parse(await readFile(file, 'utf8'))).toBe(values.at(-1))
  expect(await readdir(folder)).toEqual(['theme.json'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it('tells of a file that cannot be written, and writes the next', async () => {
  const missing = join(folder, 'missing')
  const keep = keepInFile(join(missing, 'window.json'))
  await expect(keep(1)).rejects.toMatchObject({ code: 'ENOENT' })
  await mkdir(missing)
  await keep(2)
  expect(await readFile(join(missing, 'window.json'), 'utf8')).toBe('2')
})
