import { startOwnWorker } from '../../../ui/own-worker.ts'
import type { Peaks } from './peaks.ts'
import workerAddress from './waveform-worker.ts?worker&url'

/**
 * High enough to show speech, and small enough for an hour of it. The lowest rate that every browser
 * supports.
 */
const SAMPLE_RATE = 8000
const STRETCHES = 600
/** A decoded recording is many times larger. */
export const MAX_DRAWN_BYTES = 32 * 1024 * 1024

/**
 * Decodes a recording and calculates its loudness in a worker.
 * @throws {DOMException} if this browser can't decode the recording
 */
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
