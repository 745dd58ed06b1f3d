import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import type { PlaintextForm } from './plaintext-request.ts'

/** Rounds of percent-decoding: more than any chain of readers does. */
const DECODINGS = 3
/** What some reader may take for the slash. */
const SLASHES = /[\\\u2044\u2215\u29f5\u29f8\ufe68]/g
/** White space, controls, marks that join what stands before them, and fillers: nobody sees them. */
const UNSEEN = /[\s\p{C}\p{Z}\p{M}\u115f\u1160\u3164]/gu

/** What folding leaves as it is, but for its case. */
const PLAIN = /^[\w./:-]*$/

/** As the most forgiving reader could read it: decoded, in compatible characters without their accents, lower case, without what is not seen. */
function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  let plain = text
  for (let round = 0; round < DECODINGS && plain.includes('%'); round++) {
    // A part that is no code stays as it is.
    plain = plain.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
  }
  return plain.normalize('NFKD').replaceAll(UNSEEN, '').replaceAll(SLASHES, '/').toLowerCase()
}

/**
 * Whether a name could be taken for that of a private model, in any spelling. Longer texts are no names. It decides what is
 * refused by privacy/path: that nothing else can be called is ensured by the listings, which are compared byte for byte.
 */
export function looksPrivate(name: string): boolean {
  return name.length <= 2000 && /^[^a-z0-9]*private[^a-z0-9]*\//.test(folded(name))
}

/** A member that names a model to some reader: `model`, `Models`, `fallback_model`; and the voice, which may stand for one. */
function namesModel(member: string): boolean {
  const plain = member.length <= 200 ? folded(member) : ''
  return plain.includes('model') || plain === 'voice' || plain === 'engine' || plain === 'deployment'
}

/**
 * Throws privacy/path where a request that the service would read names a private model, at any depth and in lists: what
 * is not the one member that this service reads may be the one that another reads. Throws request/invalid where a member that names
 * models holds more than 20,000 characters and names.
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

/** What a chat says, and what its tools are called, are words: they name no model. */
const WORDS: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'functions',
  'response_format',
  'metadata',
  'model',
])

/** As refusePrivateNames, of a chat completion that is not sealed; its own model is compared with the listing. */
export function refusePrivateNamesInChat(body: JsonObject): void {
  for (const [member, value] of adjacentText(body)) {
    if (namesModel(member)) refuseStrings(value)
    else refusePrivateNames(value)
  }
}

/** The names of models that a chat completion has at its top beside `model`: a service may take any of them instead. Throws request/invalid, as refusePrivateNames. */
export function otherModels(body: JsonObject): readonly string[] {
  const names: string[] = []
  for (const [member, value] of adjacentText(body))
    if (namesModel(member)) forEachName(value, (name) => void names.push(name))
  return names
}

/** Members that may name something: numbers and truth values, most of what there is, do not. */
function adjacentText(body: JsonObject): [string, JsonValue][] {
  const members: [string, JsonValue][] = []
  for (const member in body) {
    const value = body[member]
    if ((typeof value === 'string' || typeof value === 'object') && value !== null && !WORDS.has(member))
      members.push([member, value])
  }
  return members
}

/** As refusePrivateNames, of a form. */
export function refusePrivateFields({ fields, files }: PlaintextForm): void {
  for (const [name, value] of fields) if (namesModel(name)) refuseStrings(value)
  for (const { field, upload } of files)
    if (namesModel(field) && looksPrivate(upload.name)) throw privatePath()
}

function refuseStrings(value: JsonValue): void {
  forEachName(value, (name) => {
    // A list that is written into one text, as forms and queries do it.
    if ([name, ...name.split(/[\s,;"'[\]{}]+/)].some(looksPrivate)) throw privatePath()
  })
}

/** Characters of names, and names, that a member can have: each is looked at before anything else may go on. */
const MAX_NAMES_LENGTH = 20_000

/** Throws request/invalid where there is more than any list of models has. */
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
 * A name without a listing to compare it with leaves only where it cannot be a private model's: those have a slash, and
 * every disguise of one is of other characters.
 */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,199}$/.test(name)
}
