import { expect, it } from 'vitest'
import { familyOf, languagesOf, voicesFor } from '../../../src/renderer/features/studio/speech/voices.ts'
import { sampleText } from '../../../src/shared/voice-samples.ts'

const voices = [
  { id: 'ada-en', name: 'Ada', modelId: 'deepgram_aura_2', language: 'en', provider: 'first' },
  { id: 'xYz', name: 'Dolce', modelId: 'other', language: 'de', provider: 'second' },
  { id: 'plain', name: 'Plain' },
]

it('are of the family of their model, or as they are called', () =>
  expect([...voices, { id: 'bruno-en' }].map(familyOf)).toEqual(['first', 'second', 'second', 'first']))
it('have the languages that are listed', () => expect(languagesOf(voices)).toEqual(['de', 'en']))
it('are found by every word, and by their language', () => {
  const found = (language: string, text: string) => voicesFor(voices, language, text).map(({ name }) => name)
  expect(found('', '')).toEqual(['Ada', 'Dolce', 'Plain'])
  expect(found('en', '')).toEqual(['Ada'])
  expect(found('', 'SECOND dol')).toEqual(['Dolce'])
  expect(found('en', 'dolce')).toEqual([])
})
it('say a sample in their language, and else in English', () => {
  expect(sampleText('de-AT')).toMatch(/^Hallo/)
  expect(sampleText('xx')).toBe(sampleText())
})
