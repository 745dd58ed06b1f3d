import { createHash, randomUUID } from 'node:crypto'
import { CONSENT_MS, type ConsentPurpose } from '../../../shared/consent.ts'
import type { Message } from '../../../shared/conversation.ts'
import { SottoError } from '../../../shared/errors.ts'

/** All content that would be readable. */
export interface Exposed {
  readonly instructions: string | undefined
  readonly messages: readonly ExposedMessage[]
}

export interface ExposedMessage extends Pick<Message, 'role' | 'text' | 'passages' | 'toolCalls'> {
  readonly attachments?: readonly { readonly id: string; readonly name: string }[] | undefined
}

export interface ConsentTo {
  readonly conversationId: string
  readonly purpose: ConsentPurpose
  /** Null if the content isn't known in advance, for example the sound of a microphone. */
  readonly exposed: Exposed | null
}

/**
 * Consents, each for one action, once, and only in memory. Only the window's API leads here: no caller of
 * the proxy can create or use one.
 */
export interface Consents {
  /** An empty list of models is for a purpose without one. */
  offer(to: ConsentTo & { readonly models: readonly string[] }): { consentId: string; expiresAt: number }
  /**
   * Throws privacy/consent-missing, -ended (used, too old, or never given), -other or -changed. A consent
   * that is used for any other action becomes invalid.
   */
  use(consentId: string | undefined, of: ConsentTo & { readonly model: string | undefined }): void
}

/** The number of pending consents; beyond it, the oldest is discarded. */
const WAITING = 16
const NO_MODEL = ''

interface Waiting {
  readonly conversationId: string
  readonly purpose: ConsentPurpose
  readonly digest: string
  readonly from: number
  readonly models: ReadonlySet<string>
  readonly spent: Set<string>
}

/** @param now Unix ms. A clock that steps back before the consent ends it too. */
export function createConsents(now: () => number): Consents {
  const waiting = new Map<string, Waiting>()

  return {
    offer({ conversationId, purpose, models, exposed }) {
      const consentId = randomUUID()
      const from = now()
      waiting.set(consentId, {
        conversationId,
        purpose,
        digest: digestOf(exposed),
        from,
        models: new Set(models.length === 0 ? [NO_MODEL] : models),
        spent: new Set(),
      })
      for (const id of waiting.keys()) {
        if (waiting.size <= WAITING) break
        waiting.delete(id)
      }
      return { consentId, expiresAt: from + CONSENT_MS }
    },
    use(consentId, { conversationId, purpose, model = NO_MODEL, exposed }) {
      if (consentId === undefined) throw new SottoError('privacy/consent-missing')
      const consent = waiting.get(consentId)
      const age = now() - (consent?.from ?? 0)
      // Stored again below only for the other models that it includes.
      waiting.delete(consentId)
      if (!consent || age < 0 || age >= CONSENT_MS || consent.spent.has(model))
        throw new SottoError('privacy/consent-expired')
      if (
        consent.conversationId !== conversationId ||
        consent.purpose !== purpose ||
        !consent.models.has(model)
      )
        throw new SottoError('privacy/consent-mismatch')
      if (consent.digest !== digestOf(exposed)) throw new SottoError('privacy/consent-changed')
      consent.spent.add(model)
      if (consent.spent.size < consent.models.size) waiting.set(consentId, consent)
    },
  }
}

function digestOf(exposed: Exposed | null): string {
  if (!exposed) return ''
  const { instructions = null, messages } = exposed
  const hash = createHash('sha256').update(JSON.stringify(instructions))
  for (const { role, text, attachments = [] } of messages)
    hash.update(JSON.stringify([role, text, attachments.map(({ id }) => id)]))
  return hash.digest('hex')
}
