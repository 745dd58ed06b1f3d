/** No conversation is as large; of one that is, no more than this is held. In characters. */
const MAX_ELEMENT = 64 * 1024 * 1024
const LIST = 'conversations'

const BYTE_ORDER_MARK = 0xfeff
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

export interface Element {
  /** One conversation's JSON, or what takes its place; null where it is larger than what is taken. */
  readonly text: string | null
  /** The object around the list, with an empty list; '' where the file is a list, or the conversation itself. */
  readonly head: string
  /** Identifies the list that holds it; 0 outside of one, such as on a line of a JSONL file. */
  readonly root: number
}

/**
 * Finds the conversations in a JSON text that comes in pieces, so that one of them at a time is held: the elements of a list, of
 * the list `conversations` of an object, or else the object itself. Whether each is JSON, its parser says.
 */
export class Elements {
  readonly #onElement: (element: Element) => void
  #root: 'none' | 'list' | 'object' | 'ended' = 'none'
  #roots = 0
  #depth = 0
  #inString = false
  #escaped = false
  /** Elements stand in the list that was opened at this depth; 0: no list is open. */
  #list = 0
  #head = ''
  /** In an object, the last string of its own members: the name of what follows. */
  #name = ''
  /** What is being read, if anything is, from before this piece. */
  #parts: string[] = []
  #length = 0
  /** Where it goes on in this piece; -1: nothing is being read. */
  #from = -1

  constructor(onElement: (element: Element) => void) {
    this.#onElement = onElement
  }

  /** The text ended where its first value did. */
  get whole(): boolean {
    return this.#root === 'ended'
  }

  /** False where it begins as no JSON of conversations does. */
  take(piece: string): boolean {
    if (this.#from >= 0) this.#from = 0
    let stringFrom = 0
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (code === BACKSLASH) this.#escaped = true
        else if (code === QUOTE) {
          this.#inString = false
          if (this.#depth === 1) this.#name += piece.slice(stringFrom, at)
        }
      } else if (code === QUOTE) {
        this.#inString = true
        stringFrom = at + 1
        if (this.#depth === 1) this.#name = ''
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#open(code, at, piece)
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#close(at, piece)
      else if (this.#root === 'none' && code > 0x20 && code !== BYTE_ORDER_MARK) return false
      else if (code === COMMA && this.#depth === 1) this.#name = ''
    }
    if (this.#inString && this.#depth === 1 && this.#name.length < LIST.length)
      this.#name += piece.slice(stringFrom)
    if (this.#from >= 0) this.#keep(piece.slice(this.#from))
    return true
  }

  #open(code: number, at: number, piece: string): void {
    if (this.#root === 'none' || this.#root === 'ended') {
      this.#roots += 1
      this.#list = 0
      this.#head = ''
      this.#name = ''
      this.#root = code === OPEN_LIST ? 'list' : 'object'
      if (code === OPEN_LIST) this.#list = 1
      else this.#from = at
    } else if (
      this.#root === 'object' &&
      this.#list === 0 &&
      this.#depth === 1 &&
      code === OPEN_LIST &&
      this.#name === LIST
    ) {
      this.#list = 2
      this.#head = `${this.#end(at, piece) ?? '{"conversations":'}[]}`
    } else if (this.#list > 0 && this.#depth === this.#list) this.#from = at
    this.#depth += 1
  }

  #close(at: number, piece: string): void {
    if (this.#depth === 0) return
    this.#depth -= 1
    if (this.#from >= 0 && this.#depth === (this.#root === 'object' && this.#list === 0 ? 0 : this.#list))
      this.#onElement({
        text: this.#end(at + 1, piece),
        head: this.#head,
        root: this.#list === 1 ? this.#roots : 0,
      })
    // What follows a list in its object is of no use.
    else if (this.#list > 0 && this.#depth < this.#list) this.#list = this.#root === 'object' ? Infinity : 0
    if (this.#depth === 0) this.#root = 'ended'
  }

  #end(at: number, piece: string): string | null {
    this.#keep(piece.slice(this.#from, at))
    const text = this.#length > MAX_ELEMENT ? null : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    this.#from = -1
    return text
  }

  #keep(part: string): void {
    this.#length += part.length
    if (this.#length > MAX_ELEMENT) this.#parts = []
    else this.#parts.push(part)
  }
}
