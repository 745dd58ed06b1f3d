import { SottoError } from '../../../shared/errors.ts'
import { behindEachOther } from '../byte-streams.ts'
import { afterId3, readMpegFrame } from './mpeg.ts'
import { readWaveHeader, waveHead } from './wave.ts'

/** Yields the first `length` bytes, or all if there are fewer. Requests no further piece after that. */
export async function* firstBytes(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  if (length <= 0) return
  let left = length
  for await (const piece of content) {
    const part = piece.byteLength > left ? piece.subarray(0, left) : piece
    left -= part.byteLength
    yield part
    if (left === 0) return
  }
}

/** A stored recording. */
export interface Recording {
  readonly bytes: number
  readonly type: string
  readonly head: Uint8Array
  readonly read: (from: number) => AsyncIterable<Uint8Array>
}

/** A part of a recording that is a complete file. */
export interface AudioPiece {
  readonly bytes: number
  /** The position of its first sample in the whole recording. */
  readonly startSeconds: number
  read(): AsyncIterable<Uint8Array>
}

/**
 * The duration of a recording, if its format states it. It's undefined for all other formats, and never
 * guessed.
 */
export function secondsOf({
  head,
  bytes,
  type,
}: Pick<Recording, 'head' | 'bytes' | 'type'>): number | undefined {
  const wave = type === 'audio/wav' ? readWaveHeader(head, bytes) : undefined
  return wave && wave.dataBytes / wave.bytesPerSecond
}

/**
 * Cuts a recording into files of at most `most` bytes, between samples or frames. Reads an MP3 once as a
 * stream, without buffering it. Throws studio/audio-malformed if the recording has no such boundaries, and
 * studio/audio-too-large if its format has none.
 */
export async function cutAudio(recording: Recording, most: number): Promise<AudioPiece[]> {
  const { bytes, type, read } = recording
  if (bytes <= most) return [{ bytes, startSeconds: 0, read: () => read(0) }]
  if (type === 'audio/wav') return cutWave(recording, most)
  if (type === 'audio/mpeg') return cutMpeg(recording, most)
  throw new SottoError('studio/audio-too-large')
}

function cutWave({ head, bytes, read }: Recording, most: number): AudioPiece[] {
  const header = readWaveHeader(head, bytes)
  if (!header) throw new SottoError('studio/audio-malformed')
  const { format, dataAt, dataBytes, blockBytes, bytesPerSecond } = header
  const available = most - waveHead(format, 0).byteLength
  const length = available - (available % blockBytes)
  if (length <= 0) throw new SottoError('studio/audio-malformed')
  const pieces: AudioPiece[] = []
  for (let at = 0; at < dataBytes; at += length) {
    const pieceBytes = Math.min(length, dataBytes - at)
    const front = waveHead(format, pieceBytes)
    pieces.push({
      bytes: front.byteLength + pieceBytes,
      startSeconds: at / bytesPerSecond,
      read: () => behindEachOther([firstBytes(read(dataAt + at), pieceBytes)], front),
    })
  }
  return pieces
}

async function cutMpeg({ head, bytes, read }: Recording, most: number): Promise<AudioPiece[]> {
  const begin = afterId3(Buffer.from(head.buffer, head.byteOffset, head.byteLength))
  const starts: { at: number; seconds: number }[] = []
  let [at, seconds, waiting] = [begin, 0, Buffer.alloc(0)]
  for await (const piece of read(begin)) {
    waiting = Buffer.concat([waiting, piece])
    let used = 0
    for (
      let frame = readMpegFrame(waiting, used);
      frame && used + frame.bytes <= waiting.length;
      frame = readMpegFrame(waiting, used)
    ) {
      const last = starts.at(-1)
      if (!last || at + frame.bytes - last.at > most) starts.push({ at, seconds })
      at += frame.bytes
      seconds += frame.seconds
      used += frame.bytes
    }
    waiting = waiting.subarray(used)
    // A frame has fewer bytes than this, so no frame begins here. Near the end of the file it's a tag.
    if (waiting.length > 4096) {
      if (bytes - at > 1024 * 1024) throw new SottoError('studio/audio-malformed')
      break
    }
  }
  if (starts.length === 0) throw new SottoError('studio/audio-malformed')
  return starts.map((start, index) => {
    const length = (starts[index + 1]?.at ?? at) - start.at
    return { bytes: length, startSeconds: start.seconds, read: () => firstBytes(read(start.at), length) }
  })
}
