/**
 * Prompts with variables:
 *
 *   {{name}}            a variable
 *   {{name=default}}    a variable with a default
 *   {{name|one|two}}    one of these choices, the first by default
 *   \{{                 two literal braces
 *
 * Within the braces, `\` escapes one of `\ { } | =`. Anything else is text, so that code with braces can be part of a
 * prompt.
 */
export type PromptPart = string | PromptVariable

export interface PromptVariable {
  readonly name: string
  readonly default?: string
  /** At least one. */
  readonly choices?: readonly string[]
}

const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .-]{0,59}$/u
const MOST_CHOICES = 50

/** Splits the text into pieces and variables. Never throws; runs in linear time. */
export function parsePrompt(text: string): PromptPart[] {
  const parts: PromptPart[] = []
  let literal = ''
  let at = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    let slashes = 0
    while (open - slashes > at && text[open - slashes - 1] === '\\') slashes += 1
    // Before braces each pair of backslashes is one, and an odd one takes the braces' meaning from them.
    literal += text.slice(at, open - slashes) + '\\'.repeat(Math.floor(slashes / 2))
    const found = slashes % 2 === 1 ? undefined : readVariable(text, open + 2)
    if (found) {
      if (literal !== '') parts.push(literal)
      literal = ''
      parts.push(found.variable)
      at = found.end
    } else {
      const length = slashes % 2 === 1 ? 2 : 1
      literal += '{'.repeat(length)
      at = open + length
    }
  }
  literal += text.slice(at)
  if (literal !== '') parts.push(literal)
  return parts
}

/** The variables, each name once. The first occurrence with more than the name counts. */
export function variablesOf(parts: readonly PromptPart[]): PromptVariable[] {
  const found = new Map<string, PromptVariable>()
  for (const part of parts) {
    if (typeof part === 'string') continue
    const known = found.get(part.name)
    if (!known || (isBare(known) && !isBare(part))) found.set(part.name, part)
  }
  return [...found.values()]
}

function isBare(variable: PromptVariable): boolean {
  return variable.default === undefined && variable.choices === undefined
}

/** The initial value of a variable's field. */
export function filledBeforehand({ default: initial, choices }: PromptVariable): string {
  return initial ?? choices?.[0] ?? ''
}

/** The prompt as it is sent. Values are text and nothing else: braces in them mean nothing. */
export function fillPrompt(parts: readonly PromptPart[], values: Readonly<Record<string, string>>): string {
  const asked = new Map(variablesOf(parts).map((variable) => [variable.name, variable]))
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      return Object.hasOwn(values, part.name)
        ? (values[part.name] ?? '')
        : filledBeforehand(asked.get(part.name) ?? part)
    })
    .join('')
}

/** @param from after the braces @returns undefined if no variable begins here */
function readVariable(
  text: string,
  from: number,
): { readonly variable: PromptVariable; readonly end: number } | undefined {
  const fields: string[] = []
  let kind: '=' | '|' | undefined
  let field = ''
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '}' && text[at + 1] === '}') {
      const variable = variableOf([...fields, field], kind)
      return variable && { variable, end: at + 2 }
    }
    if (sign === '\n' || sign === '{') return undefined
    if (sign === '\\' && /[\\{}|=]/.test(text.charAt(at + 1))) {
      at += 1
      field += text.charAt(at)
    } else if ((sign === '|' && kind !== '=') || (sign === '=' && kind === undefined)) {
      kind = sign === '=' ? '=' : '|'
      fields.push(field)
      field = ''
    } else field += sign
  }
  return undefined
}

function variableOf(
  [written = '', ...rest]: readonly string[],
  kind: '=' | '|' | undefined,
): PromptVariable | undefined {
  const name = written.trim()
  if (!NAME.test(name) || rest.length > MOST_CHOICES) return undefined
  if (kind === undefined) return { name }
  if (kind === '=') return { name, default: rest[0] ?? '' }
  const choices = [...new Set(rest.map((choice) => choice.trim()).filter((choice) => choice !== ''))]
  return choices.length > 0 ? { name, choices } : undefined
}
