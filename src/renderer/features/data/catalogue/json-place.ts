import { t } from '@lingui/core/macro'
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser'

/** Something wrong with a JSON text, and where. */
export interface JsonFault {
  /** Starts at 1. */
  readonly line: number
  readonly column: number
  /** UTF-16 code units from the start. */
  readonly at: number
  readonly message: string
}

export type ReadInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly fault: JsonFault }

/** The limits of the contract (../../../../shared/job-ask.ts). */
const MAX_LENGTH = 64_000
const MAX_MEMBERS = 200
const MAX_NAME = 100

/** A request written as JSON: one object, that names no member twice. */
export function readInput(text: string): ReadInput {
  if (text.length > 4 * MAX_LENGTH)
    return { fault: faultAt(text, 0, t`Too long for a lookup. Use up to ${MAX_LENGTH} characters.`) }
  const found = firstFault(text)
  if (found) return { fault: found }
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { fault: faultAt(text, text.search(/\S/), t`A lookup needs one JSON object in curly braces.`) }
    const members: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(input))
    const long = Object.keys(members).find((name) => name === '' || name.length > MAX_NAME)
    if (long !== undefined)
      return {
        fault: faultAt(
          text,
          Math.max(0, text.indexOf(JSON.stringify(long))),
          t`Field names must have 1 to ${MAX_NAME} characters.`,
        ),
      }
    if (Object.keys(members).length > MAX_MEMBERS || JSON.stringify(members).length > MAX_LENGTH)
      return {
        fault: faultAt(
          text,
          0,
          t`Too large for a lookup. Use up to ${MAX_MEMBERS} fields and ${MAX_LENGTH} characters.`,
        ),
      }
    return { input: members }
  } catch {
    return { fault: faultAt(text, text.length, t`Invalid JSON.`) }
  }
}

/**
 * Uses a parser that reports positions. The browser's own parser then parses the text if this one finds no
 * fault.
 */
function firstFault(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined
  const open: Set<string>[] = []
  try {
    visit(
      text,
      {
        onObjectBegin: () => {
          open.push(new Set())
        },
        onObjectEnd: () => {
          open.pop()
        },
        onObjectProperty: (name, at) => {
          const names = open.at(-1)
          if (names?.has(name) === true) fault ??= faultAt(text, at, t`Duplicate field.`)
          names?.add(name)
        },
        onError: (code, at) => {
          fault ??= faultAt(text, at, describeError(code))
        },
      },
      { disallowComments: true },
    )
  } catch {
    // Nested so deep that it cannot be gone through.
    return faultAt(text, 0, t`Nested too deeply.`)
  }
  return fault
}

function describeError(code: ParseErrorCode): string {
  switch (printParseErrorCode(code)) {
    case 'PropertyNameExpected':
      return t`Missing field name in double quotes.`
    case 'ValueExpected':
      return t`Missing value. Put text in double quotes.`
    case 'ColonExpected':
      return t`Missing colon between a field name and its value.`
    case 'CommaExpected':
      return t`Missing comma between fields.`
    case 'CloseBraceExpected':
      return t`Missing closing curly brace.`
    case 'CloseBracketExpected':
      return t`Missing closing square bracket.`
    case 'EndOfFileExpected':
      return t`Unexpected text after the end of the object.`
    case 'UnexpectedEndOfString':
      return t`Missing closing double quote for the text that starts here.`
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return t`Invalid number.`
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return t`Invalid escape sequence after the backslash.`
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return t`JSON doesn’t allow comments.`
    case 'InvalidCharacter':
      return t`Text can’t contain line breaks or other control characters.`
    default:
      return t`Invalid value. Put text in double quotes.`
  }
}

function faultAt(text: string, at: number, message: string): JsonFault {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { at, line, column: at - before.lastIndexOf('\n'), message }
}
