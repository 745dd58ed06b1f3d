/** Characters. No valid conversation is larger, and no more than this is buffered. */
const MAX_ELEMENT = 64 * 1024 * 1024
const LIST = 'conversations'

const BYTE_ORDER_MARK = 0xfeff
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST_START = 0x5b
const OBJECT_START = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

export interface Element {
  /** The JSON of one conversation, or a file that is one; null if it's too large. */
  readonly text: string | null
  /**
   * The object around the list, with an empty list; '' if the file is a list, or the conversation itself.
   */
  readonly head: string
  /** Identifies the list that holds it; 0 outside of one, such as on a line of a JSONL file. */
  readonly root: number
}

/**
 * Finds the conversations in a JSON text that arrives in pieces, and buffers only one at a time: the
 * elements of a list, of the list `conversations` of an object, or otherwise the object itself. It doesn't
 * validate the JSON of the elements; their parser does.
 */
export class Elements {
  readonly #onElement: (element: Element) => void
  #root: 'none' | 'list' | 'object' | 'ended' = 'none'
  #roots = 0
  #depth = 0
  #inString = false
  #escaped = false
  /** The depth at which the list of elements was opened; 0: no list is open. */
  #list = 0
  #head = ''
  /** The last string in an object at its top level: the name of the next value. */
  #name = ''
  /** Pieces of the current element from before this piece, if there is one. */
  #parts: string[] = []
  #length = 0
  /** The start of the current element in this piece; -1: there is none. */
  #from = -1

  constructor(onElement: (element: Element) => void) {
    this.#onElement = onElement
  }

  /** Whether the text ended with its first value. */
  get whole(): boolean {
    return this.#root === 'ended'
  }

  /** Returns false if the text doesn't begin like JSON of conversations. */
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
      } else if (code === LIST_START || code === OBJECT_START) this.#open(code, at, piece)
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
      this.#root = code === LIST_START ? 'list' : 'object'
      if (code === LIST_START) this.#list = 1
      else this.#from = at
    } else if (
      this.#root === 'object' &&
      this.#list === 0 &&
      this.#depth === 1 &&
      code === LIST_START &&
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
