import { create } from 'zustand'
import type { ConsentPreview, ConsentPurpose } from '../../shared/consent.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { onServiceChange } from './status-store.ts'

/** A request for consent to one call, with the values of that call. */
export interface ConsentAsk {
  readonly conversationId: string
  /** Of a conversation that hasn't begun. */
  readonly projectId?: string | undefined
  readonly purpose: ConsentPurpose
  readonly model?: string | undefined
  /** If one prompt goes to several models, each of them may receive it once. */
  readonly models?: readonly string[]
  /** The text that is about to be sent or read aloud. */
  readonly text?: string
  readonly attachmentIds?: readonly string[]
  /** As in chat.send. */
  readonly passageIds?: readonly string[]
  /** As in chat.send. */
  readonly parentId?: string | null
  /** As in chat.regenerate. */
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

// The question names who could read the text, and that has changed.
onServiceChange(() => useConsent.getState().asking?.answer(null))

/**
 * Shows which part of a private conversation would be exposed, and asks for consent. Resolves to a consent for one
 * call, or to null if the person declines. A question that is still open is answered with no.
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

/** Loads what would be exposed, even if it was shown before: the person can consent only to the latest preview. */
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
    const { conversationId, projectId, purpose, text, attachmentIds, passageIds } = ask
    const { parentId, questionId, messageId } = ask
    put({
      preview: await api.consents.preview({
        conversationId,
        purpose,
        models: [...models],
        ...(projectId !== undefined && { projectId }),
        ...(text !== undefined && { text }),
        ...(attachmentIds && { attachmentIds: [...attachmentIds] }),
        ...(passageIds && { passageIds: [...passageIds] }),
        ...(parentId !== undefined && { parentId }),
        ...(questionId !== undefined && { questionId }),
        ...(messageId !== undefined && { messageId }),
      }),
    })
  } catch (thrown) {
    put({ failure: asFailure(thrown) })
  }
}
