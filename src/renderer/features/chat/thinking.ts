const TAG = '(?:think|thinking|thought|reasoning)'
const OPENING = new RegExp(`^[ \\t]*<${TAG}>`, 'i')
const CLOSING = new RegExp(`</${TAG}>`, 'i')
/** The end of thoughts whose opening tag the chat template of the model wrote, so that it isn't in the reply. */
const CLOSING_LINE = new RegExp(`^[^\`\\n]*</${TAG}>[ \\t]*$`, 'i')
/** Text that may become a tag at the beginning of a line, or at the end of thoughts. */
const TAG_BEGUN = /^[ \t]{0,8}(?:<\/?[a-z]{0,9})?$/i
const CLOSING_BEGUN = /<(?:\/[a-z]{0,9})?$/i
const FENCE = /^ {0,3}(`{3,}|~{3,})/

export interface Pieces {
  readonly text: string
  readonly reasoning: string
  /** All the text before turned out to be reasoning. */
  readonly moved: boolean
}

/** Separates the thoughts that a model writes into its reply, between `<think>` and `</think>`, from the reply. */
export class ThinkingSplit {
  #rest = ''
  #inside = false
  /** Whether a tag was read. Text before a closing tag is reasoning only if no tag came before it. */
  #tagged = false
  #fence: string | undefined
  /** The line that is being passed on, up to now. */
  #line = ''
  #text = ''
  #reasoning = ''
  #moved = false

  add(piece: string): Pieces {
    this.#rest += piece
    while (this.#inside ? this.#thoughts() : this.#reply());
    return this.#taken()
  }

  /** The characters that might have become a tag. */
  end(): Pieces {
    if (this.#inside) this.#reasoning += this.#rest
    else this.#text += this.#rest
    this.#rest = ''
    this.#closeLine()
    return this.#taken()
  }

  #taken(): Pieces {
    const pieces = { text: this.#text, reasoning: this.#reasoning, moved: this.#moved }
    this.#text = ''
    this.#reasoning = ''
    this.#moved = false
    return pieces
  }

  /** Each of the two returns whether more of the rest can be read now. */
  #thoughts(): boolean {
    const closing = CLOSING.exec(this.#rest)
    const end = closing?.index ?? CLOSING_BEGUN.exec(this.#rest)?.index ?? this.#rest.length
    this.#reasoning += this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end + (closing?.[0].length ?? 0))
    if (!closing) return false
    this.#inside = false
    this.#rest = this.#rest.replace(/^\s+/, '')
    return true
  }

  #reply(): boolean {
    const end = this.#rest.indexOf('\n')
    const part = end === -1 ? this.#rest : this.#rest.slice(0, end)
    if (this.#line === '' && this.#fence === undefined) {
      const opening = OPENING.exec(part)
      if (opening) return this.#open(opening[0].length)
      if (end === -1 && TAG_BEGUN.test(part)) return false
    }
    this.#line += part
    this.#text += part
    this.#rest = this.#rest.slice(part.length)
    if (end === -1) return false
    this.#closeLine()
    if (!this.#moved || this.#text !== '') this.#text += '\n'
    this.#rest = this.#rest.slice(1)
    return this.#rest !== ''
  }

  #open(length: number): boolean {
    this.#inside = true
    this.#tagged = true
    this.#rest = this.#rest.slice(length).replace(/^\n/, '')
    return true
  }

  #closeLine(): void {
    const mark = FENCE.exec(this.#line)?.[1]
    if (mark !== undefined) {
      if (this.#fence === undefined) this.#fence = mark
      else if (mark.startsWith(this.#fence)) this.#fence = undefined
    } else if (!this.#tagged && this.#fence === undefined && CLOSING_LINE.test(this.#line)) {
      this.#tagged = true
      this.#moved = true
      this.#reasoning = this.#text.replace(CLOSING, '').trimEnd()
      this.#text = ''
    }
    this.#line = ''
  }
}

/** A whole text and the thoughts in it. */
export function splitThinking(written: string): { readonly text: string; readonly reasoning: string } {
  if (!CLOSING.test(written) && !/<(?:think|thought|reasoning)/i.test(written))
    return { text: written, reasoning: '' }
  const split = new ThinkingSplit()
  const pieces = [split.add(written), split.end()]
  const moved = pieces.findLastIndex((piece) => piece.moved)
  return {
    text: pieces.map(({ text }, index) => (index < moved ? '' : text)).join(''),
    reasoning: pieces
      .map(({ text, reasoning }, index) => (index < moved ? text + reasoning : reasoning))
      .join('')
      .trim(),
  }
}
