/** The use of a text. A role decides which rules apply in addition to those for all texts. */
export type Role = 'text' | 'button' | 'label' | 'busy' | 'heading' | 'title' | 'placeholder'

/** A text that a person reads, before any place in it is filled. */
export interface Text {
  /** `file:line`, relative to the repository. */
  readonly place: string
  readonly text: string
  readonly role: Role
}

/** Stands for a value, an element or code. It counts as one word. */
export const PLACE = '\ufffc'

const PLURAL = /^\w+, plural, /
const TAG = /<\d+\/>/g
const WRAPPING_TAG = /<\/?\d+>/g
/** A quoted part of an ICU message is literal text, such as a template's braces. */
const QUOTED = /'([{}<#][^']*)'/g
const SENTENCE_END = /(?<=[.?!…]["”’)\]]?)\s+(?=["“([]?[\p{Lu}\p{N}\ufffc])|\n+/u
const IN_A_WORD = /[\p{L}\p{N}\ufffc#]/u

/**
 * Expands an ICU message into what it can say: once with the singular and once with the plural branches.
 * @returns one string if the message has no plural; values and empty elements are {@link PLACE}
 */
export function expandMessage(message: string): readonly string[] {
  const literal = message.replaceAll(QUOTED, PLACE).replaceAll("''", "'")
  const expanded = ['one', 'other'].map((form) =>
    expandBranch(literal, form).replaceAll(TAG, PLACE).replaceAll(WRAPPING_TAG, ''),
  )
  return [...new Set(expanded)]
}

function expandBranch(message: string, form: string): string {
  let expanded = ''
  let at = 0
  while (at < message.length) {
    const open = message.indexOf('{', at)
    const close = open < 0 ? -1 : findClosingBrace(message, open)
    if (close < 0) break
    const inside = message.slice(open + 1, close)
    expanded +=
      message.slice(at, open) + (PLURAL.test(inside) ? expandBranch(selectBranch(inside, form), form) : PLACE)
    at = close + 1
  }
  return expanded + message.slice(at)
}

function findClosingBrace(message: string, open: number): number {
  let depth = 0
  for (let at = open; at < message.length; at++) {
    if (message[at] === '{') depth++
    else if (message[at] === '}' && --depth === 0) return at
  }
  return -1
}

/** @param plural `count, plural, one {…} other {…}` */
function selectBranch(plural: string, form: string): string {
  for (const name of [form, 'other']) {
    const start = new RegExp(`\\b${name} \\{`).exec(plural)
    if (!start) continue
    const open = start.index + start[0].length - 1
    return plural.slice(open + 1, findClosingBrace(plural, open))
  }
  return ''
}

/**
 * Splits at full stops, question and exclamation marks, ellipses and line breaks. A colon or semicolon ends
 * no sentence.
 */
export function splitSentences(text: string): readonly string[] {
  return text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Words, numbers and places. A dash or a dot between spaces is no word. */
export function splitWords(sentence: string): readonly string[] {
  return sentence.split(/\s+/).filter((word) => IN_A_WORD.test(word))
}
