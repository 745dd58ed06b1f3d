import { isPrivateOnly } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { askConsent, type ConsentAsk } from '../../ui/consent-store.ts'
import { useProjects } from '../../ui/project-store.ts'
import { needsConsent } from './choose-model.ts'
import { pickModel, useChat, without } from './chat-store.ts'

/** Asks for consent if the request needs one. Throws an AbortError if the person declines: then nothing is sent. */
export async function consented(
  conversationId: string,
  model: string,
  ask: Pick<ConsentAsk, 'parentId' | 'questionId' | 'text' | 'attachmentIds' | 'passageIds'>,
  purpose: ConsentAsk['purpose'] = 'continue',
): Promise<{ consentId?: string }> {
  if (!needsConsent(model, privateOnly(conversationId))) return {}
  // There is no consent in a private-only project: the core refuses the request.
  if (isInPrivateProject(conversationId)) return {}
  const consentId = await askConsent({ conversationId, purpose, model, ...ask })
  if (consentId === null) throw new DOMException('It stays private.', 'AbortError')
  return { consentId }
}

/** Selects the private model again after a reply with consent, because that consent doesn't apply to later messages. */
export function restorePrivateModel(conversationId: string, model: string): boolean {
  const conversation = privateOnly(conversationId)
  if (!needsConsent(model, conversation)) return false
  const last = useChat
    .getState()
    .threads[conversationId]?.messages?.findLast(
      ({ model: by }) => by !== undefined && isPrivateModel(by),
    )?.model
  if (last !== undefined) pickModel(conversationId, last)
  else useChat.setState(({ picked }) => ({ picked: without(picked, conversationId) }))
  return true
}

function isInPrivateProject(conversationId: string): boolean {
  const { projectId } = useChat.getState().conversations?.find(({ id }) => id === conversationId) ?? {}
  return useProjects.getState().projects?.find(({ id }) => id === projectId)?.privateOnly ?? false
}

function privateOnly(conversationId: string): { readonly private: boolean } {
  const { conversations, threads } = useChat.getState()
  return {
    private: isPrivateOnly(
      conversations?.find(({ id }) => id === conversationId),
      threads[conversationId]?.messages ?? [],
    ),
  }
}
