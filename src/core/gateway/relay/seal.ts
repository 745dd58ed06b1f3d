import type { EnclaveChannel } from '../channel/index.ts'
import { bearer, type ServiceAccess } from '../service/http/access.ts'
import { CHAT_PATH } from '../service/inference/chat.ts'
import type { CacheSecrets } from './cache-secret.ts'
import { withUsage, type UpstreamAnswer } from './deliver.ts'
import { jsonBytes } from './json-bytes.ts'
import type { SealedModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { ChatRequest } from './relay.ts'
import { beginSealed, sealedAnswer } from './sealed-relay.ts'

/**
 * Sends a sealed request. Only this type of model is accepted, and nothing is sent before a good verdict.
 * @throws {SottoError} the errors of EnclaveChannel.send; service/… – a status that isn't 2xx. None of its
 * text is reported unless the enclave sealed it
 */
export async function seal(
  {
    channel,
    access,
    cacheSecrets,
  }: { channel: EnclaveChannel; access: ServiceAccess; cacheSecrets: CacheSecrets },
  model: SealedModel,
  request: ChatRequest,
  draft: ReceiptDraft,
): Promise<UpstreamAnswer> {
  const credentials = bearer(access)
  const { body: requestBody, caller, cacheScope = caller.localKeyId ?? 'window' } = request
  const body = cacheSecrets.addTo(withUsage({ ...requestBody, model: model.enclaveId }), cacheScope)
  const response = await channel.send({
    ...beginSealed('sealed', request, draft),
    path: CHAT_PATH,
    model: model.enclaveId,
    // An enclave with a direct connection needs the key, but no plaintext header that names the model.
    headers: access.direct
      ? credentials
      : { ...credentials, 'x-private-model': model.listed.id, 'x-query-source': 'api' },
    body: jsonBytes(body),
  })
  return sealedAnswer(response, request)
}
