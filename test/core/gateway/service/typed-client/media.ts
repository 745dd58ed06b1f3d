import { SottoError } from '../../../../../src/shared/errors.ts'
import {
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import {
  MAX_MEDIA_BYTES,
  readMedia,
  type MediaStream,
} from '../../../../../src/core/gateway/service/inference/media-stream.ts'

/**
 * A signed media URL (specification, Image result and Video job), as a stream. The signature is all that it needs: no
 * credential is sent, to no address but the service's own, and no redirect is followed. service/media-expired after its 24 hours.
 */
function mediaRequest(url: string, limit = MAX_MEDIA_BYTES): ServiceRequest<MediaStream> {
  return {
    method: 'GET',
    target: { address: url },
    auth: 'none',
    accept: 'image/*, video/*',
    repeatable: true,
    read: (response) => Promise.resolve(readMedia(response, 'pictures', limit)),
  }
}

export async function downloadMedia(
  service: Service,
  url: string,
  options: CallOptions & { readonly limit?: number } = {},
): Promise<MediaStream> {
  try {
    return await perform(service, mediaRequest(url, options.limit), options)
  } catch (failure) {
    const gone =
      failure instanceof SottoError &&
      (failure.code === 'service/not-found' ||
        failure.code === 'service/key-refused' ||
        failure.code === 'service/key-expired')
    throw gone ? new SottoError('service/media-expired', { cause: failure }) : failure
  }
}
