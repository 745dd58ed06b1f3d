import { create } from 'zustand'
import type { ConsentPreview, ConsentPurpose } from '../../shared/consent.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { onServiceChange } from './status-store.ts'

/** What somebody is asked to allow once: as the call that follows will say it. */
export interface ConsentAsk {
  readonly conversationId: string
  readonly purpose: ConsentPurpose
  readonly model?: string | undefined
  /** Where one prompt goes to several: each of them may have it once. */
  readonly models?: readonly string[]
  /** What is about to be sent or read aloud. */
  readonly text?: string
  readonly attachmentIds?: readonly string[]
  /** As of chat.send. */
  readonly parentId?: string | null
  /** As of chat.regenerate. */
  readonly questionId?: string
  readonly messageId?: string
}

interface Asking {
  readonly ask: ConsentAsk
  readonly models: readonly string[]
  readonly preview: ConsentPreview | undefined
  readonly failure: Failure | undefined
  readonly answer: (consentId: string | null) => void
}

interface ConsentState {
  readonly asking: Asking | undefined
}

export const useConsent = create<ConsentState>()(() => ({ asking: undefined }))

// The question names who could read it: that is another now.
onServiceChange(() => useConsent.getState().asking?.answer(null))

/**
 * Shows what of a private conversation would be exposed, and asks. Gives the consent to send along, once, or null: it stays
 * as it is. A question that is still open is answered with no.
 */
export function askConsent(ask: ConsentAsk): Promise<string | null> {
  useConsent.getState().asking?.answer(null)
  return new Promise((resolve) => {
    const asking: Asking = {
      ask,
      models: ask.models ?? (ask.model === undefined ? [] : [ask.model]),
      preview: undefined,
      failure: undefined,
      answer(consentId) {
        if (useConsent.getState().asking?.answer === asking.answer) useConsent.setState({ asking: undefined })
        resolve(consentId)
      },
    }
    useConsent.setState({ asking })
    void showExposed()
  })
}

/** Has what would be exposed looked up, anew where it was shown before: only what was shown last can be allowed. */
export async function showExposed(): Promise<void> {
  const { asking } = useConsent.getState()
  if (!asking) return
  const { ask, models } = asking
  const put = (change: Partial<Asking>) => {
    const { asking: now } = useConsent.getState()
    if (now?.answer === asking.answer) useConsent.setState({ asking: { ...now, ...change } })
  }
  put({ preview: undefined, failure: undefined })
  try {
    const { conversationId, purpose, text, attachmentIds, parentId, questionId, messageId } = ask
    put({
      preview: await api.consents.preview({
        conversationId,
        purpose,
        models: [...models],
        ...(text !== undefined && { text }),
        ...(attachmentIds && { attachmentIds: [...attachmentIds] }),
        ...(parentId !== undefined && { parentId }),
        ...(questionId !== undefined && { questionId }),
        ...(messageId !== undefined && { messageId }),
      }),
    })
  } catch (thrown) {
    put({ failure: asFailure(thrown) })
  }
}
