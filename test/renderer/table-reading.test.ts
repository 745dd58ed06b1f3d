// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CsvTable } from '../../src/shared/job-rows.ts'
import { settled } from './in-page.ts'

/** Reads the table that was asked for last. */
let read: () => void = () => undefined
const table: CsvTable = { columns: ['Place'], rows: 1, sample: [['Bern']], delimiter: ',', encoding: 'utf-8' }

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: {
      table: () =>
        new Promise((resolve) => {
          read = () => resolve(table)
        }),
    },
  },
}))

const { useTable } = await import('../../src/renderer/features/data/batch/use-table.ts')

test('a table whose file is uploaded again remains as it was read, and another table is read first', async () => {
  const firstProps = {
    file: { uploadId: 'first' },
    content: new File(['Place\nBern'], 'places.csv'),
    reading: { header: true },
  }
  const { result, rerender } = renderHook(({ file, reading, content }) => useTable(file, reading, content), {
    initialProps: firstProps,
  })
  expect(result.current).toEqual({ state: 'reading' })
  read()
  await settled()
  expect(result.current).toEqual({ state: 'read', table })

  const nextProps = { ...firstProps, file: { uploadId: 'second' } }
  rerender(nextProps)
  expect(result.current).toEqual({ state: 'read', table })
  read()
  await settled()
  expect(result.current).toEqual({ state: 'read', table })

  const otherwise = { ...nextProps, reading: { header: false } }
  rerender(otherwise)
  expect(result.current).toEqual({ state: 'reading' })
  read()
  await settled()
  rerender({ ...otherwise, file: { uploadId: 'third' }, content: new File(['Town\nBern'], 'towns.csv') })
  expect(result.current).toEqual({ state: 'reading' })
})
