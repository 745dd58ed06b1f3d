import { sampleRate } from './wave.ts'

/** Seconds: of a syllable, of the silence after a word, and after a sentence. */
const [syllable, gap, pause] = [0.11, 0.06, 0.28]
const vowels: Readonly<Record<string, number>> = { a: 1, e: 1.26, i: 1.5, o: 0.84, u: 0.75, y: 1.41 }

/** A text hummed: each vowel is a note of its own around the voice's pitch, with pauses where words and sentences end. */
export function hum(text: string, pitch: number): Float32Array {
  const notes = notesOf(text)
  const samples = new Float32Array(
    Math.ceil(notes.reduce((sum, { seconds }) => sum + seconds, 0.2) * sampleRate),
  )
  let at = 0
  for (const { seconds, level } of notes) {
    const length = Math.floor(seconds * sampleRate)
    if (level > 0) {
      const step = (2 * Math.PI * pitch * level) / sampleRate
      for (let n = 0; n < length; n += 1) {
        // It swells and fades, so that nothing clicks.
        samples[at + n] =
          0.4 * Math.sin((Math.PI * n) / length) * (Math.sin(step * n) + 0.3 * Math.sin(2 * step * n))
      }
    }
    at += length
  }
  return samples
}

/** A level of 0 is silence. */
function notesOf(text: string): { readonly seconds: number; readonly level: number }[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => [
      ...(word.match(/[aeiouy]+|[\p{L}\p{N}](?=[^aeiouy]*$)/gu) ?? []).map((sound) => ({
        seconds: syllable,
        level: vowels[sound.charAt(0)] ?? 1.12,
      })),
      { seconds: /[.!?:;]$/.test(word) ? pause : gap, level: 0 },
    ])
}
