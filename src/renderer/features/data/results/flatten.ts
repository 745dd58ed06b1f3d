import { isMembers, memberOf } from './members.ts'

/** A column of the table: where its cells stand in each row. */
export interface Column {
  /** From the row inwards; empty where the row itself is the cell. */
  readonly path: readonly string[]
  /** No other column has it. */
  readonly name: string
  /** Every cell that is there is a number. */
  readonly numeric: boolean
}

export interface Columns {
  readonly columns: readonly Column[]
  /** There were more than are shown. */
  readonly more: boolean
}

/** What lies deeper stays one cell. */
export const MAX_DEPTH = 6
export const MAX_COLUMNS = 300

interface Place {
  readonly path: readonly string[]
  readonly inner: Map<string, Place>
  filled: boolean
  numeric: boolean
}

/** An object whose members have columns of their own. */
function isOpened(value: unknown, depth: number): boolean {
  return isMembers(value) && depth < MAX_DEPTH && (depth === 0 || Object.keys(value).length > 0)
}

/** The columns of rows of any shape, in the order in which the rows name them. */
export function columnsOf(rows: readonly unknown[]): Columns {
  const root: Place = { path: [], inner: new Map(), filled: false, numeric: true }
  let count = 0
  let more = false
  const note = (place: Place, value: unknown): void => {
    if (isMembers(value) && isOpened(value, place.path.length)) {
      // `in` order is the text's own, and no array of names is made for each row.
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

/** The cell of a row; undefined where it has none, or where its members stand in columns of their own. */
export function cellAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) {
    if (!isMembers(value)) return undefined
    value = memberOf(value, name)
  }
  return isOpened(value, path.length) ? undefined : value
}

/** With points between; a member whose own name has one is quoted, so that no two columns are called the same. */
function nameOf(path: readonly string[]): string {
  return path.map((name) => (/^[^."]+$/.test(name) ? name : JSON.stringify(name))).join('.')
}
