import { SottoError } from '../../../../shared/errors.ts'
import { readBytes } from '../../../../shared/limited-body.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { sniffMedia } from '../../../../shared/sniff-media.ts'
import type { FetchOwn } from '../route-context.ts'

const MAX_IMAGE_BYTES = 32 * 1024 * 1024
/** The limit for a whole image: a server that sends a byte now and then must not delay a request for long. */
const TIMEOUT_MS = 120_000

export interface OwnImage {
  /** The media type, by its bytes. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** Fetches one image by an address of the service's answer. */
export type FetchImage = (address: string) => Promise<OwnImage>

/**
 * Creates a function that fetches images. An attacker may control the address in an answer. `fetchOwn`
 * requests only the service's own origins, without credentials, and follows no redirect.
 * @param signal cancels the fetch
 * @throws {SottoError} service/foreign-address, service/… – the image is unavailable
 * @throws {SottoError} service/response-invalid – it's larger than 32 MiB, or its bytes aren't an image of a
 * known type
 */
export function imageFetcher(fetchOwn: FetchOwn, signal: AbortSignal): FetchImage {
  return async (address) => {
    const { body } = await fetchOwn(address, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    const bytes = await readBytes(body, MAX_IMAGE_BYTES)
    const type = sniffMedia(bytes)
    if (!type.startsWith('image/'))
      throw new SottoError('service/response-invalid', {
        detail: msg('The response isn’t an image.'),
      })
    return { type, bytes }
  }
}
