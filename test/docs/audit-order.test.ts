import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

describe.each(['verifier', 'ehbp'])('the order of an audit of %s', (name) => {
  const folder = resolve(import.meta.dirname, '../../src', name)
  const filesOf = (pattern: string): string[] =>
    globSync(pattern, { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  const linesOf = (file: string): number =>
    readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length

  /** The rows of the table under "Audit": the files, and about how many lines they have. */
  const rows = [
    ...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \d+ \| (.+?) \| ([\d,]+) \|/gm),
  ].map(([, files = '', lines = '']) => ({
    files: [...files.matchAll(/`([^`]+)`/g)].flatMap(([, pattern = '']) => filesOf(pattern)),
    lines: Number(lines.replaceAll(',', '')),
  }))

  it('names each file once', () => {
    expect(rows.flatMap(({ files }) => files).toSorted()).toEqual(filesOf('**/*.ts').toSorted())
  })

  it('states about how many lines each step has', () => {
    const wrong = rows
      .map(({ files, lines }) => ({ lines, counted: files.reduce((sum, file) => sum + linesOf(file), 0) }))
      .filter(({ lines, counted }) => Math.abs(lines - counted) > Math.max(50, counted / 10))
    expect(wrong).toEqual([])
  })
})
