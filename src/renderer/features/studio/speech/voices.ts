import type { VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { speechFamily, type SpeechFamily } from '../../../../shared/audio-limits.ts'

export type Voice = VoicePrices['voices'][number]

/** The family of a voice, by its model if that is listed. */
export function familyOf({ id, modelId }: Pick<Voice, 'id' | 'modelId'>): SpeechFamily {
  return speechFamily(modelId ?? id)
}

/** The languages that voices are listed with, each once, in their order by tag. */
export function languagesOf(voices: readonly Voice[]): readonly string[] {
  return [...new Set(voices.flatMap(({ language }) => language ?? []))].toSorted()
}

/**
 * Voices that speak the language and have every word in their name, id, family or language. @param language
 * empty: any
 */
export function voicesFor(voices: readonly Voice[], language: string, text: string): readonly Voice[] {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return voices.filter((voice) => {
    if (language !== '' && voice.language !== language) return false
    const all = [voice.name, voice.id, voice.modelId, voice.provider, voice.language].join(' ').toLowerCase()
    return terms.every((word) => all.includes(word))
  })
}
