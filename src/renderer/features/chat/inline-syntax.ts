import { attention } from 'micromark-core-commonmark'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import type {
  Code,
  Construct,
  Event,
  Extension,
  State,
  Token,
  Tokenizer,
  TokenType,
} from 'micromark-util-types'
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
      [code('*')]: { ...attention, name: 'wideEmphasis', tokenize: stars, add: 'before' },
      [code('_')]: { ...attention, name: 'wideUnderscores', tokenize: underscores, add: 'before' },
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
const isLetter = (unit: Code): boolean =>
  unit !== null && unit >= 0 && /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(unit))

interface Flanks {
  readonly open: boolean
  readonly close: boolean
}

/** A run of one sign, which may open or close emphasis depending on the characters around it. */
function emphasis(
  sign: string,
  flanksOf: (run: { before: Code; after: Code; length: number; earlier: readonly Event[] }) => Flanks,
): Tokenizer {
  const unitOfSign = code(sign)
  return function (effects, ok) {
    const before = this.previous
    const earlier = this.events
    let length = 0
    const inside: State = (unit) => {
      if (unit === unitOfSign) {
        length++
        effects.consume(unit)
        return inside
      }
      const { open, close } = flanksOf({ before, after: unit, length, earlier })
      const token = effects.exit('attentionSequence')
      token._open = open
      token._close = close
      return ok(unit)
    }
    return (unit) => {
      effects.enter('attentionSequence')
      return inside(unit)
    }
  }
}

const stars = emphasis('*', ({ before, after, length, earlier }) => {
  const multiplies = length === 1 && isWord(before) && isWord(after)
  // A tilde may follow: `**~~x~~**`.
  const open = mayOpen(before, after) || after === code('~')
  // Models write `**Note:**text`, for which CommonMark wants a space.
  const beforeLetter = length > 1 && isPunctuation(before) && isLetter(after)
  // Before a word of a script without capitals, a prefix may be attached: `و**"x"**`.
  const afterPrefix =
    length > 1 && isPunctuation(after) && isLetter(before) && !isLatin(before) && !isWord(before)
  return {
    open: (open || afterPrefix) && !multiplies,
    close:
      (mayOpen(after, before) || before === code('~') || beforeLetter) &&
      (!multiplies || hasSingleOpen(earlier)),
  }
})

const isLatin = (unit: Code): boolean =>
  unit !== null && unit >= 0 && /\p{Script=Latin}/u.test(String.fromCharCode(unit))

/** Whether a single star is open: `*a*b` ends at a star between letters, but in `**a*b*c**` the stars multiply. */
function hasSingleOpen(earlier: readonly Event[]): boolean {
  const open: number[] = []
  for (const [kind, { type, _open, _close, start, end }] of earlier) {
    if (kind !== 'exit' || type !== 'attentionSequence') continue
    const length = end.offset - start.offset
    const opening = _close === true ? open.lastIndexOf(length) : -1
    if (opening !== -1) open.length = opening
    else if (_open === true) open.push(length)
  }
  return (open.at(-1) ?? 0) % 2 === 1
}

/**
 * CommonMark 0.31 §6.2: underscores within a word are part of it, such as in `snake_case`. Two of them between East Asian
 * letters are emphasis, because such a name has other letters.
 */
const underscores = emphasis('_', ({ before, after, length }) => {
  const [left, right] = [mayOpen(before, after), mayOpen(after, before)]
  const wide = length > 1 && isWide(before) && isWide(after)
  return {
    open: wide || (left && (!right || isPunctuation(before))),
    close: wide || (right && (!left || isPunctuation(after))),
  }
})

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
          token._close = mayOpen(unit, before) || (isPunctuation(before) && isLetter(unit))
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
