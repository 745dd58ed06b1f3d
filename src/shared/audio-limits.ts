/** mp3, mp4, mpeg, mpga, m4a, wav, webm (specification, Audio), as ./sniff-media.ts names them. */
export const HEARD_TYPES: ReadonlySet<string> = new Set([
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'video/mp4',
  'video/webm',
])
/** Those of them that can be cut into pieces of the same form. */
export const CUT_TYPES: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/wav'])
/** The most that the service takes at once (specification, Limits), with room for the form. */
export const MAX_HEARD_BYTES = 25_000_000

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
