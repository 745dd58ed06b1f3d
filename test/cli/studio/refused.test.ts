import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Failure } from '../../../src/shared/contract/sotto-contract.ts'
import { png } from '../../core/jobs/image-bytes.ts'
import { BRUSH, PAINTER } from '../../core/jobs/studio-world.ts'
import { parseStdout, startOwnedWorld, type OwnedWorld } from '../../process/owned-world.ts'

let world: OwnedWorld
let folder: string
beforeAll(async () => {
  world = await startOwnedWorld('B', 'balance')
  folder = await mkdtemp(join(tmpdir(), 'sotto-refused-'))
  await writeFile(join(folder, 'words.mp3'), 'This is a text, whatever it is called.')
  await writeFile(join(folder, 'words.png'), 'This is a text, whatever it is called.')
  await writeFile(join(folder, 'nothing.png'), '')
  await writeFile(join(folder, 'large.png'), png(10, 10))
  await truncate(join(folder, 'large.png'), 26_000_000)
  await writeFile(
    join(folder, 'large.m4a'),
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypM4A ')]),
  )
  await truncate(join(folder, 'large.m4a'), 26_000_000)
  await writeFile(join(folder, 'wide.png'), png(20_000, 10))
  await writeFile(join(folder, 'cut.png'), png(10, 10).subarray(0, 20))
  await writeFile(join(folder, 'open-quote.csv'), 'name,text\n1,"never closed\n')
  await writeFile(
    join(folder, 'encoding.csv'),
    Buffer.from([0x6e, 0x2c, 0x74, 0x0a, 0x31, 0x2c, 0xff, 0xc3, 0x28, 0x0a]),
  )
  await writeFile(join(folder, 'many.csv'), `name\n${'x\n'.repeat(300_000)}`)
  await writeFile(join(folder, 'none.csv'), 'name\n')
  await writeFile(join(folder, 'broken.txt'), Buffer.from([0x48, 0xc3, 0x28, 0xff]))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
const posts = (): number => world.sandbox.received().filter(({ method }) => method === 'POST').length

const SEARCH = ['data', '/api/websearch/search', '--batch']

/** Unusable input exits with code 2 before anything is sent, and the message explains what to do. */
it.each([
  ['a text that is called .mp3', ['transcribe', '{words.mp3}'], 'studio/audio-type'],
  ['a recording of 26 MB', ['transcribe', '{large.m4a}'], 'studio/audio-too-large'],
  [
    'a text that is called .png',
    ['image', 'in ink', '-m', PAINTER, '--image', '{words.png}'],
    'studio/image-type',
  ],
  ['an empty file', ['image', 'in ink', '-m', PAINTER, '--image', '{nothing.png}'], 'studio/file-empty'],
  [
    'an image of 26 MB',
    ['image', 'in ink', '-m', PAINTER, '--image', '{large.png}'],
    'studio/file-too-large',
  ],
  [
    'an image of 20,000 pixels',
    ['image', 'in ink', '-m', PAINTER, '--image', '{wide.png}'],
    'studio/image-too-large',
  ],
  [
    'an image that is cut off',
    ['video', 'it moves', '-m', 'sandbox/carosello-video', '--image', '{cut.png}'],
    'studio/image-malformed',
  ],
  [
    'a table whose quote is not closed',
    [...SEARCH, '{open-quote.csv}', '--map', 'query=name'],
    'studio/csv-malformed',
  ],
  ['a table in a broken encoding', [...SEARCH, '{encoding.csv}', '--map', 'query=1'], 'studio/text-encoding'],
  ['a table of 300,000 rows', [...SEARCH, '{many.csv}', '--map', 'query=name'], 'studio/csv-rows'],
  ['a table without rows', [...SEARCH, '{none.csv}', '--map', 'query=name'], 'studio/csv-empty'],
  [
    'texts in a broken encoding',
    ['embed', '{broken.txt}', '-m', 'sandbox/eco-embedding-small'],
    'studio/text-encoding',
  ],
  [
    'results in a form that there is not',
    ['embed', '{words.mp3}', '-m', 'sandbox/eco-embedding-small', '--out', '{vectors.xlsx}'],
    'request/invalid',
  ],
  ['a file that is not there', ['transcribe', '{nobody.wav}'], 'request/invalid'],
  ['broken text', ['speak', '--file', '{broken.txt}'], 'request/invalid'],
  [
    'a parameter that has an option of its own',
    ['image', 'x', '-m', BRUSH, '--extra', '{"Prompt":"y"}'],
    'studio/parameter-clash',
  ],
  ['no model', ['image', 'x'], 'request/invalid'],
  ['no words and no image', ['image', '-m', BRUSH], 'request/invalid'],
  ['words that are none', ['speak', '   '], 'request/invalid'],
  ['a path that is not listed', ['data', '/api/websearch/nothing'], 'request/invalid'],
  ['a field without a value', ['data', '/api/websearch/search', 'query'], 'request/invalid'],
  ['a job that is not there', ['jobs', 'get', 'ffffffff'], 'request/invalid'],
  [
    'a folder that is not there',
    ['image', 'x', '-m', BRUSH, '--out', '{nowhere}/otter.png'],
    'request/invalid',
  ],
])('%s', async (_what, args, code) => {
  const before = posts()
  const named = args.map((arg) => arg.replace(/^\{([\w.-]+)\}/, (_, name: string) => join(folder, name)))
  const [machine, person] = [await world.sotto([...named, '--json']), await world.sotto(named)]
  expect([machine.code, (parseStdout(machine) as { error: Failure }).error.code]).toEqual([2, code])
  expect([person.code, person.stdout]).toEqual([2, ''])
  expect(person.stderr).toMatch(new RegExp(`^[A-ZÄ“"].+\\. .*\\(${code.replace('/', '\\/')}\\)\n$`, 's'))
  expect(posts()).toBe(before)
})

it('what the service would have to be paid for twice is not asked for: one line of JSON or the file itself', async () => {
  expect((await world.sotto(['image', 'x', '-m', BRUSH, '--out', '-', '--json'])).code).toBe(2)
  expect((await world.sotto(['image', 'x', '-m', BRUSH, '--out', '-', '-n', '2'])).code).toBe(2)
})
