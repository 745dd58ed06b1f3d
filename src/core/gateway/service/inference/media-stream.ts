import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { limited } from '../http/body.ts'

/** Image, video or audio as it comes. The body ends by throwing a coded SottoError where it is not whole. */
export interface MediaStream {
  /** Without parameters, lower case. */
  readonly contentType: string
  /** In bytes, where the service says. */
  readonly size?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Longer videos than the service makes fit. */
export const MAX_MEDIA_BYTES = 1024 * 1024 * 1024

/** Nothing that a browser would run or open as a page: no SVG, no HTML. */
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
 * Hands a media answer on: of a known type, at most `limit` bytes, and as long as its content-length says. Throws service/response-invalid for
 * another type or a longer one; its body throws that too, and service/interrupted where it is shorter than was said.
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
  if (size !== undefined && size > limit)
    throw new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
  return { contentType, size, body: whole(limited(body, limit), size) }
}

/** The length that an answer announces, where it does. */
export function lengthOf(headers: FetchResponse['headers']): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** Passes a body on, and throws service/interrupted where it is not as long as was announced. */
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
