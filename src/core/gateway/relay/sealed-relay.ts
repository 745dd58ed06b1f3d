import type { SealedRequest, SealedResponse } from '../channel/index.ts'
import { readHeaderCost } from '../answer/index.ts'
import { serviceFailure } from '../service/http/failure.ts'
import type { UpstreamAnswer } from './deliver.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { ChatRequest } from './relay.ts'

type Hooks = Pick<SealedRequest, 'signal' | 'onProven' | 'onLeaving' | 'onSent' | 'onStayed' | 'onUnread'>

/** Begins a request that waits for a verdict first, and notes its progress on its receipt. */
export function beginSealed(
  privacy: 'sealed' | 'relayed',
  { signal, onStage }: Pick<ChatRequest, 'signal' | 'onStage'>,
  draft: ReceiptDraft,
): Hooks {
  onStage?.('proving')
  draft.time.waits()
  return {
    signal,
    onProven: () => {
      draft.time.proven()
      onStage?.('sealing')
    },
    onLeaving: (verdict) => {
      draft.leaving(privacy, verdict)
      draft.time.leaves()
    },
    onSent: (sent) => draft.know(sent),
    onStayed: () => draft.stayed(),
    onUnread: () => draft.unread(),
  }
}

/**
 * Returns the answer of an enclave.
 * @throws {SottoError} service/… – a status that isn't 2xx. Only the status of an unsealed answer is reported
 */
export async function sealedAnswer(
  response: SealedResponse,
  { onStage }: Pick<ChatRequest, 'onStage'>,
): Promise<UpstreamAnswer> {
  if (response.status < 200 || response.status > 299)
    throw await serviceFailure(response, { authenticated: response.opened })
  onStage?.('waiting')
  return {
    contentType: response.headers.get('content-type'),
    body: response.body,
    close: () => response.close(),
    received: () => ({ bytesReceived: response.bytesReceived(), responseDigest: response.responseDigest() }),
    cost: () => readHeaderCost(response),
    cutOff: 'channel/response-truncated',
  }
}
