import createCore, { type TesseractApi } from 'tesseract.js-core/tesseract-core-simd-lstm.js'
import { fitSize, toGrayMap, type Pixels } from './pixels.ts'

// Recognizes text in a separate thread, whose content security policy permits WebAssembly and no network. The thread ends
// with its file, so a hostile image or language file harms nothing else.

export type RecognitionRequest =
  | { readonly core: ArrayBuffer; readonly language: ArrayBuffer }
  | { readonly pixels: Pixels }
  | { readonly image: Blob }

export type RecognitionReply =
  | 'ready'
  | 'language-refused'
  | { readonly percent: number }
  | { readonly text: string }

/** Of the unpacked language data, in bytes. The largest published data have 40 MB. */
const MAX_LANGUAGE_BYTES = 64_000_000
/** More than any published data have. */
const MAX_PARTS = 64
/** The engine that needs no data of the older one, and the layout of a page with columns. */
const LSTM_ENGINE = 1
const AUTOMATIC_LAYOUT = '3'
/** Tesseract finds lines and words before this percentage, and reports no progress until then. */
const LAYOUT_PERCENT = 30

let recognize: ((image: Uint8Array) => string) | undefined

self.addEventListener('message', ({ data }: MessageEvent<RecognitionRequest>) => {
  // A rejected promise reaches the window as an error of the thread.
  void answer(data).then(post, (thrown: unknown) => reportError(thrown))
})

function post(reply: RecognitionReply): void {
  self.postMessage(reply)
}

async function answer(request: RecognitionRequest): Promise<RecognitionReply> {
  if ('core' in request) return begin(request)
  const pixels = 'pixels' in request ? request.pixels : await decode(request.image)
  return { text: recognize?.(toGrayMap(pixels)) ?? '' }
}

async function begin({
  core,
  language,
}: {
  readonly core: ArrayBuffer
  readonly language: ArrayBuffer
}): Promise<'ready' | 'language-refused'> {
  const data = await unpack(language)
  if (!data || !isTrainedData(data)) return 'language-refused'
  const tesseract = await createCore({
    wasmBinary: core,
    TesseractProgress: (percent) =>
      post({
        percent: Math.max(0, Math.min(100, ((percent - LAYOUT_PERCENT) * 100) / (100 - LAYOUT_PERCENT))),
      }),
    print: () => undefined,
    printErr: () => undefined,
  })
  tesseract.FS.writeFile('chosen.traineddata', data)
  const api = new tesseract.TessBaseAPI()
  if (!accepts(api)) return 'language-refused'
  api.SetVariable('tessedit_pageseg_mode', AUTOMATIC_LAYOUT)
  recognize = (image) => {
    tesseract.FS.writeFile('/input', image)
    if (api.SetImageFile(1, 0) === 1) throw new Error('image not read')
    api.Recognize(null)
    return api.GetUTF8Text().trim()
  }
  return 'ready'
}

/** Trained data begin with the number of their parts, and the place of each. */
function isTrainedData(data: Uint8Array): boolean {
  const parts = data.length < 4 ? 0 : new DataView(data.buffer, data.byteOffset).getInt32(0, true)
  return parts > 0 && parts <= MAX_PARTS && data.length > 4 + 8 * parts
}

/** Tesseract ends its module on some data that it can't read. */
function accepts(api: TesseractApi): boolean {
  try {
    return api.Init(null, 'chosen', LSTM_ENGINE) !== -1
  } catch {
    return false
  }
}

/** Undefined if it's damaged or too large. */
async function unpack(language: ArrayBuffer): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(language)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length
      if (length > MAX_LANGUAGE_BYTES) return undefined
      parts.push(part.value)
    }
  } catch {
    return undefined
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** The pixels of an image, upright and reduced, on no background. */
async function decode(image: Blob): Promise<Pixels> {
  const bitmap = await createImageBitmap(image)
  const { width, height } = fitSize(bitmap)
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  return { data: context.getImageData(0, 0, width, height).data, width, height }
}
