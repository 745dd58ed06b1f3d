import type { ServiceEnclaveChannel } from '../channel/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import { bearer, type ServiceAccess } from '../service/http/access.ts'
import { CHAT_PATH } from '../service/inference/chat.ts'
import { withUsage, type UpstreamAnswer } from './deliver.ts'
import { jsonBytes } from './json-bytes.ts'
import type { PlaintextModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { ChatRequest } from './relay.ts'
import { beginSealed, sealedAnswer } from './sealed-relay.ts'

/** The enclave's limit for a request. */
const MAX_BODY_BYTES = 25 * 1024 * 1024

/**
 * Sends a request to the service's own enclave, sealed. The service can't read it, and the model's provider
 * can. Nothing is sent before a good verdict.
 * @throws {SottoError} relay/too-large – more than 25 MiB; the errors of ServiceEnclaveChannel.send;
 * service/… – a status that isn't 2xx
 */
export async function relayThrough(
  { channel, access }: { channel: ServiceEnclaveChannel; access: ServiceAccess },
  model: PlaintextModel,
  request: ChatRequest,
  draft: ReceiptDraft,
): Promise<UpstreamAnswer> {
  const credentials = bearer(access)
  const body = jsonBytes(withUsage({ ...request.body, model: model.listed.id }))
  if (body.byteLength > MAX_BODY_BYTES) throw new SottoError('relay/too-large')
  const response = await channel.send(
    {
      ...beginSealed('relayed', request, draft),
      path: CHAT_PATH,
      headers: { ...credentials, 'x-query-source': 'api' },
      body,
    },
    model.listed.id,
  )
  const answer = await sealedAnswer(response, request)
  return {
    ...answer,
    onChunk: (chunk) => response.onChunk(chunk),
    received: () => ({ ...answer.received(), routing: response.routing() }),
  }
}
