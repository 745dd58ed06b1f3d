import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import type { PlaintextForm } from './plaintext-request.ts'

/** Rounds of percent-decoding: more than any chain of readers applies. */
const DECODINGS = 3
/** Characters that some reader may treat as the slash. */
const SLASHES = /[\\\u2044\u2215\u29f5\u29f8\ufe68]/g
/** Invisible characters: white space, controls, combining marks, and fillers. */
const UNSEEN = /[\s\p{C}\p{Z}\p{M}\u115f\u1160\u3164]/gu

/** Folding changes only the case of these characters. */
const PLAIN = /^[\w./:-]*$/

/**
 * Returns the text as the most lenient reader could read it: decoded, in compatible characters without accents,
 * in lowercase, and without invisible characters.
 */
function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  let plain = text
  for (let round = 0; round < DECODINGS && plain.includes('%'); round++) {
    // Text that is no percent-code remains unchanged.
    plain = plain.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
  }
  return plain.normalize('NFKD').replaceAll(UNSEEN, '').replaceAll(SLASHES, '/').toLowerCase()
}

/**
 * Whether a name could be read as that of a private model, in any spelling. Longer texts aren't names. It
 * only decides on the refusal by privacy/path. The listings, which are compared byte for byte, ensure that no
 * other model can be requested.
 */
export function looksPrivate(name: string): boolean {
  return name.length <= 2000 && /^[^a-z0-9]*private[^a-z0-9]*\//.test(folded(name))
}

/**
 * Whether a member names a model to some reader: `model`, `Models`, `fallback_model`, and the voice, which
 * may be the ID of a model.
 */
function namesModel(member: string): boolean {
  const plain = member.length <= 200 ? folded(member) : ''
  return plain.includes('model') || plain === 'voice' || plain === 'engine' || plain === 'deployment'
}

/**
 * Refuses a request to the service that names a private model at any depth and in lists, because another
 * reader may use a member that this service ignores.
 * @throws {SottoError} privacy/path; request/invalid – a member that names models has more than 20,000
 * characters and names
 */
export function refusePrivateNames(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) refusePrivateNames(item)
    return
  }
  for (const member in value) {
    const inner = value[member]
    if (inner === undefined) continue
    if (namesModel(member)) refuseStrings(inner)
    else refusePrivateNames(inner)
  }
}

/** The messages and tools of a chat: their text names no model. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'functions',
  'response_format',
  'metadata',
  'model',
])

/**
 * Like refusePrivateNames, for a chat completion that isn't sealed. Its own model is compared with the
 * listing.
 */
export function refusePrivateNamesInChat(body: JsonObject): void {
  for (const [member, value] of adjacentText(body)) {
    if (namesModel(member)) refuseStrings(value)
    else refusePrivateNames(value)
  }
}

/**
 * Returns the names of models at the top level of a chat completion other than `model`, because a service may
 * use any of them instead.
 * @throws {SottoError} request/invalid, like refusePrivateNames
 */
export function otherModels(body: JsonObject): readonly string[] {
  const names: string[] = []
  for (const [member, value] of adjacentText(body))
    if (namesModel(member)) forEachName(value, (name) => void names.push(name))
  return names
}

/** Returns the members that may contain a name, because most members are numbers and booleans. */
function adjacentText(body: JsonObject): [string, JsonValue][] {
  const members: [string, JsonValue][] = []
  for (const member in body) {
    const value = body[member]
    if (
      (typeof value === 'string' || typeof value === 'object') &&
      value !== null &&
      !TEXT_MEMBERS.has(member)
    )
      members.push([member, value])
  }
  return members
}

/** Like refusePrivateNames, for a form. */
export function refusePrivateFields({ fields, files }: PlaintextForm): void {
  for (const [name, value] of fields) if (namesModel(name)) refuseStrings(value)
  for (const { field, upload } of files)
    if (namesModel(field) && looksPrivate(upload.name)) throw privatePath()
}

function refuseStrings(value: JsonValue): void {
  forEachName(value, (name) => {
    // A list that is written as one text, as in forms and queries.
    if ([name, ...name.split(/[\s,;"'[\]{}]+/)].some(looksPrivate)) throw privatePath()
  })
}

/** The number of characters and names that a member may have. All are checked before the request continues. */
const MAX_NAMES_LENGTH = 20_000

/** @throws {SottoError} request/invalid – more than any list of models has */
function forEachName(value: JsonValue, look: (name: string) => void): void {
  let left = MAX_NAMES_LENGTH
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= typeof next === 'string' ? next.length + 1 : 1
    if (left < 0) throw new SottoError('request/invalid', { param: 'model' })
    if (typeof next === 'string') look(next)
    else if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) waiting.push(inner)
  }
}

function privatePath(): SottoError {
  return new SottoError('privacy/path', { param: 'model' })
}

/**
 * Whether a name that no listing contains may be sent. A private model's name has a slash, and every disguise
 * of the slash uses other characters.
 */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,199}$/.test(name)
}
