import { describe, expect, it } from 'vitest'
import { readExtra } from '../../../src/renderer/features/studio/parts/extra-field.tsx'
import { listedChoices } from '../../../src/renderer/features/studio/parts/listed-choices.ts'

describe('the choices that have a listed price', () => {
  const nested = {
    mediaPrice: {
      tables: [
        {
          by: 'quality' as const,
          of: {
            '720p': { by: 'duration' as const, of: { 5: '1', 10: '2' } },
            '480p': { by: 'duration' as const, of: { 5: '1' } },
          },
        },
      ],
    },
  }
  it('are found in nested tables, each once', () => {
    expect(listedChoices(nested, 'duration')).toEqual(['5', '10'])
    expect(listedChoices(nested, 'quality')).toEqual(['720p', '480p'])
    expect(listedChoices(nested, 'size')).toEqual([])
  })
  it('are recognized by their form if the listing doesn’t name them', () => {
    const bare = { mediaPrice: { tables: [{ of: { '16:9': '1', '1080p': '2', '8': '3' } }] } }
    expect([
      listedChoices(bare, 'size'),
      listedChoices(bare, 'quality'),
      listedChoices(bare, 'duration'),
    ]).toEqual([['16:9'], ['1080p'], ['8']])
  })
  it('are empty without prices', () =>
    expect([listedChoices({}, 'size'), listedChoices(undefined, 'size')]).toEqual([[], []]))
})

it.each([
  ['', undefined],
  ['  ', undefined],
  ['{"a":[1]}', { a: [1] }],
  ['[1]', null],
  ['null', null],
  ['{', null],
  ['7', null],
])('readExtra parses further parameters: %s', (text, read) => expect(readExtra(text)).toEqual(read))
