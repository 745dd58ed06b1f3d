import { isRecord } from '../../../../shared/strict-json.ts'

/** The depth to which a cell shows its value; an ellipsis replaces deeper values. */
const DEPTH = 12

/**
 * A value as the text of a cell, cut off at this number of characters with an ellipsis. The service controls
 * the value, so it may be nested to any depth and of any length. Lists of plain values appear as lists,
 * everything else as JSON.
 */
export function cellText(value: unknown, most: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.length > most ? `${whole(value, most)}…` : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every(isPlain)) {
    const pieces: string[] = []
    let length = 0
    for (const each of value) {
      const piece = cellText(each, most)
      pieces.push(piece)
      length += piece.length + 2
      if (length > most) break
    }
    const text = pieces.join(', ')
    return text.length > most ? `${whole(text, most)}…` : text
  }
  const text = new Pieces(most)
  write(value, text, DEPTH)
  return text.full ? `${text.text}…` : text.text
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Cuts the text without splitting a surrogate pair. */
function whole(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

class Pieces {
  text = ''
  full = false
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(piece: string): boolean {
    this.full ||= this.text.length + piece.length > this.#most
    this.text = this.full ? whole(this.text + piece, this.#most) : this.text + piece
    return !this.full
  }
}

/** False if no space is left. */
function write(value: unknown, out: Pieces, depth: number): boolean {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (depth === 0) return out.add('[…]')
    if (!out.add('[')) return false
    for (const [at, each] of items.entries())
      if (!(at === 0 || out.add(',')) || !write(each, out, depth - 1)) return false
    return out.add(']')
  }
  if (isRecord(value)) {
    if (depth === 0) return out.add('{…}')
    if (!out.add('{')) return false
    let first = true
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue
      if (!out.add(`${first ? '' : ','}${JSON.stringify(name)}:`) || !write(value[name], out, depth - 1))
        return false
      first = false
    }
    return out.add('}')
  }
  return out.add(
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? JSON.stringify(value)
      : 'null',
  )
}
