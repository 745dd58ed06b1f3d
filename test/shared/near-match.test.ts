import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearMatches } from '../../src/shared/near-match.ts'

const models = [
  'openai/gpt-5.1',
  'openai/gpt-5.1-mini',
  'anthropic/claude-sonnet-4.5',
  'private/llama-3.3-70b',
  'meta/llama-3.3-70b',
  'google/gemini-3-pro-20260115',
  'x/y',
]

describe('near matches', () => {
  it.each([
    ['gpt-5.1', ['openai/gpt-5.1']],
    ['openai/gpt-5-1', ['openai/gpt-5.1']],
    ['OpenAI/GPT-5.1', ['openai/gpt-5.1']],
    ['azure/gpt-5_1', ['openai/gpt-5.1']],
    ['claude-sonnet-4-5-20250929', ['anthropic/claude-sonnet-4.5']],
    ['claude-sonet-4.5', ['anthropic/claude-sonnet-4.5']],
    ['claude-snonet-4.5', ['anthropic/claude-sonnet-4.5']],
    ['gemini-3-pro', ['google/gemini-3-pro-20260115']],
    ['gemini-3-pro-latest', ['google/gemini-3-pro-20260115']],
    ['llama-3-3-70b', ['private/llama-3.3-70b', 'meta/llama-3.3-70b']],
    ['private/lama-3.3-70b', ['private/llama-3.3-70b', 'meta/llama-3.3-70b']],
    ['mistral-large', []],
    ['none', []],
    ['z', []],
    ['', []],
    ['///', []],
    ['openai/', []],
    ['x/y', []],
  ])('of %s', (wrong, near) => {
    expect(nearMatches(wrong, models)).toEqual(near)
  })
  it('are three at most, the nearest first', () => {
    expect(nearMatches('model-10', ['model-1', 'model-12', 'model-11', 'x/model-10', 'model-13'])).toEqual([
      'x/model-10',
      'model-1',
      'model-12',
    ])
  })
  it('of a name that an attacker made long are none, and cost nothing', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `${'a'.repeat(90)}${String(at)}`)
    expect(nearMatches('a'.repeat(10_000_000), many)).toEqual([])
    expect(nearMatches('a'.repeat(95), ['a'.repeat(1_000_000)])).toEqual([])
    expect(nearMatches('a'.repeat(95), many).length).toBeLessThanOrEqual(3)
  })
  it('find a name that differs by one edit, and never one that is not listed', () => {
    const name = fc.stringMatching(/^[a-z]{8,20}$/)
    fc.assert(
      fc.property(name, fc.nat(), fc.constantFrom('swap', 'drop', 'double'), (listed, place, edit) => {
        const at = place % (listed.length - 1)
        const [first = '', second = ''] = [listed[at], listed[at + 1]]
        const edited = { swap: second + first, drop: second, double: first + first + second }[edit]
        const wrong = listed.slice(0, at) + edited + listed.slice(at + 2)
        expect(nearMatches(wrong, [`p/${listed}`])).toEqual([`p/${listed}`])
      }),
    )
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (wrong, listed) =>
        nearMatches(wrong, listed).every((near) => listed.includes(near) && near !== wrong),
      ),
    )
  })
})
