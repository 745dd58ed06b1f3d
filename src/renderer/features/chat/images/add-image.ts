import type { Conversation, Message } from '../../../../shared/conversation.ts'
import { treeOf } from '../../../../shared/conversation-tree.ts'
import type { Job } from '../../../../shared/job.ts'
import { api } from '../../../ui/api.ts'
import { currentRoute, replaceRoute } from '../../../ui/route.ts'
import { sameService } from '../../../ui/status-store.ts'
import { reportFailures } from '../branches.ts'
import { modelFor } from '../choose-model.ts'
import { NEW, ownTemporaryConversation, putConversation, putMessages, useChat } from '../chat-store.ts'
import type { ImagePrompt } from '../conversation-dialogs.tsx'
import { endOfShown, emptyComposer, moveChoices } from '../send.ts'

/**
 * Shows the image of a job in the chat, or in a new one. The job was sent before. Throws what the call throws.
 *
 * @param again the prompt that gets another image; a changed prompt begins another branch
 */
export async function addImage(
  { id: jobId, ask }: Job,
  conversation: Conversation | undefined,
  again: ImagePrompt | undefined,
): Promise<void> {
  const still = sameService()
  const added = await (conversation
    ? api.chat.addImage({
        jobId,
        conversationId: conversation.id,
        ...(await placeIn(conversation.id, ask, again)),
      })
    : addToNew(jobId, ask))
  if (!still()) return
  putConversation(added.conversation)
  putMessages(added.conversation.id, added.question, added.answer)
  if (conversation === undefined) enter(added.conversation)
  if (again === undefined)
    emptyComposer(conversation?.id ?? NEW, { text: added.question.text, attachmentIds: [] }, added.question)
}

function addToNew(jobId: string, ask: Job['ask']): ReturnType<typeof api.chat.addImage> {
  const { beginning, models, picked, conversations } = useChat.getState()
  const chosen = modelFor(models, picked[NEW], undefined, conversations)
  const model = chosen ?? ('model' in ask ? ask.model : undefined)
  return api.chat.addImage({
    jobId,
    ...(model !== undefined && { model }),
    ...(Object.keys(beginning).length > 0 && { begin: beginning }),
  })
}

async function placeIn(
  conversationId: string,
  ask: Job['ask'],
  again: ImagePrompt | undefined,
): Promise<{ questionId: string } | { parentId: string | null }> {
  if (again === undefined) return { parentId: await endOfShown(conversationId) }
  const { question } = again
  if (ask.kind === 'image' && ask.prompt === question.text) return { questionId: question.id }
  const messages: readonly Message[] = useChat.getState().threads[conversationId]?.messages ?? []
  return { parentId: treeOf(messages).parentOf(question.id) }
}

/** Moves the choices for a new chat to the chat that the image began, and opens it. */
function enter({ id, temporary }: Conversation): void {
  const { newTools } = useChat.getState()
  if (newTools.length > 0)
    void reportFailures(id, async () => {
      await api.tools.choose({ conversationId: id, sources: [...newTools] })
    })
  moveChoices(id)
  useChat.setState({ beginning: {} })
  if (temporary === true) ownTemporaryConversation(id)
  const here = currentRoute()
  if (here.view === 'chat' && here.conversationId === undefined)
    replaceRoute({ view: 'chat', conversationId: id })
}
