/**
 * Bit rates of layer III in kbit/s, by the four bits of the header, for version 1 and for versions 2 and
 * 2.5 (ISO/IEC 11172-3 and 13818-3).
 */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const

/** A frame of MPEG audio, layer III: its length including the header, and its duration. */
export interface MpegFrame {
  readonly bytes: number
  readonly seconds: number
}

/** Reads the frame that begins here; undefined if none does. An attacker controls every byte. */
export function readMpegFrame(view: Buffer, at: number): MpegFrame | undefined {
  if (at + 4 > view.length || view[at] !== 0xff) return undefined
  const [second, third] = [view.readUInt8(at + 1), view.readUInt8(at + 2)]
  const version = (second >> 3) & 3
  // Only layer III; version 01 is reserved.
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return undefined
  const kbits = BIT_RATES[version === 3 ? 0 : 1][third >> 4]
  const rate = SAMPLE_RATES[(third >> 2) & 3]
  if (kbits === undefined || kbits === 0 || rate === undefined) return undefined
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = version === 3 ? 1152 : 576
  return {
    bytes: Math.floor(((samples / 8) * kbits * 1000) / sampleRate) + ((third >> 1) & 1),
    seconds: samples / sampleRate,
  }
}

/**
 * Returns the position of the first frame, after an ID3v2 tag. Each byte of the tag's length has seven
 * bits.
 */
export function afterId3(view: Buffer): number {
  if (view.length < 10 || view.toString('latin1', 0, 3) !== 'ID3') return 0
  const [a = 0, b = 0, c = 0, d = 0] = view.subarray(6, 10)
  return (
    10 +
    (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f)) +
    ((view.readUInt8(5) & 0x10) === 0 ? 0 : 10)
  )
}

/**
 * Whether a frame states the length of the whole file and plays nothing. In a part of the file it would be
 * wrong.
 */
export function isSummary(view: Buffer, at: number, { bytes }: MpegFrame): boolean {
  const frame = view.toString('latin1', at, Math.min(at + bytes, at + 200))
  return frame.includes('Xing') || frame.includes('Info') || frame.includes('VBRI')
}

/** Length of an ID3v1 tag, which is at the end of a file. */
export const ID3V1_BYTES = 128
