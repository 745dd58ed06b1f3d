import type { GridColumn, GridPlace } from './grid.tsx'
import styles from './grid.module.css'
import type { Span } from './use-viewport.ts'

/** What is shown of it, but for which rows. */
export interface GridContent {
  /** Of the grid: what is marked is named by it. */
  readonly id: string
  /** Pixels. */
  readonly rowHeight: number
  readonly columns: readonly GridColumn[]
  /** The columns that are drawn, and where the first of them begins. */
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
  /** Pixels that its text has. */
  readonly room: number
  /** Whether its text may reach beyond it, and is cut off. */
  long: boolean
}

/** As of `.cell`. */
const PADDING = 24
/** What a letter alone says of its width in a word is not exact. */
const DOUBT = 1.06

export function cellId(id: string, { row, column }: GridPlace): string {
  return `${id}-${String(row)}-${String(column)}`
}

/**
 * The rows of a grid that are in view, drawn without React: while a hundred thousand are scrolled through, a frame changes the texts of a
 * few. The elements of rows that went out of view become those of the ones that came.
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

  /** From `first` to before `end`, and no others. */
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
      return { element: cell, text, room: width - PADDING, long: false }
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
      const said = textAt(index, shown.first + at) ?? '…'
      if (cell.text.data === said) continue
      cell.text.data = said
      // Each box that cuts off is one more thing that every frame is put together from.
      const long = this.#widthOf(said) > cell.room
      if (long !== cell.long) cell.element.classList.toggle(styles['long'] ?? '', long)
      cell.long = long
    }
  }

  /** Rather too much than too little. */
  #widthOf(text: string): number {
    if (!this.#measure) return Infinity
    let width = 0
    for (const letter of text) {
      let own = this.#letters.get(letter)
      if (own === undefined) {
        // A stranger's text may hold every letter that there is.
        if (this.#letters.size > 5000) this.#letters.clear()
        this.#letters.set(letter, (own = this.#measure.measureText(letter).width))
      }
      width += own
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
