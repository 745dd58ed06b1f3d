import type { ServiceEnclaveChannel } from '../channel/index.ts'
import { SottoError } from '../../shared/errors.ts'
import { bearer, type ServiceAccess } from '../service/http/access.ts'
import { serviceFailure } from '../service/http/failure.ts'
import { CHAT_PATH } from '../service/inference/chat.ts'
import type { UpstreamAnswer } from './deliver.ts'
import { jsonBytes } from './json-bytes.ts'
import type { OpenModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { ChatRequest } from './relay.ts'
import { withUsage } from './usage-request.ts'

/** The enclave's limit for a request. */
const MAX_BODY_BYTES = 25 * 1024 * 1024

/**
 * The way through the service's own enclave, sealed to it: the service can't read the request, and the model's provider can. Nothing
 * leaves before a good verdict.
 *
 * @throws {SottoError} relay/too-large – more than 25 MiB; what ServiceEnclaveChannel.send throws; service/… for a status that
 *   isn't 2xx. An unsealed one is never told as the model's words.
 */
export async function relayThrough(
  { channel, access }: { channel: ServiceEnclaveChannel; access: ServiceAccess },
  model: OpenModel,
  request: ChatRequest,
  draft: ReceiptDraft,
): Promise<UpstreamAnswer> {
  const credentials = bearer(access)
  const body = jsonBytes(withUsage({ ...request.body, model: model.listed.id }))
  if (body.byteLength > MAX_BODY_BYTES) throw new SottoError('relay/too-large')
  request.onStage?.('proving')
  draft.time.waits()
  const response = await channel.send({
    path: CHAT_PATH,
    headers: { ...credentials, 'x-query-source': 'api' },
    body,
    signal: request.signal,
    onProven: () => {
      draft.time.proven()
      request.onStage?.('sealing')
    },
    onLeaving: (verdict) => {
      draft.leaving('relayed', verdict)
      draft.time.leaves()
    },
    onSent: (sent) => draft.know(sent),
    onUnread: () => draft.unread(),
  }, model.listed.id)
  if (response.status < 200 || response.status > 299) throw await serviceFailure(response, { authenticated: response.opened })
  request.onStage?.('waiting')
  return {
    contentType: response.headers.get('content-type'),
    body: response.body,
    close: () => response.close(),
    onChunk: (chunk) => response.onChunk(chunk),
    received: () => ({ bytesReceived: response.bytesReceived(), responseDigest: response.responseDigest(), routing: response.routing() }),
    cutOff: 'channel/response-truncated',
  }
}
