import { afterId3, ID3V1_BYTES, isSummary, readMpegFrame } from './mpeg.ts'

const ID3_HEAD = 10
/** More than the longest frame, so that the first frame can be recognized in it. */
const FRAME_HEAD = 4096

/**
 * MPEG audio without the tags before and after it, and without a summary frame that states its length.
 * Pieces can therefore follow each other as one file. An attacker controls every byte; at most a few
 * kilobytes are buffered.
 */
export async function* bareFrames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let buffered: Buffer = Buffer.alloc(0)
  /** Remaining bytes of the tag before the audio; undefined until its header was read. */
  let skip: number | undefined
  let begun = false
  for await (const piece of pieces) {
    buffered = Buffer.concat([buffered, piece])
    if (skip === undefined && buffered.length >= ID3_HEAD) skip = afterId3(buffered)
    if (skip === undefined) continue
    const skipped = Math.min(skip, buffered.length)
    buffered = buffered.subarray(skipped)
    skip -= skipped
    if (!begun && (skip > 0 || buffered.length < FRAME_HEAD)) continue
    if (!begun) buffered = withoutSummary(buffered)
    begun = true
    // A tag at the end is within the last bytes.
    if (buffered.length <= 2 * ID3V1_BYTES) continue
    yield buffered.subarray(0, -ID3V1_BYTES)
    buffered = buffered.subarray(-ID3V1_BYTES)
  }
  const last = withoutTag(begun ? buffered : withoutSummary(buffered))
  if (last.length > 0) yield last
}

function withoutSummary(view: Buffer): Buffer {
  const frame = readMpegFrame(view, 0)
  return frame && isSummary(view, 0, frame) ? view.subarray(frame.bytes) : view
}

function withoutTag(last: Buffer): Buffer {
  const at = last.length - ID3V1_BYTES
  return at >= 0 && last.toString('latin1', at, at + 3) === 'TAG' ? last.subarray(0, at) : last
}
