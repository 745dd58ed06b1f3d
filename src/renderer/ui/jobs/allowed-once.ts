import type { JobAsk, StoredAsk } from '../../../shared/job-ask.ts'
import { askConsent } from '../consent-store.ts'
import { asFailure } from '../failure.ts'

/**
 * Does what sends a job. Where the core says that this shows something of a private conversation, it is asked about, and done once more
 * with what was allowed. Throws what `send` throws, and an AbortError where it was not allowed: nothing was sent.
 */
export async function allowedOnce<T>(
  ask: JobAsk | StoredAsk,
  send: (consent: { consentId?: string }) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (thrown) {
    if (!('from' in ask) || asFailure(thrown).code !== 'privacy/consent-missing') throw thrown
    const { conversationId, attachmentId } = ask.from
    const consentId = await askConsent({
      conversationId,
      purpose: 'studio',
      model: ask.model,
      text: ask.kind === 'speech' ? ask.text : (ask.prompt ?? ''),
      ...(attachmentId !== undefined && { attachmentIds: [attachmentId] }),
    })
    if (consentId === null) throw new DOMException('It stays private.', 'AbortError')
    return send({ consentId })
  }
}
