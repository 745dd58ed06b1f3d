/** The header of a WAV file (RIFF, WAVE). An attacker controls every byte. */
export interface WaveHeader {
  /** The content of the fmt chunk, which states how the samples are coded. */
  readonly format: Uint8Array
  /** The position and the length of the samples. */
  readonly dataAt: number
  readonly dataBytes: number
  readonly bytesPerSecond: number
  /** Bytes of one sample of all channels. A cut is always between two of them. */
  readonly blockBytes: number
}

const MOST_CHUNKS = 1000

/**
 * Reads the header from the beginning of a file, which must include the start of the samples. Returns
 * undefined if it isn't a WAV file.
 *
 * @param bytes length of the whole file
 */
export function readWaveHeader(head: Uint8Array, bytes: number): WaveHeader | undefined {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (
    view.length < 12 ||
    view.toString('latin1', 0, 4) !== 'RIFF' ||
    view.toString('latin1', 8, 12) !== 'WAVE'
  )
    return undefined
  let format: Buffer | undefined
  for (let at = 12, chunks = 0; at + 8 <= view.length && chunks < MOST_CHUNKS; chunks++) {
    const name = view.toString('latin1', at, at + 4)
    const length = view.readUInt32LE(at + 4)
    if (name === 'fmt ' && length >= 16 && length <= 1000 && at + 8 + length <= view.length)
      format = view.subarray(at + 8, at + 8 + length)
    if (name === 'data') {
      const dataAt = at + 8
      const [bytesPerSecond, blockBytes] = format ? [format.readUInt32LE(8), format.readUInt16LE(12)] : [0, 0]
      if (!format || bytesPerSecond === 0 || blockBytes === 0 || dataAt > bytes) return undefined
      // A file that was written as a stream doesn't know its length, and has the highest number here.
      const dataBytes = Math.min(length, bytes - dataAt)
      return { format, dataAt, dataBytes: dataBytes - (dataBytes % blockBytes), bytesPerSecond, blockBytes }
    }
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** Writes the header of a WAV file with this many bytes of samples. */
export function waveHead(format: Uint8Array, dataBytes: number): Uint8Array {
  const head = Buffer.alloc(28 + format.byteLength)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(Math.min(20 + format.byteLength + dataBytes, 0xffff_ffff), 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(format.byteLength, 16)
  head.set(format, 20)
  head.write('data', 20 + format.byteLength, 'latin1')
  head.writeUInt32LE(Math.min(dataBytes, 0xffff_ffff), 24 + format.byteLength)
  return head
}
