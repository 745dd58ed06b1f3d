/** Characters of a text that is spoken in one request, by the family of providers (specification, Limits). Revision A has only the first family. */
export const spokenLimits = { first: 2000, second: 5000 } as const
export type SpeechFamily = keyof typeof spokenLimits

/**
 * The model of the first family, which the service uses if a request names none (specification, Audio).
 */
export const FIRST_FAMILY_MODEL = 'deepgram_aura_2'

/** The family of a model or of a voice. The first family's voices are named like `aura-asteria-en` (specification, Audio). */
export function speechFamily(id: string): SpeechFamily {
  return id === FIRST_FAMILY_MODEL || /-[a-z]{2}$/.test(id) ? 'first' : 'second'
}

/** Code points, which providers count and charge. */
export function spokenLength(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
