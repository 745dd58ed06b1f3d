/** The loudness of a recording in equal stretches, each from 0 to 1 relative to the loudest. */
export interface Peaks {
  readonly levels: Float32Array<ArrayBuffer>
  readonly seconds: number
  /** Stretches of silence of at least a second, between the first sound and the last. */
  readonly pauses: number
}

/** Audio below this fraction of the loudest level counts as silence: about as loud as quiet background noise. */
const SILENT = 0.02
const PAUSE_S = 1
const FRAME_S = 0.05

export function peaksOf(samples: Float32Array, sampleRate: number, count: number): Peaks {
  const levels = new Float32Array(count)
  const frame = Math.max(1, Math.round(sampleRate * FRAME_S))
  const frames = new Float32Array(Math.ceil(samples.length / frame))
  for (let at = 0; at < samples.length; at += 1) {
    const loud = Math.abs(samples[at] ?? 0)
    // The decoded samples of a hostile file can be any value, but a level must be a number.
    if (!(loud <= 8)) continue
    const level = Math.min(count - 1, Math.floor((at / samples.length) * count))
    if (loud > (levels[level] ?? 0)) levels[level] = loud
    const frameIndex = Math.floor(at / frame)
    if (loud > (frames[frameIndex] ?? 0)) frames[frameIndex] = loud
  }
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  return {
    levels: loudest === 0 ? levels : levels.map((level) => level / loudest),
    seconds: samples.length / sampleRate,
    pauses: loudest === 0 ? 0 : pausesIn(frames, loudest * SILENT),
  }
}

function pausesIn(frames: Float32Array, silent: number): number {
  let [pauses, quiet, begun] = [0, 0, false]
  for (const level of frames) {
    if (level <= silent) {
      quiet += 1
      continue
    }
    if (begun && quiet * FRAME_S >= PAUSE_S) pauses += 1
    begun = true
    quiet = 0
  }
  return pauses
}
