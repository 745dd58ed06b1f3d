import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { limited, responseTooLarge } from '../../../../shared/limited-body.ts'

/** Image, video or audio as it arrives. If the body is incomplete, it ends with a SottoError. */
export interface MediaStream {
  /** Without parameters, lowercase. */
  readonly contentType: string
  /** In bytes, if the service states it. */
  readonly size?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Larger than any video of the service. */
export const MAX_MEDIA_BYTES = 1024 * 1024 * 1024

/** No type that a browser would run or open as a page: no SVG, no HTML. */
const MEDIA_TYPES = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/quicktime'],
  audio: [
    'audio/mpeg',
    'audio/mp3',
    'audio/mp4',
    'audio/aac',
    'audio/ogg',
    'audio/opus',
    'audio/flac',
    'audio/wav',
    'audio/x-wav',
    'audio/webm',
    'audio/l16',
    'audio/pcm',
  ],
} as const

const wanted = {
  pictures: {
    types: [...MEDIA_TYPES.image, ...MEDIA_TYPES.video],
    otherwise: msg('The response isn’t an image or video.'),
  },
  sound: { types: MEDIA_TYPES.audio, otherwise: msg('The response isn’t audio.') },
}

/**
 * Passes a media answer on: of a known type, at most `limit` bytes, and as long as its content-length.
 * @throws {SottoError} service/response-invalid – another type, or a longer answer. The body also throws
 * that, and service/interrupted if it's shorter than announced
 */
export function readMedia(
  { headers, body }: FetchResponse,
  kinds: keyof typeof wanted,
  limit: number,
): MediaStream {
  const contentType = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const { types, otherwise } = wanted[kinds]
  if (!types.some((type) => type === contentType))
    throw new SottoError('service/response-invalid', { detail: otherwise })
  const size = lengthOf(headers)
  if (size !== undefined && size > limit) throw responseTooLarge()
  return { contentType, size, body: whole(limited(body, limit), size) }
}

/** Returns the length that an answer announces, if it does. */
export function lengthOf(headers: FetchResponse['headers']): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** Passes a body on. @throws {SottoError} service/interrupted – its length isn't the announced one */
export async function* whole(
  body: AsyncIterable<Uint8Array>,
  size: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.byteLength
    yield chunk
  }
  if (size !== undefined && received !== size) throw new SottoError('service/interrupted')
}
