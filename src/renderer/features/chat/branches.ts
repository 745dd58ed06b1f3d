import { t } from '@lingui/core/macro'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import { isPrivateOnly, shownPath, treeOf, type ConversationTree } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { go } from '../../ui/route.ts'
import { sameService, useStatus } from '../../ui/status-store.ts'
import { isUnlisted, modelFor, refusalOf } from './choose-model.ts'
import {
  compareModels,
  LIST,
  pickModel,
  putConversation,
  putWhole,
  setEdit,
  showSideBySide,
  useChat,
  without,
} from './chat-store.ts'
import { consented, restorePrivateModel } from './consented.ts'
import { jumpTo } from './jump.ts'
import { showPicker } from './picker-store.ts'
import { regenerate, send, stream } from './send.ts'

/** Asks the model, in a visible message, to continue: the service has no way to extend an existing reply. */
export function continueWords(): string {
  return t`Continue exactly where your last reply stopped.`
}

type Place = Pick<Message, 'id' | 'conversationId'>

/** Asks the question of this reply again. */
export async function answerAgain({ id, conversationId }: Place): Promise<void> {
  const questionId = treeHere(conversationId)?.parentOf(id)
  const model = modelHere(conversationId)
  if (questionId && model !== undefined) await regenerate({ conversationId, questionId, model })
}

/** Continues an interrupted reply in a new reply. */
export async function continueAnswer({ id, conversationId }: Place): Promise<void> {
  const model = modelHere(conversationId)
  if (model !== undefined)
    await send({ conversationId, model, text: continueWords(), parentId: id, onStored: () => undefined })
}

/** Continues a reply with tools in its place. The core asks again for each call that waits, and repeats none. */
export async function resumeAnswer({ id: answerId, conversationId, model = '' }: Message): Promise<void> {
  const tree = treeHere(conversationId)
  const question = tree?.get(tree.parentOf(answerId) ?? '')
  await stream(
    conversationId,
    model,
    () => undefined,
    async (signal) =>
      api.chat.resume(
        {
          conversationId,
          answerId,
          ...(await consented(
            conversationId,
            model,
            question ? { questionId: question.id } : {},
            question?.webSearch ? 'web-search' : 'continue',
          )),
        },
        { signal },
      ),
  )
}

/**
 * Sends the edited text of a question as a new branch, next to the existing branch.
 * @param passageIds the passages that the editor shows
 */
export async function sendEdited(
  { id, conversationId, attachments = [] }: Place & Pick<Message, 'attachments'>,
  text: string,
  passageIds: readonly string[] = [],
): Promise<void> {
  const tree = treeHere(conversationId)
  const model = modelHere(conversationId)
  if (tree && model !== undefined && (text.trim() !== '' || attachments.length > 0))
    await send({
      conversationId,
      model,
      text,
      attachmentIds: attachments.map((one) => one.id),
      passageIds,
      parentId: tree.parentOf(id),
      onStored: () => {
        if (useChat.getState().edits[id] === text) setEdit(id, undefined)
      },
    })
}

/** Shows the branch through a sibling of this message, and announces its place among the siblings. */
export function addToSideBySide({ id, conversationId }: Place, step: 1 | -1): void {
  const tree = treeHere(conversationId)
  const conversation = conversationHere(conversationId)
  if (!tree || !conversation) return
  const siblings = tree.childrenOf(tree.parentOf(id))
  const at = siblings.findIndex((sibling) => sibling.id === id) + step
  const adjacentMessage = siblings[at]
  const messages = useChat.getState().threads[conversationId]?.messages
  if (!adjacentMessage || !messages) return
  focusNext = { id: adjacentMessage.id, step }
  // Shown at once. The core saves the choice afterwards.
  const leafId = shownPath(tree, messages, adjacentMessage.id).at(-1)?.id ?? adjacentMessage.id
  putConversation({ ...conversation, leafId })
  jumpTo(adjacentMessage.id)
  const [place, of] = [at + 1, siblings.length]
  announce(t`Branch ${place} of ${of}`)
  void reportFailures(conversationId, async () => {
    await api.conversations.show({ conversationId, messageId: adjacentMessage.id })
  })
}

let focusNext: { readonly id: string; readonly step: 1 | -1 } | undefined

/** Whether the row with this ID takes the focus, so that a person who stepped to this branch can step on. */
export function takesFocus(id: string): 1 | -1 | undefined {
  if (focusNext?.id !== id) return undefined
  const { step } = focusNext
  focusNext = undefined
  return step
}

/** Opens all replies to the question of this reply, next to each other. */
export function showRepliesSideBySide({ id, conversationId }: Place): void {
  const questionId = treeHere(conversationId)?.parentOf(id)
  if (questionId) showSideBySide(conversationId, questionId)
}

/** Shows the branch through this reply, and continues with its model. */
export async function goOnWith({ id, conversationId, model }: Place & Pick<Message, 'model'>): Promise<void> {
  const conversation = conversationHere(conversationId)
  const messages = useChat.getState().threads[conversationId]?.messages
  if (!conversation || !messages) return
  const leafId = shownPath(treeOf(messages), messages, id).at(-1)?.id ?? id
  putConversation({ ...conversation, leafId })
  compareModels(conversationId, [])
  if (model !== undefined && !restorePrivateModel(conversationId, model)) pickModel(conversationId, model)
  showSideBySide(conversationId, undefined)
  jumpTo(id)
  await reportFailures(conversationId, async () => {
    await api.conversations.show({ conversationId, messageId: id })
  })
}

/** Creates and opens a conversation from the messages up to this one, or from all that are shown. */
export async function fork(
  conversationId: string,
  messageId?: string,
  place = conversationId,
): Promise<void> {
  const still = sameService()
  await reportFailures(place, async () => {
    const { conversation, messages } = await api.conversations.fork({
      conversationId,
      ...(messageId !== undefined && { messageId }),
    })
    if (!still()) return
    putWhole(conversation, messages)
    go({ view: 'chat', conversationId: conversation.id })
    const { title } = conversation
    announce(t`Branched. ${title}`)
  })
}

/** The conversation with the privacy that binds it: private if any of its branches has a sealed message. */
export function guarded(
  conversation: Conversation | undefined,
  messages: readonly Message[],
): Conversation | undefined {
  return conversation && !conversation.private && isPrivateOnly(conversation, messages)
    ? { ...conversation, private: true }
    : conversation
}

/**
 * Shows what `act` throws, unless the service has changed in the meantime. It then no longer shows an earlier failure in
 * the chat list.
 * @param place the draft above whose composer the failure is shown, or `LIST`
 */
export async function reportFailures(place: string, act: () => Promise<void>): Promise<void> {
  const still = sameService()
  const showFailure = (failure: Failure) =>
    useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [place]: failure } }))
  useChat.setState(({ unsent }) => ({ unsent: without(unsent, LIST) }))
  try {
    await act()
  } catch (thrown) {
    if (still()) showFailure(asFailure(thrown))
  }
}

function conversationHere(conversationId: string): Conversation | undefined {
  return useChat.getState().conversations?.find(({ id }) => id === conversationId)
}

function treeHere(conversationId: string): ConversationTree<Message> | undefined {
  const messages = useChat.getState().threads[conversationId]?.messages
  return messages && treeOf(messages)
}

/**
 * The model that the composer shows, unless it is refused there. Of several models, the first to be asked. For a model
 * that is no longer listed, the picker opens instead.
 */
function modelHere(conversationId: string): string | undefined {
  const { models, picked, compared, conversations, threads } = useChat.getState()
  const conversation = guarded(conversationHere(conversationId), threads[conversationId]?.messages ?? [])
  const several = compared[conversationId]
  const model =
    several?.find(isPrivateModel) ??
    several?.[0] ??
    modelFor(models, picked[conversationId], conversation, conversations)
  if (isUnlisted(models, model)) {
    setTimeout(showPicker)
    return undefined
  }
  return model !== undefined && refusalOf(model, useStatus.getState().status?.service) === undefined
    ? model
    : undefined
}
