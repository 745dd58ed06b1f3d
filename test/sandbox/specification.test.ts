import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askNothing, covered } from './specification-coverage.ts'
import { specificationRows } from './specification.ts'

const path = resolve(import.meta.dirname, '../../../shared/spec/service.md')
const rows = existsSync(path) ? specificationRows(readFileSync(path, 'utf8')) : []

/** The row of exactly this id, or those that begin so. */
function rowsOf(key: string): string[] {
  const ids = rows.map(({ id }) => id)
  return ids.includes(key) ? [key] : ids.filter((id) => id.startsWith(key))
}

/** Whether the file has a test of this title. */
function isThere(named: string): boolean {
  const [, file = '', title = ''] = /^([a-z0-9-]+): (.+)$/.exec(named) ?? []
  const source = resolve(import.meta.dirname, `${file}.test.ts`)
  return existsSync(source) && readFileSync(source, 'utf8').includes(`'${title}',`)
}

describe.skipIf(rows.length === 0)('the specification (skipped without ../shared)', () => {
  test('is parsed completely', () => {
    expect(rows.length).toBeGreaterThan(200)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  test('has a test for each of its rows, or a reason for none', () => {
    const answered = new Set([...Object.keys(covered), ...Object.keys(askNothing)].flatMap(rowsOf))
    expect(rows.map(({ id }) => id).filter((id) => !answered.has(id))).toEqual([])
  })

  test('is covered by keys that match one row each', () => {
    for (const key of [...Object.keys(covered), ...Object.keys(askNothing)])
      expect(rowsOf(key), key).toHaveLength(1)
  })
})

test('every named test exists', () => {
  const named = [...new Set(Object.values(covered).flat())]
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !isThere(name))).toEqual([])
  expect(Object.values(covered).every((tests) => tests.length > 0)).toBe(true)
})
