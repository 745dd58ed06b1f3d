/** Finds the end of a JSON object that arrives in pieces, without storing it. */
export class JsonEnd {
  #depth = 0
  #inText = false
  #escaped = false
  #begun = false

  get reached(): boolean {
    return this.#begun && this.#depth <= 0
  }

  push(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (this.#escaped) this.#escaped = false
      else if (this.#inText) {
        if (code === 0x5c) this.#escaped = true
        else if (code === 0x22) this.#inText = false
      } else if (code === 0x22) this.#inText = true
      else if (code === 0x7b || code === 0x5b) {
        this.#depth++
        this.#begun = true
      } else if (code === 0x7d || code === 0x5d) this.#depth--
    }
  }
}
