import { t } from '@lingui/core/macro'
import { useMemo, useRef, useState } from 'react'
import { CellBar } from './cell-bar.tsx'
import { cellText } from './cell-text.ts'
import { widthsOf } from './column-layout.ts'
import { cellAt, type Column, type Columns } from './flatten.ts'
import { Grid, type GridPlace } from './grid.tsx'
import { orderOf, type Sorting } from './sort-rows.ts'
import { perLocale } from '../../../ui/language/format-locale.ts'

/** Compares texts in the order of the window's language. Numbers in them are ordered by value. */
const compareTexts = perLocale((locale) => new Intl.Collator(locale, { numeric: true }).compare)

/** Cells are cut off at this length. The whole selected cell is below the table. */
const SHOWN = 160

export function columnTitle({ name }: Column): string {
  return name === '' ? t`value` : name
}

interface AnswerTableProps {
  label: string
  rows: readonly unknown[]
  columns: Columns
  sorting: Sorting | undefined
  onSorting: (sorting: Sorting | undefined) => void
}

/** The order in which rows are shown. */
export function useOrder(rows: readonly unknown[], sorting: Sorting | undefined): Uint32Array | undefined {
  return useMemo(() => (sorting ? orderOf(rows, sorting, compareTexts()) : undefined), [rows, sorting])
}

/**
 * The rows of an answer, sortable by column, with cell-by-cell keyboard navigation. The whole selected cell
 * is below the table.
 */
export function AnswerTable({ label, rows, columns: { columns }, sorting, onSorting }: AnswerTableProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<GridPlace>()
  const order = useOrder(rows, sorting)
  const shown = useMemo(() => {
    const widths = widthsOf(rows, columns, columnTitle)
    return columns.map((column, at) => ({
      id: column.name,
      name: columnTitle(column),
      numeric: column.numeric,
      width: widths[at] ?? 120,
    }))
  }, [rows, columns])
  const textAt = useMemo(
    () => (row: number, at: number) => {
      const column = columns[at]
      return column ? cellText(cellAt(rows[order ? (order[row] ?? 0) : row], column.path), SHOWN) : ''
    },
    [rows, columns, order],
  )
  const chosen = place && place.row >= 0 ? columns[place.column] : undefined
  const sort = (at: number) => {
    const column = columns[at]
    if (!column) return
    if (sorting?.column.name !== column.name) onSorting({ column, direction: 'ascending' })
    else onSorting(sorting.direction === 'ascending' ? { column, direction: 'descending' } : undefined)
  }
  const sortedAt = sorting ? columns.findIndex(({ name }) => name === sorting.column.name) : -1
  return (
    <>
      <Grid
        label={label}
        columns={shown}
        count={rows.length}
        textAt={textAt}
        place={place}
        onPlace={setPlace}
        onOpen={() => bar.current?.querySelector('button')?.focus()}
        sorted={sorting && sortedAt >= 0 ? { column: sortedAt, direction: sorting.direction } : undefined}
        onSort={sort}
      />
      {chosen && place && (
        <CellBar
          ref={bar}
          name={columnTitle(chosen)}
          value={cellAt(rows[order ? (order[place.row] ?? 0) : place.row], chosen.path)}
        />
      )}
    </>
  )
}
