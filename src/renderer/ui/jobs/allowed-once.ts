import type { JobAsk, StoredAsk } from '../../../shared/job-ask.ts'
import { askConsent } from '../consent-store.ts'
import { asFailure } from '../failure.ts'

/**
 * Runs `send`, which sends a job. If the core reports that the job would expose part of a private conversation, Sotto
 * asks for consent and runs `send` again with it. Throws what `send` throws, and an AbortError if the person declines:
 * then nothing was sent.
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
