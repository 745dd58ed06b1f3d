import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { columnsIn, placed, type Placed } from './column-layout.ts'
import { cellId, GridRows } from './grid-rows.ts'
import styles from './grid.module.css'
import type { Direction } from './sort-rows.ts'
import { followViewport, pixelsOf, rowsIn, unseen, type Span } from './use-viewport.ts'

export interface GridColumn {
  readonly id: string
  readonly name: string
  readonly numeric: boolean
  /** Pixels. */
  readonly width: number
}

/** A position in the grid; row -1 has the names of the columns. */
export interface GridPlace {
  readonly row: number
  readonly column: number
}

interface GridProps {
  label: string
  columns: readonly GridColumn[]
  count: number
  /** The text of a cell; undefined while it is being fetched. A different function redraws all visible rows. */
  textAt: (row: number, column: number) => string | undefined
  place: GridPlace | undefined
  onPlace: (place: GridPlace) => void
  /** Called on Enter or on a second press on a cell. */
  onOpen?: (place: GridPlace) => void
  sorted?: { readonly column: number; readonly direction: Direction } | undefined
  onSort?: (column: number) => void
  /** Called with the rows in view, for rows that are fetched on demand. */
  onRows?: (first: number, end: number) => void
}

const ROW_REM = 1.875

/**
 * A table of any length and width, of which only the visible part is drawn. It is one tab stop. Arrow keys
 * move from cell to cell, Home and End along a row, and with Ctrl to the first and the last cell. Enter on a
 * column's name sorts.
 */
export function Grid({
  label,
  columns,
  count,
  textAt,
  place,
  onPlace,
  onOpen,
  sorted,
  onSort,
  onRows,
}: GridProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [size] = useState(() => pixelsOf(ROW_REM))
  /** React draws the columns in view, but not the rows. */
  const [across, setAcross] = useState(unseen)
  const viewport = useRef(unseen)
  const look = useRef<() => void>(undefined)
  const body = useRef<HTMLDivElement>(null)
  const drawn = useRef<GridRows>(null)
  const reportedSpan = useRef<Span>(undefined)
  const places = placed(columns.map(({ width }) => width))
  const last = places.at(-1)
  const wide = last ? last.start + last.width : 0
  const shown = columnsIn(places, across.left, across.width)
  useLayoutEffect(() => {
    const [grid, host] = [scroller.current, body.current]
    if (!grid || !host) return
    const rows = (drawn.current ??= new GridRows(host))
    rows.show({
      id,
      rowHeight: size,
      columns,
      shown: { ...shown, start: places[shown.first]?.start ?? 0 },
      textAt,
      place,
    })
    look.current = () => {
      const span = rowsIn(viewport.current, size, count)
      rows.draw(span)
      const named =
        place &&
        place.column >= shown.first &&
        place.column < shown.end &&
        (place.row === -1 || rows.has(place.row))
      if (named) grid.setAttribute('aria-activedescendant', cellId(id, place))
      else grid.removeAttribute('aria-activedescendant')
      if (reportedSpan.current?.first === span.first && reportedSpan.current.end === span.end) return
      reportedSpan.current = span
      onRows?.(span.first, span.end)
    }
    look.current()
  })
  useEffect(() => {
    if (!scroller.current) return
    return followViewport(scroller.current, size, (next) => {
      viewport.current = next
      setAcross((known) => (known.left === next.left && known.width === next.width ? known : next))
      look.current?.()
    })
  }, [size])

  const go = (row: number, column: number) => {
    const next = {
      row: Math.max(-1, Math.min(count - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    }
    bringIntoView(scroller.current, next, places[next.column], size)
    onPlace(next)
  }
  const pressed = (event: KeyboardEvent) => {
    const at = place ?? { row: -1, column: 0 }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / size) - 2)
    const whole = event.ctrlKey || event.metaKey
    const moves: Readonly<Record<string, () => void>> = {
      ArrowUp: () => go(at.row - 1, at.column),
      ArrowDown: () => go(at.row + 1, at.column),
      ArrowLeft: () => go(at.row, at.column - 1),
      ArrowRight: () => go(at.row, at.column + 1),
      PageUp: () => go(Math.max(0, at.row - page), at.column),
      PageDown: () => go(at.row + page, at.column),
      Home: () => go(whole ? 0 : at.row, 0),
      End: () => go(whole ? count - 1 : at.row, columns.length - 1),
      Enter: () => (at.row === -1 ? onSort?.(at.column) : onOpen?.(at)),
    }
    const move = moves[event.key]
    if (!move || event.altKey) return
    event.preventDefault()
    move()
  }
  const clicked = (event: MouseEvent) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null
    const row = cell?.closest<HTMLElement>('[data-row]')
    if (!cell || !row) return
    const at = { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) }
    onPlace(at)
    if (at.row === -1) onSort?.(at.column)
    else if (event.detail === 2) onOpen?.(at)
  }
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-readonly
      tabIndex={0}
      onKeyDown={pressed}
      onClick={clicked}
      onFocus={() => {
        if (!place) onPlace({ row: count > 0 ? 0 : -1, column: 0 })
      }}
    >
      <div
        className={styles.content}
        style={{ blockSize: size * (count + 1), inlineSize: wide }}
        role="presentation"
      >
        <div className={styles.head} role="row" aria-rowindex={1} data-row={-1} style={{ blockSize: size }}>
          {columns.slice(shown.first, shown.end).map((column, index) => {
            const at = shown.first + index
            return (
              <div
                key={column.id}
                id={cellId(id, { row: -1, column: at })}
                role="columnheader"
                aria-colindex={at + 1}
                aria-sort={sorted?.column === at ? sorted.direction : onSort ? 'none' : undefined}
                className={classNames(
                  styles.cell,
                  styles.name,
                  column.numeric && styles.number,
                  place?.row === -1 && place.column === at && styles.marked,
                  onSort && styles.sortable,
                )}
                style={{ insetInlineStart: places[at]?.start, inlineSize: places[at]?.width }}
                data-column={at}
                title={column.name.slice(0, 200)}
              >
                <span className={styles.text}>{column.name.slice(0, 120)}</span>
                {sorted?.column === at && (
                  <span className={styles.arrow} aria-hidden>
                    {sorted.direction === 'ascending' ? '↑' : '↓'}
                  </span>
                )}
              </div>
            )
          })}
        </div>
        <div ref={body} role="rowgroup" />
      </div>
    </div>
  )
}

/** Below the row of names, which is sticky. */
function bringIntoView(
  element: HTMLElement | null,
  { row }: GridPlace,
  place: Placed | undefined,
  size: number,
): void {
  if (!element || !place) return
  if (row >= 0) {
    const top = size * row
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + 2 * size > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * size - element.clientHeight
  }
  const left = Math.abs(element.scrollLeft)
  const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
  if (place.start < left) element.scrollLeft = sign * place.start
  else if (place.start + place.width > left + element.clientWidth)
    element.scrollLeft = sign * Math.min(place.start, place.start + place.width - element.clientWidth)
}
