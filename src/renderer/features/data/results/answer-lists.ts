import { isRecord } from '../../../../shared/strict-json.ts'

/** A list in an answer that a table can show. */
export interface AnswerList {
  /** Empty: the answer itself. */
  readonly path: readonly string[]
  readonly rows: readonly unknown[]
}

const DEPTH = 4
const MAX_LISTS = 40
/** The maximum number of members of one object that are searched for lists. */
const MAX_LOOKED = 500

/**
 * The lists of an answer, the most likely one first, and the answer itself as a single row if it is an
 * object.
 */
export function listsIn(answer: unknown): readonly AnswerList[] {
  const lists: AnswerList[] = []
  const look = (value: unknown, path: readonly string[]): void => {
    if (lists.length >= MAX_LISTS) return
    if (Array.isArray(value)) {
      const rows: readonly unknown[] = value
      if (rows.length > 0) lists.push({ path, rows })
    } else if (isRecord(value) && path.length < DEPTH) {
      for (const name of Object.keys(value).slice(0, MAX_LOOKED)) look(value[name], [...path, name])
    }
  }
  look(answer, [])
  const ranked = lists.toSorted(
    (a, b) =>
      Number(ofObjects(b)) - Number(ofObjects(a)) ||
      a.path.length - b.path.length ||
      b.rows.length - a.rows.length,
  )
  if (Array.isArray(answer)) return ranked.length > 0 ? ranked : [{ path: [], rows: [] }]
  const singleList: AnswerList = { path: [], rows: [answer] }
  return ranked.some(ofObjects) ? [...ranked, singleList] : [singleList, ...ranked]
}

/** A list of texts inside an object belongs to the object and is no table. */
function ofObjects({ rows }: AnswerList): boolean {
  return isRecord(rows[0])
}

/** Parses members that hold JSON as text, as some providers send them; `opened` names those members. */
export function withTextsOpened(answer: unknown): {
  readonly answer: unknown
  readonly opened: readonly string[]
} {
  if (!isRecord(answer)) return { answer, opened: [] }
  const opened: string[] = []
  const members = Object.entries(answer)
    .slice(0, MAX_LOOKED)
    .map(([name, value]): [string, unknown] => {
      const inner = typeof value === 'string' && /^\s*[[{]/.test(value) ? parsed(value) : undefined
      if (inner === undefined) return [name, value]
      opened.push(name)
      return [name, inner]
    })
  return opened.length > 0
    ? { answer: { ...answer, ...Object.fromEntries(members) }, opened }
    : { answer, opened }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
