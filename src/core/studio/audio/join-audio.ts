import { afterId3, ID3V1_BYTES, isSummary, readMpegFrame } from './mpeg.ts'
import { readWaveHeader, waveHead } from './wave.ts'

/** One piece of speech, as it is kept. */
export interface SpokenPart {
  readonly bytes: number
  readonly type: string
  readonly head: Uint8Array
  read(from: number): AsyncIterable<Uint8Array>
}

/** From this byte on, so many. */
interface Range {
  readonly part: SpokenPart
  readonly from: number
  readonly length: number
}

/**
 * Pieces of speech as one file: samples behind one header, or frames behind each other, without what stands before and after
 * them. undefined where they are not of one form, or of one that cannot be joined so.
 */
export function joinAudio(parts: readonly SpokenPart[]): AsyncIterable<Uint8Array> | undefined {
  const [first] = parts
  if (!first || parts.some(({ type }) => type !== first.type)) return undefined
  if (first.type === 'audio/wav') return joinWaves(parts)
  if (first.type === 'audio/mpeg') return content(parts.map(framesOf))
  // Streams of Ogg may follow each other (RFC 3533).
  return first.type === 'audio/ogg' ? content(parts.map((part) => ({ part, from: 0, length: part.bytes }))) : undefined
}

function joinWaves(parts: readonly SpokenPart[]): AsyncIterable<Uint8Array> | undefined {
  const headers = parts.map(({ head, bytes }) => readWaveHeader(head, bytes))
  const known = headers.filter((header) => header !== undefined)
  const [first] = known
  if (!first || known.length < parts.length || known.some(({ format }) => Buffer.compare(format, first.format) !== 0)) return undefined
  const ranges = parts.flatMap((part, at): Range[] => {
    const header = known[at]
    return header ? [{ part, from: header.dataAt, length: header.dataBytes }] : []
  })
  return content(ranges, waveHead(first.format, ranges.reduce((sum, { length }) => sum + length, 0)))
}

function framesOf(part: SpokenPart): Range {
  const view = Buffer.from(part.head.buffer, part.head.byteOffset, part.head.byteLength)
  let from = afterId3(view)
  const frame = readMpegFrame(view, from)
  if (frame && isSummary(view, from, frame)) from += frame.bytes
  return { part, from: Math.min(from, part.bytes), length: Math.max(0, part.bytes - from) }
}

async function* content(ranges: readonly Range[], head?: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (head) yield head
  for (const { part, from, length } of ranges) {
    let left = length
    let last: Uint8Array | undefined
    for await (const piece of part.read(from)) {
      if (left <= 0) break
      const taken = piece.byteLength > left ? piece.subarray(0, left) : piece
      left -= taken.byteLength
      // An ID3v1 tag is in the last bytes: one piece is held back.
      if (part.type !== 'audio/mpeg') yield taken
      else last = yield* held(last, taken)
    }
    if (last) yield withoutTag(last)
  }
}

function* held(last: Uint8Array | undefined, taken: Uint8Array): Generator<Uint8Array, Uint8Array> {
  // Of the last two pieces together, so that a tag is never parted.
  const both = last ? Buffer.concat([last, taken]) : taken
  if (both.byteLength > 2 * ID3V1_BYTES) yield both.subarray(0, both.byteLength - ID3V1_BYTES)
  return both.byteLength > 2 * ID3V1_BYTES ? both.subarray(both.byteLength - ID3V1_BYTES) : both
}

function withoutTag(last: Uint8Array): Uint8Array {
  const at = last.byteLength - ID3V1_BYTES
  return at >= 0 && Buffer.from(last.subarray(at, at + 3)).toString('latin1') === 'TAG' ? last.subarray(0, at) : last
}
