import { MAX_IMAGE_BYTES } from '../../shared/attachment-limits.ts'
import { nameFileKind } from '../../shared/file-kind.ts'
import { readImageSize } from '../../shared/image-size/read-image-size.ts'
import { isDecodable } from '../../shared/image-size/size.ts'
import { codedFailure, WindowError } from '../ui/failure.ts'
import { checkDrawing } from './readers/drawing-images.ts'
import { isAnimated, type ImageKind } from './readers/image-facts.ts'
import type { ImageReply, ImageRequest } from './readers/image-worker.ts'
import workerAddress from './readers/image-worker.ts?worker&url'
import type { ReadyFile } from './read-file.ts'
import { askThread, runThread } from './run-thread.ts'

/** Limit for an image before it's reduced. */
const MAX_SOURCE_BYTES = 50_000_000
const IMAGE_TIMEOUT_MS = 60_000
/** In pixels, of the longer edge of a drawing. */
const DRAWING_EDGE = 1_024
const MAX_DRAWING_BYTES = 2_000_000

/**
 * An image as a model needs it: upright, and no larger than models look at. A format that models don't accept is converted if the
 * browser can decode it, and otherwise refused by its name.
 *
 * @throws {WindowError} attachment/too-large, attachment/image-kind, attachment/image-damaged; attachment/too-many-pixels – judged from the
 *   header, before anything is decoded
 */
export async function readImage(file: File, kind: ImageKind, signal: AbortSignal): Promise<ReadyFile> {
  const { name } = file
  if (file.size > MAX_SOURCE_BYTES) throw new WindowError('attachment/too-large')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const detail = nameFileKind(bytes, name)
  const size = readImageSize(bytes)
  // Without a size, the browser must not try.
  if (!size)
    throw new WindowError(
      kind === 'image' ? codedFailure('attachment/image-kind', detail) : 'attachment/image-damaged',
    )
  if (!isDecodable(size)) throw new WindowError('attachment/too-many-pixels')
  const animated = isAnimated(bytes, kind)
  const request: ImageRequest = { bytes, kind }
  const reply = await runThread(
    workerAddress,
    { signal, failure: 'attachment/image-damaged', timeoutMs: IMAGE_TIMEOUT_MS },
    (thread) => askThread<ImageReply>(thread, request),
  )
  if (reply === 'unknown') throw new WindowError(codedFailure('attachment/image-kind', detail))
  const content = reply === 'unchanged' ? file : reply.blob
  if (content.size > MAX_IMAGE_BYTES) throw new WindowError('attachment/too-large')
  return { name, type: content.type, content, ...(animated && { notes: { animated } }) }
}

/**
 * The picture of an SVG drawing. As an image, a drawing runs no script and loads nothing.
 *
 * @returns undefined if it can't be drawn; its text can still be read
 * @throws {WindowError} attachment/too-many-pixels – of the images in it
 */
export async function drawSvg(file: File): Promise<ReadyFile | undefined> {
  if (file.size > MAX_DRAWING_BYTES) return undefined
  const content = checkDrawing(await file.text())
  if (content === 'too-many-pixels') throw new WindowError('attachment/too-many-pixels')
  if (content === 'unknown') return undefined
  const url = URL.createObjectURL(new Blob([file], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const scale = DRAWING_EDGE / Math.max(width, height, 1)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round((width || 1) * scale))
    canvas.height = Math.max(1, Math.round((height || 1) * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    return picture ? { name: file.name, type: 'image/png', content: picture } : undefined
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}
