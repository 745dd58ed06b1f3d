import { deniedEverywhere, deniedInWindow } from './deny-list.ts'
import { expandMessage, splitSentences, splitWords, type Text } from './text.ts'
import { alsoNouns, openings, verbs, wholeButtons } from './verbs.ts'

export type Rule = 'word' | 'length' | 'button' | 'busy' | 'heading' | 'placeholder'

/** A text that breaks a rule. */
export interface Finding extends Text {
  readonly rule: Rule
  /** The problem found, and the text to write instead. */
  readonly problem: string
}

/** How the rules apply to the texts of one source. */
export interface Register {
  /** The most words in a sentence. */
  readonly maxWords: number
  /** Whether the texts are shown in the window or the desktop app, which use contractions. */
  readonly inWindow: boolean
  /**
   * First words of the buttons next to a text, in the files of the same folder. A dialog's title may start
   * with such a word, because the button answers it.
   */
  readonly answers?: (text: Text) => ReadonlySet<string>
}

const MAX_BUTTON_WORDS = 4
/** A label for screen readers names the item that a button is for. */
const MAX_LABEL_WORDS = 6
const MAX_PLACEHOLDER_WORDS = 10
const ARTICLES = new Set(['a', 'an', 'the', 'this'])
const FINITE_VERB =
  /(?<![-\p{L}])(?:is|are|was|were|has|have|had|can|will|do|does|did|\p{L}+n[’']t)(?![-\p{L}])/iu
const FULL_STOP = /[.!]["”’)]?$/u

/** Applies every rule to a text. @returns what must change, in the order of the rules */
export function checkText(text: Text, register: Register): readonly Finding[] {
  const forms = expandMessage(text.text)
  const problems = new Map<string, Rule>()
  for (const form of forms) {
    for (const problem of findDenied(form, register)) problems.set(problem, 'word')
    for (const problem of findLong(form, register.maxWords)) problems.set(problem, 'length')
    for (const [rule, problem] of findMisnamed(form, text, register)) problems.set(problem, rule)
  }
  return [...problems].map(([problem, rule]) => ({ ...text, rule, problem }))
}

function findDenied(form: string, { inWindow }: Register): readonly string[] {
  const denied = inWindow ? [...deniedEverywhere, ...deniedInWindow] : deniedEverywhere
  return splitSentences(form).flatMap((sentence) =>
    denied.flatMap(({ pattern, better }) => {
      const found = pattern.exec(sentence)?.[0]
      return found === undefined ? [] : [`“${found}” → ${better}`]
    }),
  )
}

function findLong(form: string, most: number): readonly string[] {
  return splitSentences(form).flatMap((sentence) => {
    const count = splitWords(sentence).length
    return count > most ? [`a sentence of ${count} words, at most ${most}: “${sentence.slice(0, 60)}”`] : []
  })
}

function findMisnamed(form: string, text: Text, { answers }: Register): readonly (readonly [Rule, string])[] {
  switch (text.role) {
    case 'text':
      return []
    case 'button':
      return asRule('button', findInButton(form, MAX_BUTTON_WORDS))
    case 'label':
      return asRule('button', findInButton(form, MAX_LABEL_WORDS))
    case 'busy':
      return asRule(
        'busy',
        /^\p{Lu}\p{L}*ing(?![-\p{L}]).*…$/u.test(form) ? undefined : 'a running button is “Loading models…”',
      )
    case 'heading':
      return asRule('heading', findInHeading(form))
    case 'title':
      return asRule(
        'heading',
        form.endsWith('?') || answers?.(text).has(findFirstWord(form)) === true
          ? undefined
          : findInHeading(form),
      )
    case 'placeholder':
      return asRule('placeholder', findInPlaceholder(form))
  }
}

function asRule(rule: Rule, problem: string | undefined): readonly (readonly [Rule, string])[] {
  return problem === undefined ? [] : [[rule, problem]]
}

/** Returns the first word without trailing punctuation or placeholders. */
export function findFirstWord(text: string): string {
  return (splitWords(text)[0] ?? '').replace(/[^\p{L}’]+$/u, '')
}

/** A button that opens a dialog ends with an ellipsis. Articles don't count. */
function findInButton(form: string, most: number): string | undefined {
  if (FULL_STOP.test(form)) return 'a button is no sentence'
  const name = form.replace(/\s*\ufffc?…$/u, '')
  if (wholeButtons.has(name)) return undefined
  const nameWords = splitWords(name).filter((word) => !ARTICLES.has(word))
  const first = findFirstWord(name)
  if (nameWords.length === 1 && name === first)
    return 'a button is verb + noun, or in wholeButtons of lint/words/verbs.ts'
  if (!verbs.has(first) && !openings.has(first))
    return `a button starts with a verb; “${first}” isn’t in lint/words/verbs.ts`
  return nameWords.length > most ? `a button of ${nameWords.length} words, at most ${most}` : undefined
}

function findInHeading(form: string): string | undefined {
  const headingWords = splitWords(form)
  const first = findFirstWord(form)
  if (FULL_STOP.test(form) || splitSentences(form).length > 1) return 'a heading is no sentence'
  if (/^(?:What|Where|Who|How|Why|When|Whether)(?:[’']s)?(?![-\p{L}])/u.test(form))
    return 'a heading is a noun, not a clause'
  if (FINITE_VERB.test(form)) return 'a heading is a noun, not a sentence'
  return headingWords.length > 1 && verbs.has(first) && !alsoNouns.has(first)
    ? 'a heading is a noun, not an instruction'
    : undefined
}

function findInPlaceholder(form: string): string | undefined {
  if (/[.!?]$/u.test(form) || FINITE_VERB.test(form) || /^(?:Enter|Type|Please)(?![-\p{L}])/u.test(form))
    return 'a placeholder is an example or a noun'
  const count = splitWords(form).length
  return count > MAX_PLACEHOLDER_WORDS
    ? `a placeholder of ${count} words, at most ${MAX_PLACEHOLDER_WORDS}`
    : undefined
}
