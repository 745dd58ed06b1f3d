import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fillPrompt,
  filledBeforehand,
  parsePrompt,
  variablesOf,
  type PromptPart,
  type PromptVariable,
} from '../../src/shared/prompt-template.ts'

describe('a prompt with variables', () => {
  it('parses each form of a variable', () => {
    expect(parsePrompt('Translate into {{language=English}}, {{tone|plain|formal}}: {{text}}.')).toEqual([
      'Translate into ',
      { name: 'language', default: 'English' },
      ', ',
      { name: 'tone', choices: ['plain', 'formal'] },
      ': ',
      { name: 'text' },
      '.',
    ])
    expect(parsePrompt('{{ Größe in m }}{{空白}}')).toEqual([{ name: 'Größe in m' }, { name: '空白' }])
    expect(parsePrompt('{{x=}}')).toEqual([{ name: 'x', default: '' }])
  })

  it('leaves other braces as text', () => {
    for (const text of [
      '',
      '{',
      '{{',
      '}}',
      '{{}}',
      '{{ }}',
      '{{#if user}}',
      '{{/if}}',
      '{{> partial}}',
      '{{a\nb}}',
      '{{a|}}',
      '{{a',
      '{{{',
      '{%x%}',
      '{{a{{',
      `{{${'n'.repeat(61)}}}`,
    ]) {
      expect(parsePrompt(text), text).toEqual(text === '' ? [] : [text])
    }
  })

  it('supports braces and backslashes escaped by a backslash', () => {
    expect(parsePrompt('\\{{name}}')).toEqual(['{{name}}'])
    expect(parsePrompt('\\\\{{name}}')).toEqual(['\\', { name: 'name' }])
    expect(parsePrompt('\\\\\\{{name}}')).toEqual(['\\{{name}}'])
    expect(parsePrompt('C:\\new\\')).toEqual(['C:\\new\\'])
    expect(parsePrompt('{{{name}}}')).toEqual(['{', { name: 'name' }, '}'])
    expect(parsePrompt('{{sign|\\||\\}|a\\=b|\\\\}}')).toEqual([
      { name: 'sign', choices: ['|', '}', 'a=b', '\\'] },
    ])
    expect(parsePrompt('{{rule=a|b=c}}')).toEqual([{ name: 'rule', default: 'a|b=c' }])
  })

  it('asks for each variable once, with the most detailed form', () => {
    expect(variablesOf(parsePrompt('{{a}} {{b|1|2}} {{a=x}} {{a=y}} {{b}}'))).toEqual([
      { name: 'a', default: 'x' },
      { name: 'b', choices: ['1', '2'] },
    ])
  })

  it('fills in the given values, and defaults for the others', () => {
    const parts = parsePrompt('{{a}}-{{a=x}}-{{b|1|2}}-{{c}}')
    expect(fillPrompt(parts, {})).toBe('x-x-1-')
    expect(fillPrompt(parts, { a: '{{b}}$&', b: '' })).toBe('{{b}}$&-{{b}}$&--')
    expect(fillPrompt(parsePrompt('{{constructor}}{{__proto__}}'), {})).toBe('')
  })
})

describe('for any prompt', () => {
  const name = fc.stringMatching(/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,20}$/u).map((text) => text.trim())
  const field = fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', ' '))
  const choice = field.map((text) => text.trim()).filter((text) => text !== '')
  const variable: fc.Arbitrary<PromptVariable> = fc.oneof(
    fc.record({ name }),
    fc.record({ name, default: field }),
    fc.record({ name, choices: fc.uniqueArray(choice, { minLength: 1, maxLength: 5 }) }),
  )
  const literal = fc
    .array(fc.constantFrom('{', '}', '\\', '|', '=', 'a', ' ', '\n', 'é'), { minLength: 1, maxLength: 12 })
    .map((signs) => signs.join(''))

  it('writing and parsing it gives the same parts', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(literal, variable), { maxLength: 8 }), (parts) => {
        const joined = parts.reduce<PromptPart[]>((all, part) => {
          const last = all.at(-1)
          return typeof last === 'string' && typeof part === 'string'
            ? [...all.slice(0, -1), last + part]
            : [...all, part]
        }, [])
        expect(parsePrompt(written(joined))).toEqual(joined)
      }),
      { numRuns: 2000 },
    )
  })

  it('parsing never fails, and text without two braces stays itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{{', '}}', '{', '}', '\\', '|', '=', 'a', '\n'), maxLength: 60 }),
        (text) => {
          const parts = parsePrompt(text)
          fillPrompt(parts, {})
          for (const each of variablesOf(parts)) expect(typeof filledBeforehand(each)).toBe('string')
          if (!text.includes('{{')) expect(parts).toEqual(text === '' ? [] : [text])
        },
      ),
    )
  })

  it('parsing a hostile text is fast', () => {
    for (const unit of ['{{a=', '{', '\\', '{{a|', '{{a}} '])
      expect(() => parsePrompt(unit.repeat(200_000))).not.toThrow()
  })
})

/** The other way round: what a person would have to type for these parts. */
function written(parts: readonly PromptPart[]): string {
  return parts
    .map((part, at) => {
      if (typeof part !== 'string') return writtenVariable(part)
      const escaped = part.replaceAll(/(\\*)\{\{/g, '$1$1\\{{')
      return typeof parts[at + 1] === 'object' ? escaped.replace(/(\\+)(\{?)$/, '$1$1$2') : escaped
    })
    .join('')
}

function writtenVariable({ name, default: defaultValue, choices }: PromptVariable): string {
  const safe = (text: string): string => text.replaceAll(/[\\{}|=]/g, '\\$&')
  if (defaultValue !== undefined) return `{{${name}=${safe(defaultValue)}}}`
  return choices ? `{{${name}|${choices.map(safe).join('|')}}}` : `{{${name}}}`
}
