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

/** What a voice says to be heard: in its language where that is one of these. */
const SAMPLES: Readonly<Record<string, string>> = {
  en: 'Hello. This is how I sound when I read to you.',
  de: 'Hallo. So klinge ich, wenn ich Ihnen vorlese.',
  fr: 'Bonjour. Voici ma voix quand je vous fais la lecture.',
  es: 'Hola. Así suena mi voz cuando leo para usted.',
  it: 'Buongiorno. Così suona la mia voce quando leggo per lei.',
  pt: 'Olá. É assim que eu soo quando leio para você.',
  nl: 'Hallo. Zo klink ik als ik u voorlees.',
  pl: 'Dzień dobry. Tak brzmi mój głos, kiedy czytam.',
  ja: 'こんにちは。私はこのような声で読み上げます。',
  zh: '你好。我朗读的时候就是这个声音。',
}

export function sampleText({ language }: Pick<Voice, 'language'>): string {
  return SAMPLES[(language ?? 'en').toLowerCase().split(/[-_]/)[0] ?? 'en'] ?? SAMPLES['en'] ?? ''
}
