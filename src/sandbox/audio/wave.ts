/** Sixteen bits, one channel. */
export const sampleRate = 16_000

/**
 * A WAV file (RIFF, PCM) that carries its own text as a comment, before its samples: players pass over it.
 * @param samples from -1 to 1
 */
export function writeWave(samples: Float32Array, text: string): Buffer {
  const data = Buffer.alloc(samples.length * 2)
  samples.forEach((sample, at) =>
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2),
  )
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(sampleRate, 4)
  format.writeUInt32LE(sampleRate * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  const body = Buffer.concat([
    Buffer.from('WAVE', 'latin1'),
    chunk('fmt ', format),
    chunk('LIST', Buffer.concat([Buffer.from('INFO', 'latin1'), chunk('ICMT', Buffer.from(text, 'utf8'))])),
    chunk('data', data),
  ])
  return chunk('RIFF', body)
}

/** Padded to an even length; its length member excludes the padding. */
function chunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

interface Heard {
  readonly seconds: number
  /** The text of the speech, if the sandbox wrote the file. */
  readonly text?: string | undefined
}

/** Reads any WAV file: its duration and its comment. @returns undefined if it isn't a WAV file */
export function readWave(bytes: Buffer): Heard | undefined {
  if (
    bytes.length < 12 ||
    bytes.toString('latin1', 0, 4) !== 'RIFF' ||
    bytes.toString('latin1', 8, 12) !== 'WAVE'
  )
    return undefined
  let bytesPerSecond = 0
  let text: string | undefined
  for (const { id, body } of chunks(bytes.subarray(12))) {
    if (id === 'fmt ' && body.length >= 16) bytesPerSecond = body.readUInt32LE(8)
    if (id === 'LIST' && body.toString('latin1', 0, 4) === 'INFO')
      text = chunks(body.subarray(4))
        .find((each) => each.id === 'ICMT')
        ?.body.toString('utf8')
    if (id === 'data') return bytesPerSecond > 0 ? { seconds: body.length / bytesPerSecond, text } : undefined
  }
  return undefined
}

/** The last chunk may be incomplete. */
function chunks(bytes: Buffer): { readonly id: string; readonly body: Buffer }[] {
  const found = []
  for (let at = 0; at + 8 <= bytes.length && found.length < 1000;) {
    const length = bytes.readUInt32LE(at + 4)
    found.push({ id: bytes.toString('latin1', at, at + 4), body: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return found
}

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
