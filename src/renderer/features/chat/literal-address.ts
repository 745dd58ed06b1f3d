import type { Code, Construct, Event, State } from 'micromark-util-types'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    literalAutolink: 'literalAutolink'
    literalAutolinkHttp: 'literalAutolinkHttp'
    literalAutolinkWww: 'literalAutolinkWww'
  }
  interface Token {
    _gfmAutolinkLiteralWalkedInto?: boolean | undefined
  }
}

/** East Asian writing, and punctuation that it shares with others. */
const WIDE =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Yi}\u2010-\u2027\u2030-\u205E\u3000-\u303F\uFE30-\uFE4F\uFF00-\uFFEF]/u

/** Whether a UTF-16 unit belongs to text without spaces, or is half of a character beyond the first plane. */
export function isWide(unit: Code): boolean {
  if (unit === null || unit < 0x1100) return false
  return (unit >= 0xd800 && unit < 0xe000) || WIDE.test(String.fromCharCode(unit))
}

/** Punctuation, symbols and invisible characters outside ASCII: readers see an end, and resolvers may read a dot. */
const END = /[\p{P}\p{S}\p{Cf}\p{Z}]/u
/** Characters that may end a sentence or close a bracket around an address, if East Asian text follows. */
const TRAIL = '*~)"\'!,.;?'
/** Top-level domains that East Asian text may follow without a space. */
const TOP_LEVEL = /\.(?:[a-z]{2}|com|org|net|edu|gov|info|app|dev|xyz|site|online|example|test)$/i
const PREFIX = /^(?:https?:\/\/|(?=www\.))/i

/**
 * How much of a text is the web address that it begins with: 0 if it isn't one, or shows another host than it leads to. As
 * in GitHub's Markdown, punctuation at its end belongs to the sentence. Here it also ends where its writer ended it without
 * a space: at punctuation outside ASCII, and at East Asian text after its host or after punctuation.
 *
 * @param text - what follows up to a space, a line end or a `<`
 */
export function addressLength(text: string): number {
  const start = PREFIX.exec(text)?.[0].length
  if (start === undefined) return 0
  let hostEnd = -1
  let end = start
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end)
    if (hostEnd === -1 && /[/?#\\]/.test(text[end] ?? '')) hostEnd = end
    if (unit < 0x80) continue
    if (END.test(text[end] ?? '')) break
    if (!isWide(unit)) continue
    // In a host of East Asian names, a dot is between two of them.
    const inHost = hostEnd === -1 && text[end - 1] === '.' && hasWide(text.slice(start, end))
    if (TRAIL.includes(text[end - 1] ?? ' ') && !inHost) break
    if (hostEnd === -1 && TOP_LEVEL.test(text.slice(Math.max(start, end - 10), end))) break
  }
  const length = withoutTrail(text.slice(0, end)).length
  return isHonest(text.slice(start, length)) ? length : 0
}

const hasWide = (text: string): boolean => text.split('').some((unit) => isWide(unit.charCodeAt(0)))

/** GitHub Flavored Markdown 0.29 §6.9: closing brackets stay if they were opened in the address. */
function withoutTrail(address: string): string {
  let rest = address
  for (;;) {
    const entity = /&[a-z0-9]{1,32};$/i.exec(rest)?.[0].length
    const last = rest.at(-1) ?? ''
    const opened = last === ')' ? '(' : '['
    const isTrail =
      '?!.,:;*_~\'"'.includes(last) ||
      ((last === ')' || last === ']') && rest.split(last).length > rest.split(opened).length)
    if (rest === '' || (entity === undefined && !isTrail)) return rest
    rest = rest.slice(0, -(entity ?? 1))
  }
}

/** Not one with a name before its host, or with two scripts in its last label: these show another host than they have. */
function isHonest(address: string): boolean {
  const host = /^[^/?#\\]*/.exec(address)?.[0] ?? ''
  const labels = host.replace(/:\d*$/, '').split('.')
  const last = labels.at(-1) ?? ''
  return (
    /^[^\p{P}\p{S}]/u.test(host) &&
    !host.includes('@') &&
    !labels.slice(-2).some((label) => label.includes('_')) &&
    !(/[a-z]/i.test(last) && /\P{ASCII}/u.test(last))
  )
}

/** Reads the characters up to the end of a possible address, to look at them. */
function scan(seen: (text: string) => void): Construct {
  return {
    partial: true,
    tokenize(effects, ok) {
      let text = ''
      const inside: State = (unit) => {
        if (unit === null || unit <= 0x20 || unit === 0x3c) {
          effects.exit('data')
          seen(text)
          return ok(unit)
        }
        text += String.fromCharCode(unit)
        effects.consume(unit)
        return inside
      }
      return (unit) => {
        effects.enter('data')
        return inside(unit)
      }
    },
  }
}

/** The address that a literal one begins with, `http` or `www`. */
export function literalAddress(kind: 'literalAutolinkHttp' | 'literalAutolinkWww'): Construct {
  return {
    name: kind,
    previous: kind === 'literalAutolinkHttp' ? mayPrecedeHttp : mayPrecedeWww,
    tokenize(effects, ok, nok) {
      let left = 0
      const inside: State = (unit) => {
        if (left === 0) {
          effects.exit(kind)
          effects.exit('literalAutolink')
          return ok(unit)
        }
        left--
        effects.consume(unit)
        return inside
      }
      const begin: State = (unit) => {
        if (left === 0) return nok(unit)
        effects.enter('literalAutolink')
        effects.enter(kind)
        return inside(unit)
      }
      const look = effects.check(
        scan((text) => (left = addressLength(text))),
        begin,
        nok,
      )
      return (unit) => (isInLabel(this.events) ? nok(unit) : look(unit))
    },
  }
}

const mayPrecedeHttp = (unit: Code): boolean =>
  unit === null || unit < 0 || !/[a-z]/i.test(String.fromCharCode(unit))
const mayPrecedeWww = (unit: Code): boolean =>
  unit === null || unit <= 0x20 || isWide(unit) || '(*_[]~'.includes(String.fromCharCode(unit))

/** Inside the brackets of a possible link, which has its own address. The mark keeps the cost linear. */
function isInLabel(events: readonly Event[]): boolean {
  for (let index = events.length - 1; index >= 0; index--) {
    const token = events[index]?.[1]
    if ((token?.type === 'labelLink' || token?.type === 'labelImage') && !token._balanced) return true
    if (token?._gfmAutolinkLiteralWalkedInto) break
  }
  const last = events.at(-1)?.[1]
  if (last) last._gfmAutolinkLiteralWalkedInto = true
  return false
}
