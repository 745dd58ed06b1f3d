import { isRecord } from '../../../../shared/strict-json.ts'

/** A column of the table, and the position of its cells in each row. */
export interface Column {
  /** From the row inwards; empty if the row itself is the cell. */
  readonly path: readonly string[]
  /** Unique among the columns. */
  readonly name: string
  /** Whether every existing cell is a number. */
  readonly numeric: boolean
}

export interface Columns {
  readonly columns: readonly Column[]
  /** Whether there are more columns than these. */
  readonly more: boolean
}

/** Deeper values stay a single cell. */
export const MAX_DEPTH = 6
export const MAX_COLUMNS = 300

interface Place {
  readonly path: readonly string[]
  readonly inner: Map<string, Place>
  filled: boolean
  numeric: boolean
}

/** Whether the members of the value have their own columns. */
function isOpened(value: unknown, depth: number): boolean {
  return isRecord(value) && depth < MAX_DEPTH && (depth === 0 || Object.keys(value).length > 0)
}

/** The columns of rows of any shape, in the order in which the rows name them. */
export function columnsOf(rows: readonly unknown[]): Columns {
  const root: Place = { path: [], inner: new Map(), filled: false, numeric: true }
  let count = 0
  let more = false
  const note = (place: Place, value: unknown): void => {
    if (isRecord(value) && isOpened(value, place.path.length)) {
      // `for … in` follows the text's order, and creates no array of names for each row.
      for (const name in value) {
        if (!Object.hasOwn(value, name)) continue
        let inner = place.inner.get(name)
        if (!inner) {
          if (count >= MAX_COLUMNS) {
            more = true
            continue
          }
          inner = { path: [...place.path, name], inner: new Map(), filled: false, numeric: true }
          place.inner.set(name, inner)
        }
        note(inner, value[name])
      }
      return
    }
    if (!place.filled) {
      if (count >= MAX_COLUMNS) {
        more = true
        return
      }
      place.filled = true
      count += 1
    }
    if (value !== null && typeof value !== 'number') place.numeric = false
  }
  for (const row of rows) note(root, row)
  const columns: Column[] = []
  const collect = (place: Place): void => {
    if (place.filled) columns.push({ path: place.path, name: nameOf(place.path), numeric: place.numeric })
    for (const inner of place.inner.values()) collect(inner)
  }
  collect(root)
  return { columns, more }
}

/** The cell of a row; undefined if the row has none, or if its members have their own columns. */
export function cellAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) {
    if (!isRecord(value)) return undefined
    // Only own members, because names such as `__proto__` and `constructor` are data here.
    value = Object.hasOwn(value, name) ? value[name] : undefined
  }
  return isOpened(value, path.length) ? undefined : value
}

/** Joins the path with dots. A name with a dot is quoted, so that no two columns have the same name. */
function nameOf(path: readonly string[]): string {
  return path.map((name) => (/^[^."]+$/.test(name) ? name : JSON.stringify(name))).join('.')
}
