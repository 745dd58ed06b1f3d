import { peaksOf } from './peaks.ts'

/** The page's message: samples of one channel. */
interface Asked {
  readonly samples: Float32Array<ArrayBuffer>
  readonly sampleRate: number
  readonly count: number
}

addEventListener('message', ({ data: { samples, sampleRate, count } }: MessageEvent<Asked>) => {
  const peaks = peaksOf(samples, sampleRate, count)
  postMessage(peaks, { transfer: [peaks.levels.buffer] })
})
