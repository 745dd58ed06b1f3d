/** Cuts a text that arrives in pieces of any size into its lines. An attacker may have written the text. */
export class LineBuffer {
  readonly #limit: number
  readonly #tooLong: () => Error
  #parts: string[] = []
  #length = 0

  /**
   * @param limit of one line, in characters
   * @param tooLong creates the error for a longer line
   */
  constructor(limit: number, tooLong: () => Error) {
    this.#limit = limit
    this.#tooLong = tooLong
  }

  /** @returns the lines that this piece completes. Throws the error for a line above the limit. */
  *take(piece: string): Generator<string, void> {
    const [first = '', ...more] = piece.split('\n')
    let part = first
    for (const next of more) {
      this.#hold(part)
      const line = this.#parts.join('')
      this.#parts = []
      this.#length = 0
      yield line
      part = next
    }
    this.#hold(part)
  }

  #hold(part: string): void {
    this.#length += part.length
    if (this.#length > this.#limit) throw this.#tooLong()
    if (part !== '') this.#parts.push(part)
  }
}
