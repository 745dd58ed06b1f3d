import { Lexer, type MarkedOptions, type Token, type TokensList } from 'marked'
import { blockOfMath } from './math-source.ts'

/** Containers inside each other that the lexer looks into: enough to find where each block at the top ends. */
const MAX_DEPTH = 8

/** What is inside a block is parsed where it is rendered, so that a depth chosen by the text costs nothing here. */
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

/** The tokens at the top of a text; of one that is still growing, a formula that is open takes all that follows. */
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
          const raw = blockOfMath(source, text)
          return raw === undefined ? undefined : { type: 'math', raw }
        },
      ],
      startBlock: [(source) => startOfMath(source, text)],
    },
  }
}

const LINE_OF_MATH = /\n {0,3}(?=\$\$|\\\[)/g

/** Where a formula interrupts a paragraph, which is as far as is looked. */
function startOfMath(source: string, text: 'whole' | 'growing'): number {
  const end = source.indexOf('\n\n')
  for (const { index, 0: line } of source.slice(0, end === -1 ? undefined : end).matchAll(LINE_OF_MATH)) {
    if (blockOfMath(source.slice(index + 1), text) !== undefined) return index + line.length
  }
  return -1
}
