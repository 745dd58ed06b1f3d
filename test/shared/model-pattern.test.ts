import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findAlias, forbiddenAlias, matchesModel } from '../../src/shared/model-pattern.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '/', '*', '[', '.', ':'),
  minLength: 1,
  maxLength: 8,
})
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[^ab:]/g, '\\$&'))
      .join('[^]*')}$`,
  )

describe('an alias', () => {
  it.each([
    ['claude-*haiku*', 'claude-3-5-haiku-20241022', true],
    ['claude-*haiku*', 'claude-opus-4', false],
    ['*:latest', 'llama3:latest', true],
    ['*[1m]', 'claude-sonnet-4[1m]', true],
    ['*[1m]', 'claude-sonnet-41', false],
    ['gpt-4o', 'gpt-4o', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['gpt-4o', 'GPT-4o', false],
  ])('%s is of %s: %s', (pattern, name, matches) => {
    expect(findAlias({ aliases: [{ pattern, model: 'm' }] }, name) !== undefined).toBe(matches)
  })

  it('is the first that matches, and there is none without a match', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 5 }),
        text.map((name) => name.replaceAll('*', '')),
        (patterns, name) => {
          const aliases = patterns.map((pattern, at) => ({ pattern, model: String(at) }))
          const expected = patterns.findIndex((pattern) => expressionOf(pattern).test(name))
          expect(findAlias({ aliases }, name)?.model).toBe(expected < 0 ? undefined : String(expected))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('is of no name that is longer than any of a model', () => {
    expect(findAlias({ aliases: [{ pattern: '*', model: 'm' }] }, 'a'.repeat(200))).toBeDefined()
    expect(findAlias({ aliases: [{ pattern: '*', model: 'm' }] }, 'a'.repeat(201))).toBeUndefined()
  })

  it('is forbidden if the key may not use its model', () => {
    const aliases = [
      { pattern: 'a', model: 'private/x' },
      { pattern: 'b', model: 'open/y' },
    ]
    expect(forbiddenAlias({ aliases })).toBeUndefined()
    expect(forbiddenAlias({ aliases, atLeast: 'sealed' })).toEqual(aliases[1])
    expect(forbiddenAlias({ aliases, models: ['open/*'] })).toEqual(aliases[0])
  })
})

it('a pattern that makes a backtracking matcher slow is matched at once', () => {
  const startedAt = performance.now()
  for (let round = 0; round < 1_000; round += 1)
    expect(matchesModel('a*'.repeat(99) + 'b', 'a'.repeat(200))).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
