import { describe, expect, it } from 'vitest'
import { readExtra } from '../../../src/renderer/features/studio/parts/extra-field.tsx'
import { listedChoices } from '../../../src/renderer/features/studio/parts/listed-choices.ts'

describe('what the listing has prices for', () => {
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
  it('is found in nested tables, each once', () => {
    expect(listedChoices(nested, 'duration')).toEqual(['5', '10'])
    expect(listedChoices(nested, 'quality')).toEqual(['720p', '480p'])
    expect(listedChoices(nested, 'size')).toEqual([])
  })
  it('is told by its looks where the listing does not say what it is', () => {
    const bare = { mediaPrice: { tables: [{ of: { '16:9': '1', '1080p': '2', '8': '3' } }] } }
    expect([
      listedChoices(bare, 'size'),
      listedChoices(bare, 'quality'),
      listedChoices(bare, 'duration'),
    ]).toEqual([['16:9'], ['1080p'], ['8']])
  })
  it('is nothing without prices', () =>
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
])('further parameters: %s', (text, read) => expect(readExtra(text)).toEqual(read))
