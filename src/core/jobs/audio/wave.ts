/** What the beginning of a WAV file says (RIFF, WAVE). An attacker controls every byte. */
export interface WaveHeader {
  /** The content of its fmt chunk: how the samples are coded. */
  readonly format: Uint8Array
  /** Where the samples begin, and how many bytes of them there are. */
  readonly dataAt: number
  readonly dataBytes: number
  readonly bytesPerSecond: number
  /** Bytes of one sample of all channels: nothing is cut within. */
  readonly blockBytes: number
}

const MOST_CHUNKS = 1000

/** By its beginning, in which the samples begin; undefined where it is none. @param bytes of the whole file */
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
      // One that was written as it came does not know its length, and says the most that there is.
      const dataBytes = Math.min(length, bytes - dataAt)
      return { format, dataAt, dataBytes: dataBytes - (dataBytes % blockBytes), bytesPerSecond, blockBytes }
    }
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** The beginning of a WAV file of so many bytes of samples. */
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
