import { t } from '@lingui/core/macro'
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser'

/** Something wrong with a JSON text, and where. */
export interface JsonFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** UTF-16 code units from the start. */
  readonly at: number
  readonly says: string
}

export type ReadInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly fault: JsonFault }

/** As the contract takes them (../../../../shared/job-ask.ts). */
const MAX_LENGTH = 64_000
const MAX_MEMBERS = 200
const MAX_NAME = 100

/** A request written as JSON: one object, that names no member twice. */
export function readInput(text: string): ReadInput {
  if (text.length > 4 * MAX_LENGTH) return { fault: faultAt(text, 0, t`This is more than a lookup takes: ${MAX_LENGTH} characters at most.`) }
  const found = firstFault(text)
  if (found) return { fault: found }
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return { fault: faultAt(text, text.search(/\S/), t`A lookup takes one object, between curly braces.`) }
    const members: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(input))
    const long = Object.keys(members).find((name) => name === '' || name.length > MAX_NAME)
    if (long !== undefined) return { fault: faultAt(text, Math.max(0, text.indexOf(JSON.stringify(long))), t`A field’s name has 1 to ${MAX_NAME} characters.`) }
    if (Object.keys(members).length > MAX_MEMBERS || JSON.stringify(members).length > MAX_LENGTH) return { fault: faultAt(text, 0, t`This is more than a lookup takes: ${MAX_MEMBERS} fields and ${MAX_LENGTH} characters at most.`) }
    return { input: members }
  } catch {
    return { fault: faultAt(text, text.length, t`This is no JSON.`) }
  }
}

/** By a parser that tells places; what it lets through is parsed by the browser's own. */
function firstFault(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined
  const open: Set<string>[] = []
  try {
    visit(text, {
      onObjectBegin: () => { open.push(new Set()) },
      onObjectEnd: () => { open.pop() },
      onObjectProperty: (name, at) => {
        const names = open.at(-1)
        if (names?.has(name) === true) fault ??= faultAt(text, at, t`This field stands here twice.`)
        names?.add(name)
      },
      onError: (code, at) => { fault ??= faultAt(text, at, saysOf(code)) },
    }, { disallowComments: true })
  } catch {
    // Nested so deep that it cannot be gone through.
    return faultAt(text, 0, t`This is nested too deep.`)
  }
  return fault
}

function saysOf(code: ParseErrorCode): string {
  switch (printParseErrorCode(code)) {
    case 'PropertyNameExpected': return t`A field’s name in double quotes is missing here.`
    case 'ValueExpected': return t`A value is missing here. Texts stand in double quotes.`
    case 'ColonExpected': return t`A colon is missing here, between a field’s name and its value.`
    case 'CommaExpected': return t`A comma is missing here, between one field and the next.`
    case 'CloseBraceExpected': return t`A closing curly brace is missing here.`
    case 'CloseBracketExpected': return t`A closing square bracket is missing here.`
    case 'EndOfFileExpected': return t`The object has ended, and something follows it here.`
    case 'UnexpectedEndOfString': return t`The text that begins here has no closing double quote.`
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber': return t`This is no number of JSON.`
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter': return t`This text has a backslash that stands for nothing in JSON.`
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment': return t`JSON has no comments.`
    case 'InvalidCharacter': return t`This text has a line break or another control character in it.`
    default: return t`This is no value of JSON. Texts stand in double quotes.`
  }
}

function faultAt(text: string, at: number, says: string): JsonFault {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { at, line, column: at - before.lastIndexOf('\n'), says }
}
