import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksPrivate } from '../../../../src/core/gateway/relay/private-name.ts'
import { resolveModel } from '../../../../src/core/gateway/relay/resolve-model.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import { isPrivateModel } from '../../../../src/shared/privacy.ts'

const PRIVATE = 'private/x'
const VISIBLE = 'open/y'
const lists =
  (...ids: string[]) =>
  (id: string) =>
    Promise.resolve(ids.includes(id))

describe('a name', () => {
  it.each<[string, string, { pattern: string; model: string }[], string[], string]>([
    ['without an alias means itself', 'gpt-4o', [], [], 'gpt-4o'],
    ['that a pattern matches', 'claude-haiku', [{ pattern: 'claude-*', model: PRIVATE }], [], PRIVATE],
    [
      'that is listed, before a pattern',
      'claude-haiku',
      [{ pattern: 'claude-*', model: PRIVATE }],
      ['claude-haiku'],
      'claude-haiku',
    ],
    [
      'that is listed, after an alias of exactly that name',
      'gpt-4o',
      [{ pattern: 'gpt-4o', model: PRIVATE }],
      ['gpt-4o'],
      PRIVATE,
    ],
    [
      'of two aliases, by the first',
      'gpt-4o',
      [
        { pattern: 'gpt-*', model: VISIBLE },
        { pattern: 'gpt-4o', model: PRIVATE },
      ],
      [],
      VISIBLE,
    ],
    [
      'of a model is not the name of another alias again',
      'a',
      [
        { pattern: 'a', model: 'b' },
        { pattern: 'b', model: 'c' },
      ],
      [],
      'b',
    ],
    [
      'that looks private and means a private model',
      'private/old',
      [{ pattern: 'private/*', model: PRIVATE }],
      [],
      PRIVATE,
    ],
    [
      'that looks private and would mean another',
      'private/old',
      [{ pattern: '*', model: VISIBLE }],
      [],
      'private/old',
    ],
    [
      'that looks private in disguise',
      'PRIVATE%2Fold',
      [{ pattern: '*', model: VISIBLE }],
      [],
      'PRIVATE%2Fold',
    ],
  ])('%s', async (_, name, aliases, listed, expected) => {
    expect(await resolveModel(name, { aliases }, lists(...listed))).toBe(expected)
  })

  it('is not looked up without need', async () => {
    const fails = (): Promise<boolean> => Promise.reject(new SottoError('service/unreachable'))
    expect(
      await resolveModel(
        'gpt-4o',
        {
          aliases: [
            { pattern: 'gpt-4o', model: PRIVATE },
            { pattern: 'o*', model: PRIVATE },
          ],
        },
        fails,
      ),
    ).toBe(PRIVATE)
    expect(await resolveModel('gpt-4o', undefined, fails)).toBe('gpt-4o')
    // It is unknown whether the service lists it, so nothing is guessed.
    await expect(
      resolveModel('o3', { aliases: [{ pattern: 'o*', model: PRIVATE }] }, fails),
    ).rejects.toMatchObject({ code: 'service/unreachable' })
  })

  const part = fc.constantFrom('private/', 'PRIVATE/', 'private%2F', 'open/', 'a', 'b', '*')
  const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  it('never means a visible model if it looks private, and never another than itself or that of one alias', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.record({ pattern: text, model: fc.constantFrom(PRIVATE, VISIBLE) }), { maxLength: 5 }),
        fc.boolean(),
        async (name, aliases, listed) => {
          const model = await resolveModel(name, { aliases }, () => Promise.resolve(listed))
          expect([name, ...aliases.map((alias) => alias.model)]).toContain(model)
          if (looksPrivate(name) && model !== name) expect(isPrivateModel(model)).toBe(true)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
