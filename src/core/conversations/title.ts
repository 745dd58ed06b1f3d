import { cleanDisplayName } from '../../shared/display-name.ts'
import { isGreeting, withoutPoliteness } from './title-politeness.ts'

const LENGTH = 60
/** Cut at the end of a word if at least this many characters remain. */
const LEAST = 30
/** A shorter sentence rarely states a subject, so the next one of the line follows. */
const SHORT = 20
/** UTF-16 units that are read from the beginning of a text, and from the end of a longer one. */
const HEAD = 4000
const TAIL = 1000
/** A text with more lines has pasted content. */
const PASTED_LINES = 12

/**
 * The title is created on this computer, so that no text is sent for it. It states the subject: the first sentence that isn't a greeting,
 * without Markdown and polite phrases. After pasted content, the question at the end counts.
 */
export function titleOf(text: string): string {
  const lines = linesOf(text.slice(0, HEAD))
  const prose = withoutCode(lines)
  const subject =
    questionAfterPaste(text, prose) ??
    firstSubject(prose) ??
    // Only code, or only a greeting.
    prose.map(plainLine).find(hasWord) ??
    lines.map(plainLine).find(hasWord)
  return subject === undefined ? 'New chat' : shortened(subject)
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}

const FENCE = /^ {0,3}(?:```|~~~)/

/** Without fenced code. A fence that doesn't end is code to the end. */
function withoutCode(lines: readonly string[]): string[] {
  let isCode = false
  return lines.filter((line) => {
    const isFence = FENCE.test(line)
    if (isFence) isCode = !isCode
    return !isFence && !isCode
  })
}

/** One line without Markdown, on one line of visible characters. */
function plainLine(line: string): string {
  return cleanDisplayName(
    line.replace(/^[\s#>*+\-=|`~]+/, '').replaceAll(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1'),
  )
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

const QUESTION_END = /[?？؟;՞።]$/
const INTRODUCTION_END = /[:：?？؟]$/

/** The last line, if it asks about a long text above it that no first line introduces. */
function questionAfterPaste(text: string, prose: readonly string[]): string | undefined {
  if (text.length <= HEAD && prose.length <= PASTED_LINES) return undefined
  if (
    prose
      .slice(0, 3)
      .map(plainLine)
      .some((line) => INTRODUCTION_END.test(line) && !isGreeting(line))
  )
    return undefined
  const last = linesOf(text.slice(-TAIL)).map(plainLine).findLast(hasWord)
  return last !== undefined && QUESTION_END.test(last) ? firstSubject([last]) : undefined
}

function firstSubject(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const read = sentencesOf(plainLine(line)).filter((sentence) => hasWord(sentence))
    const from = read.findIndex((sentence) => !isGreeting(sentence))
    if (from < 0) continue
    let subject = ''
    for (const sentence of read.slice(from)) {
      if (subject.length >= SHORT) break
      subject += sentence
    }
    return withoutPoliteness(subject.trim())
  }
  return undefined
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wordSegments = new Intl.Segmenter(undefined, { granularity: 'word' })

function sentencesOf(line: string): string[] {
  return Array.from(sentences.segment(line), ({ segment }) => segment)
}

/**
 * Code units of one character: a joined emoji can have eleven, and a character with a hundred accents must
 * not fill the list.
 */
const LONGEST_CHARACTER = 16

/** Shortens to at most `length` graphemes, and at the end of a word if possible, also in scripts without spaces. */
export function shortened(title: string, length = LENGTH): string {
  const looked = title.slice(0, length * LONGEST_CHARACTER)
  const characters = Array.from(graphemes.segment(looked), ({ segment }) => segment)
  if (looked === title && characters.length <= length) return title
  // If the text was cut before, its last grapheme may be incomplete.
  const cut = characters.slice(0, Math.min(length, characters.length) - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space >= LEAST ? space : wordEnd(looked, cut.length)).trimEnd()}…`
}

/** The last end of a word up to this place; the place itself if it is within the only word. */
function wordEnd(text: string, place: number): number {
  let end = 0
  for (const { index } of wordSegments.segment(text)) {
    if (index > place) break
    end = index
  }
  return end >= Math.min(LEAST, place) ? end : place
}
