/* eslint-disable lingui/no-unlocalized-strings -- marks that models write */
const NAMES = ['think', 'thinking', 'thought', 'reasoning', 'seed:think']
/** The end of the thoughts of models with channels, whose answer follows in the channel `final`. */
const FINAL = '<|channel|>final<|message|>'
/** In lower case, because models also write them in capitals. */
const OPENINGS = [
  ...NAMES.map((name) => `<${name}>`),
  '[think]',
  '◁think▷',
  ...['analysis', 'commentary'].flatMap((channel) => [
    `<|channel|>${channel}<|message|>`,
    `<|start|>assistant<|channel|>${channel}<|message|>`,
  ]),
]
const TAGS = [...NAMES.map((name) => `</${name}>`), '[/think]', '◁/think▷']
const CLOSINGS = [...TAGS, `<|end|><|start|>assistant${FINAL}`, `<|start|>assistant${FINAL}`, FINAL]
const LONGEST = Math.max(...[...OPENINGS, ...CLOSINGS].map(({ length }) => length))
const INDENTED = /^[ \t]*/

/** The length of the opening mark that a line begins with, with its indentation. */
function openingLength(line: string): number | undefined {
  const indentation = INDENTED.exec(line)?.[0].length ?? 0
  const written = line.slice(indentation, indentation + LONGEST).toLowerCase()
  const opening = OPENINGS.find((mark) => written.startsWith(mark))
  return opening === undefined ? undefined : indentation + opening.length
}

/** Whether the beginning of a line may become an opening mark. */
function mayOpen(line: string): boolean {
  const written = line.trimStart().toLowerCase()
  return line.length < 2 * LONGEST && OPENINGS.some((mark) => mark.startsWith(written))
}

/** The first closing mark in a text. */
function firstClosing(text: string): { readonly index: number; readonly length: number } | undefined {
  const written = text.toLowerCase()
  const found = CLOSINGS.map((mark) => ({ index: written.indexOf(mark), length: mark.length }))
  return found
    .filter(({ index }) => index !== -1)
    .toSorted((a, b) => a.index - b.index || b.length - a.length)[0]
}

/** Where the end of a text may begin a mark whose rest hasn't arrived. */
function markBegun(text: string, marks: readonly string[]): number | undefined {
  const from = Math.max(0, text.length - LONGEST)
  const end = text.slice(from).toLowerCase()
  for (let at = 0; at < end.length; at++)
    if (marks.some((mark) => mark.startsWith(end.slice(at)))) return from + at
  return undefined
}

/** The end of thoughts whose opening mark the chat template of the model wrote, so that it isn't in the reply. */
function endsThoughts(line: string): boolean {
  const written = line.trimEnd().toLowerCase()
  return !line.includes('`') && TAGS.some((tag) => written.endsWith(tag))
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

export interface Pieces {
  readonly text: string
  readonly reasoning: string
  /** All the text before turned out to be reasoning. */
  readonly moved: boolean
}

/** Separates the thoughts that a model writes into its reply, such as between `<think>` and `</think>`, from the reply. */
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
    const closing = firstClosing(this.#rest)
    const end = closing?.index ?? markBegun(this.#rest, CLOSINGS) ?? this.#rest.length
    this.#reasoning += this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end + (closing?.length ?? 0))
    if (!closing) return false
    this.#inside = false
    this.#rest = this.#rest.replace(/^\s+/, '')
    return true
  }

  #reply(): boolean {
    const end = this.#rest.indexOf('\n')
    const part = end === -1 ? this.#rest : this.#rest.slice(0, end)
    if (this.#line === '' && this.#fence === undefined) {
      const opening = openingLength(part)
      if (opening !== undefined) return this.#open(opening)
      if (end === -1 && mayOpen(part)) return false
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
    } else if (!this.#tagged && this.#fence === undefined && endsThoughts(this.#line)) {
      this.#tagged = true
      this.#moved = true
      const closing = firstClosing(this.#text)
      this.#reasoning = this.#text.slice(0, closing?.index).trimEnd()
      this.#text = ''
    }
    this.#line = ''
  }
}

/** A whole text and the thoughts in it. */
export function splitThinking(written: string): { readonly text: string; readonly reasoning: string } {
  const lower = written.toLowerCase()
  if (![...OPENINGS, ...CLOSINGS].some((mark) => lower.includes(mark)))
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
