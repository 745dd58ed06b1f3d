import { expect, test, vi } from 'vitest'
import type { CsvTable } from '../../src/shared/job-rows.ts'
import { draw } from './drawn-hook.ts'

/** Reads the table that was asked for last. */
let read: () => void = () => undefined
const table: CsvTable = { columns: ['Place'], rows: 1, sample: [['Bern']], delimiter: ',', encoding: 'utf-8' }

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { studio: { table: () => new Promise((resolve) => { read = () => resolve(table) }) } } }))

const { useTable } = await import('../../src/renderer/features/data/batch/use-table.ts')

const settled = () => new Promise(setImmediate)

test('a table whose file is handed over anew stays as it was read, and another is read first', async () => {
  const content = new File(['Place\nBern'], 'places.csv')
  const given = { file: { uploadId: 'first' }, content, reading: { header: true } }
  const drawn = draw(() => useTable(given.file, given.reading, given.content))
  expect(drawn.shown()).toEqual({ state: 'reading' })
  read()
  await settled()
  expect(drawn.shown()).toEqual({ state: 'read', table })

  given.file = { uploadId: 'second' }
  drawn.again()
  expect(drawn.shown()).toEqual({ state: 'read', table })
  read()
  await settled()
  expect(drawn.shown()).toEqual({ state: 'read', table })

  given.reading = { header: false }
  drawn.again()
  expect(drawn.shown()).toEqual({ state: 'reading' })
  read()
  await settled()
  Object.assign(given, { file: { uploadId: 'third' }, content: new File(['Town\nBern'], 'towns.csv') })
  drawn.again()
  expect(drawn.shown()).toEqual({ state: 'reading' })
})
