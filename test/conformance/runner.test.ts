import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runVectors } from './runner.ts'

/** An adapter that ends as its input specifies, and echoes the input. */
const obedient = `
import { text } from 'node:stream/consumers'
const stage = process.argv[2]
if (stage === 'capabilities') console.log(JSON.stringify({ stages_supported: ['echo'] }))
else {
  const input = JSON.parse(await text(process.stdin))
  console.log(input.says ?? JSON.stringify({ stage, echoed: input }))
  process.exitCode = input.exit
}
`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-conformance-'))
  writeFileSync(join(folder, 'adapter.mjs'), obedient)
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(set: string, name: string, files: Record<string, unknown>): void {
  const path = join(folder, set, name)
  mkdirSync(path, { recursive: true })
  for (const [file, value] of Object.entries(files))
    writeFileSync(join(path, `${file}.json`), JSON.stringify(value))
}

async function run(set: string, adapter = 'adapter.mjs') {
  const lines: string[] = []
  const tally = await runVectors({
    vectors: join(folder, set),
    adapter: join(folder, adapter),
    msg: (line) => {
      lines.push(line)
    },
  })
  return { tally, said: lines.sort() }
}

test('every vector at any depth is passed, failed or skipped, and all but the passed are named', async () => {
  const manifest = (more: object) => ({ id: 'x', stage: 'echo', expects: { exit_code: 0 }, ...more })
  write('all', 'a/passes', {
    manifest: manifest({}),
    input: { exit: 0, key: 'AB' },
    expected: { echoed: { key: 'ab' } },
  })
  write('all', 'a/b/passes-without-expected', {
    manifest: manifest({ expects: { exit_code: 30 } }),
    input: { exit: 30 },
  })
  write('all', 'fails', { manifest: manifest({}), input: { exit: 10 }, expected: {} })
  write('all', 'says-no-json', {
    manifest: manifest({}),
    input: { exit: 0, says: 'accepted' },
    expected: { accepted: true },
  })
  write('all', 'unbuilt', { manifest: manifest({ stage: 'later' }), input: {}, expected: {} })
  write('all', 'incapable', {
    manifest: manifest({ required_capabilities: { 'x.y': true } }),
    input: { exit: 0 },
    expected: {},
  })
  const { tally, said } = await run('all')
  expect(tally).toEqual({ passed: 2, failed: 2, skipped: 2 })
  expect(said.map((line) => line.split(':')[0])).toEqual([
    'FAILED fails',
    'FAILED says-no-json',
    'skipped incapable',
    'skipped unbuilt',
  ])
})

test('a vector that cannot be read has failed', async () => {
  write('broken', 'half', { manifest: { id: 'x' }, input: {} })
  write('broken', 'no-input', { manifest: { id: 'x', stage: 'echo', expects: { exit_code: 0 } } })
  expect((await run('broken')).tally).toEqual({ passed: 0, failed: 2, skipped: 0 })
})

test('an adapter that does not start is no result', async () => {
  await expect(run('all', 'absent.mjs')).rejects.toThrow('capabilities')
})
