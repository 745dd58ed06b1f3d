import { behindEachOther } from '../byte-streams.ts'
import { bareFrames } from './bare-frames.ts'
import { firstBytes } from './cut-audio.ts'
import { readWaveHeader, waveHead } from './wave.ts'

/** One stored piece of speech. */
export interface SpokenPart {
  readonly bytes: number
  readonly type: string
  readonly head: Uint8Array
  read(from: number): AsyncIterable<Uint8Array>
}

/**
 * Joins pieces of speech into one file: samples after one header, or frames after each other without their
 * tags. Returns undefined if the pieces differ in format, or if their format can't be joined this way.
 */
export function joinAudio(parts: readonly SpokenPart[]): AsyncIterable<Uint8Array> | undefined {
  const [first] = parts
  if (!first || parts.some(({ type }) => type !== first.type)) return undefined
  if (first.type === 'audio/wav') return joinWaves(parts)
  if (first.type === 'audio/mpeg') return behindEachOther(parts.map((part) => bareFrames(part.read(0))))
  // Ogg streams may follow each other (RFC 3533).
  return first.type === 'audio/ogg' ? behindEachOther(parts.map((part) => part.read(0))) : undefined
}

function joinWaves(parts: readonly SpokenPart[]): AsyncIterable<Uint8Array> | undefined {
  const waves = parts.flatMap((part) => {
    const header = readWaveHeader(part.head, part.bytes)
    return header ? [{ part, header }] : []
  })
  const [first] = waves
  if (
    !first ||
    waves.length < parts.length ||
    waves.some(({ header }) => Buffer.compare(header.format, first.header.format) !== 0)
  )
    return undefined
  const length = waves.reduce((sum, { header }) => sum + header.dataBytes, 0)
  return behindEachOther(
    waves.map(({ part, header }) => firstBytes(part.read(header.dataAt), header.dataBytes)),
    waveHead(first.header.format, length),
  )
}
