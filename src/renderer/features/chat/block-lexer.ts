import { Lexer, type MarkedOptions, type Token, type TokensList } from 'marked'
import { blockOfDetails } from './details.ts'
import { blockOfMarkdown } from './fences.ts'
import { blockOfHtml } from './html-block.ts'
import { blockOfMath } from './math-source.ts'

/** Nested containers that the lexer reads: enough to find the end of each top-level block. */
const MAX_DEPTH = 8

/** The content of a block is parsed when it is rendered, so that a depth chosen by the text costs nothing here. */
class TopLexer extends Lexer {
  #depth = 0

  override blockTokens(source: string, tokens?: Token[], clipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, clipped?: boolean): TokensList
  override blockTokens(source: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.#depth >= MAX_DEPTH) return tokens
    this.#depth++
    try {
      return super.blockTokens(source, tokens, clipped)
    } finally {
      this.#depth--
    }
  }
}

const whole = withMath('whole')
const growing = withMath('growing')

/** The tokens at the top of a text; in one that is still growing, a formula or a section that is open takes all that follows. */
export function topLevel(markdown: string, text: 'whole' | 'growing'): Token[] {
  return new TopLexer(text === 'whole' ? whole : growing).blockTokens(markdown)
}

function withMath(text: 'whole' | 'growing'): MarkedOptions {
  return {
    gfm: true,
    extensions: {
      renderers: {},
      childTokens: {},
      block: [
        (source) => {
          const raw = blockOf(source, text)
          return raw === undefined ? undefined : { type: 'whole', raw }
        },
      ],
      startBlock: [(source) => startOfBlock(source, text)],
    },
  }
}

/** A block regardless of the syntax of its lines: a formula, a foldable section, a table or list in HTML, or fenced Markdown. */
function blockOf(source: string, text: 'whole' | 'growing'): string | undefined {
  return (
    blockOfMath(source, text) ??
    blockOfDetails(source, text) ??
    blockOfHtml(source, text) ??
    blockOfMarkdown(source)
  )
}

const LINE_OF_BLOCK = /\n {0,3}(?=\$\$|\\\[|\\begin\{|<details|<(?:table|[uod]l|pre)\b|```|~~~)/gi

/** The place at which such a block interrupts the first paragraph, or -1. The search ends with the paragraph. */
function startOfBlock(source: string, text: 'whole' | 'growing'): number {
  const end = source.indexOf('\n\n')
  for (const { index, 0: line } of source.slice(0, end === -1 ? undefined : end).matchAll(LINE_OF_BLOCK)) {
    if (blockOf(source.slice(index + 1), text) !== undefined) return index + line.length
  }
  return -1
}
