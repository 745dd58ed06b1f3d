import { expect, test } from 'vitest'
import { pricePerMillionCharacters, type AudioPrice } from '../../src/shared/audio-price.ts'

test.each([
  [{ amount: '15000000', per: 'character' }, '15000000000000'],
  [{ amount: '15000000000', per: 'thousand-characters' }, '15000000000000'],
  [{ amount: '15000000000' }, '15000000000000'],
  [{ amount: '15000000000', per: 'minute' }, undefined],
  [{ amount: '-1' }, undefined],
] satisfies [AudioPrice, string | undefined][])(
  'speech at %o costs %s pico-USD per million characters',
  (price, perMillion) => expect(pricePerMillionCharacters(price)).toBe(perMillion),
)
