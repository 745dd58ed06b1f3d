import { t } from '@lingui/core/macro'

/** In order of preference. The service accepts each (specification, Audio). */
const TYPES = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4']
/** Speech is understood well at this bit rate, and an hour and a half stays below 25 MB. */
const BITS_PER_SECOND = 32_000
/** The service accepts 25 MB. The last second has to fit too. */
const MAX_RECORDED_BYTES = 24_500_000
const SLICE_MS = 1000

export type RecorderTrouble = 'refused' | 'no-microphone' | 'busy' | 'not-supported'

export class RecorderError extends Error {
  readonly trouble: RecorderTrouble
  constructor(trouble: RecorderTrouble) {
    super(trouble)
    this.trouble = trouble
  }
}

export interface Recording {
  readonly content: Blob
  readonly durationMs: number
}

/**
 * One recording of the microphone, stored only in this window. The caller must end it, because only that releases the
 * microphone.
 */
export class Recorder {
  readonly #stream: MediaStream
  readonly #media: MediaRecorder
  readonly #context = new AudioContext()
  readonly #analyser: AnalyserNode
  readonly #samples: Float32Array<ArrayBuffer>
  readonly #pieces: Blob[] = []
  readonly #startedAt = performance.now()
  readonly #ended: Promise<void>
  #bytes = 0
  #endedAt: number | undefined

  /** Asks for the microphone. Throws RecorderError, and an AbortError if `signal` aborts. */
  static async start(onEnd: () => void, signal: AbortSignal): Promise<Recorder> {
    const type =
      typeof MediaRecorder === 'undefined'
        ? undefined
        : TYPES.find((each) => MediaRecorder.isTypeSupported(each))
    if (type === undefined || !('mediaDevices' in navigator)) throw new RecorderError('not-supported')
    signal.throwIfAborted()
    let stream: MediaStream
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: true, noiseSuppression: true },
      })
    } catch (thrown) {
      throw new RecorderError(troubleOf(thrown))
    }
    try {
      signal.throwIfAborted()
      return new Recorder(stream, type, onEnd)
    } catch (thrown) {
      // The caller gets no recorder that could release the microphone.
      for (const track of stream.getTracks()) track.stop()
      throw signal.aborted ? thrown : new RecorderError(troubleOf(thrown))
    }
  }

  /** @param onEnd called if the microphone is gone, or if the recording reaches its maximum size */
  private constructor(stream: MediaStream, type: string, onEnd: () => void) {
    this.#stream = stream
    this.#media = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
    this.#analyser = this.#context.createAnalyser()
    this.#analyser.fftSize = 1024
    this.#samples = new Float32Array(this.#analyser.fftSize)
    this.#context.createMediaStreamSource(stream).connect(this.#analyser)
    this.#media.addEventListener('dataavailable', ({ data }) => {
      if (data.size === 0) return
      this.#pieces.push(data)
      this.#bytes += data.size
      if (this.#bytes >= MAX_RECORDED_BYTES && this.#media.state === 'recording') this.#media.stop()
    })
    this.#ended = new Promise((resolve) => {
      this.#media.addEventListener('stop', () => {
        this.#endedAt = performance.now()
        this.#release()
        resolve()
        onEnd()
      })
    })
    this.#media.start(SLICE_MS)
  }

  elapsedMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt
  }

  /** The current loudness from 0 to 1: the root of the mean square, with quiet speech well above 0. */
  level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples)
    const square = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length
    return Math.min(1, Math.sqrt(Math.sqrt(square)) * 1.4)
  }

  /** Ends the recording and releases the microphone. */
  async finish(): Promise<Recording> {
    if (this.#media.state !== 'inactive') this.#media.stop()
    await this.#ended
    return { content: new Blob(this.#pieces, { type: this.#media.mimeType }), durationMs: this.elapsedMs() }
  }

  #release(): void {
    for (const track of this.#stream.getTracks()) track.stop()
    void this.#context.close()
  }
}

function troubleOf(thrown: unknown): RecorderTrouble {
  const name = thrown instanceof DOMException ? thrown.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'no-microphone'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'not-supported'
}

/** Why nothing is being recorded, and what to do. */
export function troubleWords(trouble: RecorderTrouble): string {
  switch (trouble) {
    case 'refused':
      return t`Microphone access was denied. Nothing was recorded. Allow access in your browser, or for Sotto in system settings, then try again.`
    case 'no-microphone':
      return t`No microphone found. Connect one, then try again.`
    case 'busy':
      return t`The microphone isn’t responding. Close any other app that may be using it, then try again.`
    case 'not-supported':
      return t`This browser can’t record audio. Use another browser or the Sotto desktop app.`
  }
}
