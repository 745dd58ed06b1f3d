import { isRecord } from '../../../../shared/strict-json.ts'

/** One line of the tree. */
export interface JsonLine {
  /** The JSON of the value's path. Keys and the set of expanded values use it. */
  readonly id: string
  readonly level: number
  /** A member's name or an index in a list; absent for the root. */
  readonly name: string | number | undefined
  readonly value: unknown
  /** Absent if the value can't be expanded. */
  readonly open?: boolean
  /** The number of its members or entries. */
  readonly holds?: number
  /** The line has no value: it replaces this number of omitted values. */
  readonly leftOut?: number
}

/** A person can't read more lines than these; the saved answer has all of them. */
export const MAX_LINES = 200_000
const MAX_LEVEL = 100

/**
 * The lines of all expanded values, in order. `open` holds ids; the root is expanded unless `closedRoot` is
 * set.
 */
export function linesOf(answer: unknown, open: ReadonlySet<string>, closedRoot = false): readonly JsonLine[] {
  const lines: JsonLine[] = []
  const tell = (value: unknown, name: JsonLine['name'], id: string, level: number): void => {
    const holds = sizeOf(value)
    if (holds === undefined || holds === 0) {
      lines.push({ id, level, name, value })
      return
    }
    const isOpen = level <= MAX_LEVEL && (level === 0 ? !closedRoot : open.has(id))
    lines.push({ id, level, name, value, open: isOpen, holds })
    if (!isOpen) return
    let at = 0
    const inner = Array.isArray(value) ? entriesOf(value) : membersOf(value)
    for (const [each, innerName] of inner) {
      if (lines.length >= MAX_LINES) {
        lines.push({
          id: `${id} …`,
          level: level + 1,
          name: undefined,
          value: undefined,
          leftOut: holds - at,
        })
        return
      }
      tell(
        each,
        innerName,
        `${id}/${typeof innerName === 'number' ? innerName : JSON.stringify(innerName)}`,
        level + 1,
      )
      at += 1
    }
  }
  tell(answer, undefined, '', 0)
  return lines
}

function* entriesOf(list: readonly unknown[]): Generator<[unknown, number]> {
  for (const [at, each] of list.entries()) yield [each, at]
}

function* membersOf(value: unknown): Generator<[unknown, string]> {
  if (!isRecord(value)) return
  for (const name in value) if (Object.hasOwn(value, name)) yield [value[name], name]
}

function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  return isRecord(value) ? Object.keys(value).length : undefined
}

/** The values of the first levels that are expanded at first, as far as they fit. */
export function expandFirstLevels(answer: unknown, most: number): ReadonlySet<string> {
  const open = new Set<string>()
  for (let level = 1; level <= 3; level += 1) {
    const wider = new Set(open)
    for (const line of linesOf(answer, open))
      if (line.open === false && line.level === level) wider.add(line.id)
    if (wider.size === open.size || linesOf(answer, wider).length > most) break
    for (const id of wider) open.add(id)
  }
  return open
}
