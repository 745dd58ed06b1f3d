/** One challenge of a WWW-Authenticate field. */
export interface Challenge {
  /** Lowercase. */
  readonly scheme: string
  readonly token68?: string
  /** Names in lowercase; values without their quotes. */
  readonly params: ReadonlyMap<string, string>
}

/** The field isn't a list of challenges, or it's too large. The error's text quotes nothing of the field. */
export class ChallengeSyntaxError extends Error {
  override name = 'ChallengeSyntaxError'
}

const MAX_LENGTH = 64 * 1024
const MAX_CHALLENGES = 16
const MAX_PARAMS = 32

/** RFC 9110 section 5.6.2. */
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
/** Section 11.2. It only counts before a comma or the end. */
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y
/** Section 5.6.4: qdtext and quoted pairs, without controls. */
const QUOTED = /"((?:[\t !\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*)"/y
/** A token, or base64, because some servers don't quote it. */
const BARE_VALUE = /[!#$%&'*+\-.^_`|~0-9A-Za-z/=:]+/y
const GAP = /[ \t]*/y
const SEPARATORS = /[ \t,]*/y

/**
 * Parses the challenges of one field value, which may join several lines (RFC 9110 section 11.6.1). A missing
 * comma between parameters is accepted.
 * @throws {ChallengeSyntaxError} a duplicate parameter, an open quote, or any control character
 */
export function parseChallenges(field: string): Challenge[] {
  if (field.length > MAX_LENGTH) throw new ChallengeSyntaxError('too long')
  const challenges: { scheme: string; token68?: string; params: Map<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(field)
    if (match) at = pattern.lastIndex
    return match
  }
  for (take(SEPARATORS); at < field.length; take(SEPARATORS)) {
    const name = take(TOKEN)?.[0].toLowerCase()
    if (name === undefined) throw new ChallengeSyntaxError('a name was expected')
    const spaced = (take(GAP)?.[0] ?? '') !== ''
    const current = challenges.at(-1)
    if (field[at] === '=' && current && current.token68 === undefined) {
      at++
      take(GAP)
      const value = take(QUOTED)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? take(BARE_VALUE)?.[0]
      if (value === undefined) throw new ChallengeSyntaxError('a value was expected')
      if (current.params.has(name)) throw new ChallengeSyntaxError('a parameter is named twice')
      if (current.params.size >= MAX_PARAMS) throw new ChallengeSyntaxError('too many parameters')
      current.params.set(name, value)
      continue
    }
    if (at < field.length && field[at] !== ',' && !spaced)
      throw new ChallengeSyntaxError('a space was expected')
    if (challenges.length >= MAX_CHALLENGES) throw new ChallengeSyntaxError('too many challenges')
    const token68 = spaced ? take(TOKEN68)?.[0] : undefined
    challenges.push({ scheme: name, params: new Map(), ...(token68 !== undefined && { token68 }) })
  }
  return challenges
}
