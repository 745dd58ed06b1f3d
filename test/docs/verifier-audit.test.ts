import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const verifier = resolve(import.meta.dirname, '../../src/verifier')

/** The rows of the table under "Audit": the files, and the number of their lines. */
const rows = [
  ...readFileSync(join(verifier, 'README.md'), 'utf8').matchAll(/^\| \d+ \| (.+?) \| ([\d,]+) \|/gm),
].map(([, files = '', lines = '']) => ({
  files: [...files.matchAll(/`([^`]+)`/g)].flatMap(([, pattern = '']) =>
    globSync(pattern, { cwd: verifier }).map((file) => file.replaceAll('\\', '/')),
  ),
  lines: Number(lines.replaceAll(',', '')),
}))

const linesOf = (file: string): number =>
  readFileSync(join(verifier, file), 'utf8').trimEnd().split('\n').length

it('the order of an audit names each file of the verifier once', () => {
  const files = globSync('**/*.ts', { cwd: verifier }).map((file) => file.replaceAll('\\', '/'))
  expect(rows.flatMap((row) => row.files).toSorted()).toEqual(files.toSorted())
})

it('the order of an audit states about how many lines each step has', () => {
  const wrong = rows
    .map(({ files, lines }) => ({ lines, counted: files.reduce((sum, file) => sum + linesOf(file), 0) }))
    .filter(({ lines, counted }) => Math.abs(lines - counted) > Math.max(50, counted / 10))
  expect(wrong).toEqual([])
})
