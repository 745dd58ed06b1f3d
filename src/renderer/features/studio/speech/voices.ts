import type { VoicePrices } from '../../../../shared/contract/sotto-contract.ts'

export type Voice = VoicePrices['voices'][number]

/** Of the specification: the first family's model, which is also what speaks where nothing is chosen. */
const FIRST_FAMILY_MODEL = 'deepgram_aura_2'
/** Characters of one request (specification, Limits). */
export const familyLimits = { first: 2000, second: 5000 } as const
export type Family = keyof typeof familyLimits

/** By its model, or by how the first family's voices are called (specification, Audio). */
export function familyOf({ id, modelId }: Pick<Voice, 'id' | 'modelId'>): Family {
  if (modelId !== undefined) return modelId === FIRST_FAMILY_MODEL ? 'first' : 'second'
  return /-[a-z]{2}$/.test(id) ? 'first' : 'second'
}

/** The languages that voices are listed with, each once, in their order by tag. */
export function languagesOf(voices: readonly Voice[]): readonly string[] {
  return [...new Set(voices.flatMap(({ language }) => language ?? []))].toSorted()
}

/** Those that speak the language and have every word in their name, id, family or language. @param language empty: any */
export function voicesFor(voices: readonly Voice[], language: string, text: string): readonly Voice[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return voices.filter((voice) => {
    if (language !== '' && voice.language !== language) return false
    const all = [voice.name, voice.id, voice.modelId, voice.provider, voice.language].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
