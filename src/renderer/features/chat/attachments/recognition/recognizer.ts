import englishAddress from '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz?url'
import coreAddress from 'tesseract.js-core/tesseract-core-simd-lstm.wasm?url'
import { WindowError } from '../../../../ui/failure.ts'
import type { Pixels } from './pixels.ts'
import type { RecognitionReply, RecognitionRequest } from './recognition-worker.ts'

/** Of a language file, in bytes. A larger one isn't loaded. */
const MAX_LANGUAGE_BYTES = 64_000_000

/** Reads text from images, one after another. */
export interface Recognizer {
  recognize(image: Pixels | Blob, onPercent: (percent: number) => void): Promise<string>
}

/**
 * Prepares a thread for a language. The window loads the program and the data, because the thread has no network.
 *
 * @param thread of `recognition-worker.ts`
 * @param language a file of trained data that a person chose; undefined is English, which the window has
 * @throws {WindowError} attachment/recognition-failed; attachment/language-data – if the file isn't usable
 */
export async function createRecognizer(thread: Worker, language: Blob | undefined): Promise<Recognizer> {
  if ((language?.size ?? 0) > MAX_LANGUAGE_BYTES) throw new WindowError('attachment/language-data')
  const [core, data] = await Promise.all([
    load(coreAddress),
    language ? language.arrayBuffer() : load(englishAddress),
  ])
  const reply = await ask(thread, { core, language: data }, [core, data])
  if (reply === 'language-refused') throw new WindowError('attachment/language-data')
  return {
    async recognize(image, onPercent) {
      const read =
        image instanceof Blob
          ? await ask(thread, { image }, [], onPercent)
          : await ask(thread, { pixels: image }, [image.data.buffer], onPercent)
      return typeof read === 'object' && 'text' in read ? read.text : ''
    },
  }
}

async function load(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address)
  if (!response.ok) throw new WindowError('attachment/recognition-failed')
  return response.arrayBuffer()
}

/** The answer after the messages about progress. */
function ask(
  thread: Worker,
  request: RecognitionRequest,
  moved: Transferable[],
  onPercent: (percent: number) => void = () => undefined,
): Promise<RecognitionReply> {
  return new Promise((resolve) => {
    const listener = ({ data }: MessageEvent<RecognitionReply>) => {
      if (typeof data === 'object' && 'percent' in data) return onPercent(data.percent)
      thread.removeEventListener('message', listener)
      resolve(data)
    }
    thread.addEventListener('message', listener)
    thread.postMessage(request, moved)
  })
}
