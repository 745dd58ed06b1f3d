import type { GridColumn, GridPlace } from './grid.tsx'
import styles from './grid.module.css'
import type { Span } from './use-viewport.ts'

/** The content of the grid apart from the rows in view. */
export interface GridContent {
  /** The ID of the grid, from which cells get their IDs. */
  readonly id: string
  /** Pixels. */
  readonly rowHeight: number
  readonly columns: readonly GridColumn[]
  /** The columns to draw, and the position of the first in pixels. */
  readonly shown: Span & { readonly start: number }
  readonly textAt: (row: number, column: number) => string | undefined
  readonly place: GridPlace | undefined
}

interface DrawnRow {
  readonly element: HTMLElement
  readonly cells: readonly DrawnCell[]
}

interface DrawnCell {
  readonly element: HTMLElement
  readonly text: Text
  /** The width for its text, in pixels. */
  readonly textWidth: number
  /** Whether its text may exceed the cell, and is cut off. */
  long: boolean
}

/** The same as the padding of `.cell`. */
const PADDING = 24
/** The width of a letter in a word differs from its width in isolation. */
const DOUBT = 1.06

export function cellId(id: string, { row, column }: GridPlace): string {
  return `${id}-${String(row)}-${String(column)}`
}

/**
 * The rows of a grid that are in view, drawn without React. While the user scrolls through a hundred thousand
 * rows, a frame changes the texts of a few. Elements of rows that leave the view are reused for rows that
 * enter it.
 */
export class GridRows {
  readonly #host: HTMLElement
  readonly #drawn = new Map<number, DrawnRow>()
  /** Widths of letters, in pixels. */
  readonly #letters = new Map<string, number>()
  readonly #measure = document.createElement('canvas').getContext('2d')
  #content: GridContent | undefined
  #marked: { readonly row: DrawnRow; readonly cell: HTMLElement | undefined } | undefined

  constructor(host: HTMLElement) {
    this.#host = host
    if (this.#measure) this.#measure.font = getComputedStyle(host).font
  }

  show(content: GridContent): void {
    const { columns, shown, textAt, rowHeight } = content
    const before = this.#content
    this.#content = content
    if (
      before?.columns !== columns ||
      before.shown.first !== shown.first ||
      before.shown.end !== shown.end ||
      before.rowHeight !== rowHeight
    ) {
      this.#host.replaceChildren()
      this.#drawn.clear()
    } else if (before.textAt !== textAt)
      for (const [index, row] of this.#drawn) this.#fill(row, index, content)
    this.#mark()
  }

  /** Draws the rows from `first` to before `end`, and removes all others. */
  draw({ first, end }: Span): void {
    const content = this.#content
    if (!content) return
    const free: DrawnRow[] = []
    for (const [index, row] of this.#drawn) {
      if (index >= first && index < end) continue
      free.push(row)
      this.#drawn.delete(index)
    }
    for (let index = first; index < end; index += 1) {
      if (this.#drawn.has(index)) continue
      const row = free.pop() ?? this.#create(content)
      this.#fill(row, index, content)
      this.#drawn.set(index, row)
    }
    for (const { element } of free) element.remove()
    this.#mark()
  }

  has(index: number): boolean {
    return this.#drawn.has(index)
  }

  #create({ columns, shown: { first, end, start: begin }, rowHeight }: GridContent): DrawnRow {
    const element = document.createElement('div')
    element.className = styles['row'] ?? ''
    element.role = 'row'
    element.style.blockSize = `${String(rowHeight)}px`
    let start = begin
    const cells = columns.slice(first, end).map(({ numeric, width }, at) => {
      const cell = document.createElement('div')
      const text = document.createTextNode('')
      cell.className = `${styles['cell'] ?? ''} ${numeric ? (styles['number'] ?? '') : ''}`
      cell.role = 'gridcell'
      cell.ariaColIndex = String(first + at + 1)
      cell.dataset['column'] = String(first + at)
      cell.style.insetInlineStart = `${String(start)}px`
      cell.style.inlineSize = `${String(width)}px`
      start += width
      cell.append(text)
      return { element: cell, text, textWidth: width - PADDING, long: false }
    })
    element.append(...cells.map((cell) => cell.element))
    this.#host.append(element)
    return { element, cells }
  }

  #fill({ element, cells }: DrawnRow, index: number, { rowHeight, shown, textAt }: GridContent): void {
    element.style.insetBlockStart = `${String(rowHeight * (index + 1))}px`
    element.ariaRowIndex = String(index + 2)
    element.dataset['row'] = String(index)
    for (const [at, cell] of cells.entries()) {
      const value = textAt(index, shown.first + at) ?? '…'
      if (cell.text.data === value) continue
      cell.text.data = value
      // Each element that cuts off its text adds work to every frame.
      const long = this.#widthOf(value) > cell.textWidth
      if (long !== cell.long) cell.element.classList.toggle(styles['long'] ?? '', long)
      cell.long = long
    }
  }

  /** An upper estimate of a text's width in pixels. */
  #widthOf(text: string): number {
    if (!this.#measure) return Infinity
    let width = 0
    for (const letter of text) {
      let letterWidth = this.#letters.get(letter)
      if (letterWidth === undefined) {
        // A text from the service may contain any character, so the cache has a limit.
        if (this.#letters.size > 5000) this.#letters.clear()
        this.#letters.set(letter, (letterWidth = this.#measure.measureText(letter).width))
      }
      width += letterWidth
    }
    return width * DOUBT
  }

  #mark(): void {
    const { id = '', place, shown } = this.#content ?? {}
    const row = place && this.#drawn.get(place.row)
    const cell = place && shown ? row?.cells[place.column - shown.first]?.element : undefined
    const before = this.#marked
    if (before && (before.row !== row || before.cell !== cell)) {
      before.row.element.classList.remove(styles['current'] ?? '')
      before.cell?.classList.remove(styles['marked'] ?? '')
      before.cell?.removeAttribute('id')
    }
    this.#marked = row && { row, cell }
    row?.element.classList.add(styles['current'] ?? '')
    cell?.classList.add(styles['marked'] ?? '')
    if (cell && place) cell.id = cellId(id, place)
  }
}
