import { startOwnWorker } from '../../../ui/own-worker.ts'
import type { Peaks } from './peaks.ts'
import workerAddress from './waveform-worker.ts?worker&url'

/** Enough for speech to be seen, and an hour of it stays small. The least that each browser offers. */
const SAMPLE_RATE = 8000
const STRETCHES = 600
/** Decoded it is many times as large. */
export const MAX_DRAWN_BYTES = 32 * 1024 * 1024

/** Decodes a recording, and has a thread of its own reckon how loud it is. Throws DOMException where this browser cannot decode it. */
export async function readPeaks(content: ArrayBuffer, signal: AbortSignal): Promise<Peaks> {
  const decoded = await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(content)
  signal.throwIfAborted()
  const samples = Float32Array.from(decoded.getChannelData(0))
  const worker = startOwnWorker(workerAddress)
  try {
    return await new Promise<Peaks>((resolve, reject) => {
      signal.addEventListener('abort', () =>
        reject(new DOMException('It is no longer wanted.', 'AbortError')),
      )
      worker.addEventListener('error', () => reject(new DOMException('It cannot be drawn.', 'EncodingError')))
      worker.addEventListener('message', ({ data }: MessageEvent<Peaks>) => resolve(data))
      worker.postMessage({ samples, sampleRate: decoded.sampleRate, count: STRETCHES }, [samples.buffer])
    })
  } finally {
    worker.terminate()
  }
}
