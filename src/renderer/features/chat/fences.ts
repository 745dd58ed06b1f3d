const OPENING_FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)\n/
const MARKDOWN = /^(?:markdown|md|mdx)$/i

export interface Fence {
  readonly mark: string
  /** The unchanged opening line. */
  readonly opening: string
  readonly language: string
}

/** The opening fence that a source begins with, if its line is whole. */
export function fenceOf(source: string): Fence | undefined {
  const [opening, mark = '', info = ''] = OPENING_FENCE.exec(source) ?? []
  // CommonMark 0.31 §4.5: an info string after backticks contains no backticks.
  if (opening === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined
  return { mark, opening, language: info.trim().split(/\s/, 1)[0] ?? '' }
}

export function isFenced(source: string): boolean {
  return fenceOf(source) !== undefined
}

/**
 * Finds the line that closes a fence. Models write a README between the same marks as the code in it. Therefore a line
 * with a language opens a fence inside of Markdown, and the next bare one closes that.
 */
export class FenceEnd {
  readonly #fence: Fence
  #inner: Fence | undefined

  constructor(fence: Fence) {
    this.#fence = fence
  }

  closes(line: string): boolean {
    if (this.#inner) {
      if (isClosingFence(line, this.#inner.mark)) this.#inner = undefined
      return false
    }
    if (isClosingFence(line, this.#fence.mark)) return true
    const inner = MARKDOWN.test(this.#fence.language) ? fenceOf(`${line}\n`) : undefined
    if (inner && inner.language !== '') this.#inner = inner
    return false
  }
}

/** CommonMark 0.31 §4.5: at least as many of the same mark, and nothing after them. */
function isClosingFence(line: string, mark: string): boolean {
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return closing !== undefined && closing.length >= mark.length && closing[0] === mark[0]
}

/** The fenced Markdown that a source begins with, up to its end or that of the source. Other fences are the lexer's. */
export function blockOfMarkdown(source: string): string | undefined {
  const fence = fenceOf(source)
  if (!fence || !MARKDOWN.test(fence.language)) return undefined
  const end = new FenceEnd(fence)
  for (let from = fence.opening.length; from < source.length;) {
    const next = source.indexOf('\n', from) + 1 || source.length + 1
    if (end.closes(source.slice(from, next - 1))) return source.slice(0, next)
    from = next
  }
  return source
}

/** A block that is fenced code: its language and its text. */
export function fencedCode(block: string): { readonly language: string; readonly text: string } | undefined {
  const fence = fenceOf(`${block}\n`)
  if (!fence) return undefined
  const body = block.slice(fence.opening.length)
  const last = body.lastIndexOf('\n') + 1
  return {
    language: fence.language,
    text: isClosingFence(body.slice(last), fence.mark) ? body.slice(0, last) : body,
  }
}

/** The same block with a fence that nothing inside of it closes. */
export function withLongFence(block: string): string {
  const fence = fenceOf(block)
  const code = fence && MARKDOWN.test(fence.language) ? fencedCode(block) : undefined
  if (!fence || !code) return block
  const longest = Math.max(
    0,
    ...(code.text.match(/^ {0,3}(?:`{3,}|~{3,})/gm) ?? []).map(({ length }) => length),
  )
  if (longest < fence.mark.length) return block
  const mark = '`'.repeat(longest + 1)
  return `${mark}${code.language}\n${code.text.replace(/\n$/, '')}\n${mark}`
}
