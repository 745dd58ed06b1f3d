import { attention } from 'micromark-core-commonmark'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import type { Code, Construct, Extension, State, Token, Tokenizer, TokenType } from 'micromark-util-types'
import { isWide, literalAddress } from './literal-address.ts'

/**
 * The inline syntax in which answers differ from GitHub's Markdown: emphasis and strikethrough next to Chinese, Japanese
 * and Korean, strong emphasis that ends before a letter, two tildes for strikethrough, and where a web address ends. HTML is inline only: what is inside a block of
 * it is Markdown too.
 */
export function inlineSyntax(): Extension {
  const http = literalAddress('literalAutolinkHttp')
  const www = literalAddress('literalAutolinkWww')
  return {
    text: {
      [code('*')]: { ...attention, name: 'wideEmphasis', tokenize: emphasis, add: 'before' },
      [code('~')]: strikethroughConstruct(),
      [code('h')]: http,
      [code('H')]: http,
      [code('w')]: www,
      [code('W')]: www,
    },
    disable: { null: ['htmlFlow', 'protocolAutolink', 'wwwAutolink'] },
  }
}

const code = (letter: string): number => letter.charCodeAt(0)

const isSpace = (unit: Code): boolean => unit === null || unit < 0 || /\s/.test(String.fromCharCode(unit))
const isPunctuation = (unit: Code): boolean =>
  unit !== null && unit >= 0 && !isWide(unit) && /[\p{P}\p{S}]/u.test(String.fromCharCode(unit))

/**
 * CommonMark 0.31 §6.2 with one change: East Asian letters and punctuation are never punctuation inside the emphasis, and
 * always enough outside of it. These languages write no spaces, so that `**注意：**请` is emphasis.
 */
function mayOpen(before: Code, after: Code): boolean {
  return (
    !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before) || isWide(before))
  )
}

/** A single star between two of these multiplies: `2*3*4`. */
const isWord = (unit: Code): boolean =>
  unit !== null && unit >= 0 && /[a-z0-9]/i.test(String.fromCharCode(unit))

const emphasis: Tokenizer = function (effects, ok) {
  const before = this.previous
  const asterisk = code('*')
  let length = 0
  const inside: State = (unit) => {
    if (unit === asterisk) {
      length++
      effects.consume(unit)
      return inside
    }
    const token = effects.exit('attentionSequence')
    // A tilde may follow: `**~~x~~**`.
    token._open =
      (mayOpen(before, unit) || unit === code('~')) && !(length === 1 && isWord(before) && isWord(unit))
    // Models write `**Note:**text`, for which CommonMark wants a space.
    const beforeWord = length > 1 && isPunctuation(before) && isWord(unit)
    token._close = mayOpen(unit, before) || before === code('~') || beforeWord
    return ok(unit)
  }
  return (unit) => {
    effects.enter('attentionSequence')
    return inside(unit)
  }
}

function strikethroughConstruct(): Construct {
  const [construct] = constructsAt(gfmStrikethrough({ singleTilde: false }), code('~'))
  if (!construct) throw new Error('The strikethrough extension has another shape.')
  return {
    ...construct,
    name: 'wideStrikethrough',
    tokenize(effects, ok, nok) {
      const before = this.previous
      let token: Token | undefined
      const marking = { ...effects, exit: (type: TokenType) => (token = effects.exit(type)) }
      // The extension sets its own two flags between `exit` and `ok`.
      const mark: State = (unit) => {
        if (token) {
          token._open = mayOpen(before, unit)
          token._close = mayOpen(unit, before)
        }
        return ok(unit)
      }
      return construct.tokenize.call(this, marking, mark, nok)
    },
  }
}

function constructsAt(extension: Extension, unit: number): readonly Construct[] {
  const found = extension.text?.[unit]
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}
