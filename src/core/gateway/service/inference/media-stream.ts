import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { limited, responseTooLarge } from '../../../../shared/limited-body.ts'

/** The body of an answer. */
export interface StreamedBody {
  /** In bytes, if it's known. */
  readonly contentLength?: number | undefined
  /**
   * Yields bytes as they arrive, with backpressure. If the body is incomplete, it ends with a SottoError.
   * Stopping the iteration, or aborting the request's signal, ends the exchange with the service at once.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** Larger than any video of the service. */
const MAX_MEDIA_BYTES = 1024 * 1024 * 1024

/** No type that a browser would run or open as a page: no SVG, no HTML. */
const MEDIA_TYPE = /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/(?:mp4|webm|quicktime))$/

/**
 * Passes an image or a video on.
 * @returns the content type without parameters, lowercase
 * @throws {SottoError} service/response-invalid – another type; and the errors of streamBody
 */
export function readMedia(response: FetchResponse): StreamedBody & { readonly contentType: string } {
  const contentType = mediaTypeOf(response.headers.get('content-type') ?? '')
  if (!MEDIA_TYPE.test(contentType))
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t an image or video.') })
  return { contentType, ...streamBody(response, MAX_MEDIA_BYTES) }
}

/** Returns the content type without parameters, lowercase. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Passes a body on: at most `limit` bytes, and as long as its content-length.
 * @throws {SottoError} service/response-invalid – a longer answer. The body also throws that, and
 * service/interrupted if it's shorter than announced
 */
export function streamBody(
  { headers, body }: Pick<FetchResponse, 'headers' | 'body'>,
  limit: number,
): StreamedBody {
  const length = headers.get('content-length')
  const contentLength = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
  if (contentLength !== undefined && contentLength > limit) throw responseTooLarge()
  return { contentLength, body: whole(limited(body, limit), contentLength) }
}

async function* whole(
  body: AsyncIterable<Uint8Array>,
  length: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.byteLength
    yield chunk
  }
  if (length !== undefined && received !== length) throw new SottoError('service/interrupted')
}
