import { readHeaderCost } from '../answer/index.ts'
import { ReceivedBytes, sentDigest } from '../channel/index.ts'
import { RequestTimeout, type Timeouts } from '../request-timeout.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { bearer, type ServiceAccess } from '../service/http/access.ts'
import { serviceFailure } from '../service/http/failure.ts'
import { startChatCompletion } from '../service/inference/chat.ts'
import { withUsage, type UpstreamAnswer } from './deliver.ts'
import { jsonBytes } from './json-bytes.ts'
import type { PlaintextModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { ChatRequest } from './relay.ts'

/**
 * Sends a chat to a model that the service can read. The JSON is written from the parsed value.
 * @throws {SottoError} service/no-account, service/no-api-key – before anything is sent; service/…,
 * request/canceled – after that
 */
export async function forward(
  { fetch, access, timeouts }: { fetch: Fetch; access: ServiceAccess; timeouts: Timeouts },
  model: PlaintextModel,
  request: ChatRequest,
  draft: ReceiptDraft,
): Promise<UpstreamAnswer> {
  bearer(access)
  const body = jsonBytes(withUsage({ ...request.body, model: model.listed.id }))
  const timeout = new RequestTimeout(request.signal, timeouts)
  request.onStage?.('sending')
  draft.leaving('forwarded')
  draft.know({ bytesSent: body.byteLength })
  draft.time.leaves()
  const answering = startChatCompletion(fetch, access, body, timeout.signal)
  // Hashed while the body is being sent.
  const digest = sentDigest(body)
  try {
    const response = await answering
    draft.know({ requestDigest: typeof digest === 'string' ? digest : await digest })
    if (response.status < 200 || response.status > 299)
      throw await serviceFailure(response, { authenticated: true })
    request.onStage?.('waiting')
    const received = new ReceivedBytes()
    return {
      contentType: response.headers.get('content-type'),
      body: timeout.watch(response.body, { push: (chunk) => received.noted(chunk) }),
      close: () => timeout.close(),
      received: () => ({ bytesReceived: received.bytes, responseDigest: received.digest() }),
      cost: () => readHeaderCost(response),
      cutOff: 'service/interrupted',
    }
  } catch (cause) {
    timeout.close()
    draft.know({ requestDigest: await digest })
    throw timeout.reasonFor(cause, 'service/unreachable')
  }
}
