import type { SummaryEvent } from '../../src/shared/contract/chat.ts'
import { ChangeFeed } from '../../src/shared/change-feed.ts'
import type { Attachment } from '../../src/shared/attachment.ts'
import type { WebSearch } from '../../src/shared/answer-parts.ts'
import type { ConversationBeginning, Removal } from '../../src/shared/contract/sotto-contract.ts'
import { CONSENT_MS, type ConsentPreview } from '../../src/shared/consent.ts'
import type { ConsentSubject } from '../../src/shared/contract/consents.ts'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import { isPrivateOnly, pathTo, shownPath, subtreeOf, treeOf } from '../../src/shared/conversation-tree.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Job } from '../../src/shared/job.ts'
import type { PrivateSource } from '../../src/shared/job-ask.ts'
import type { Passage } from '../../src/shared/knowledge.ts'
import { isPrivateModel } from '../../src/shared/privacy.ts'
import type { StoredConversation } from './mock-data.ts'

interface Surroundings {
  readonly state: { conversations: StoredConversation[] }
  readonly refuse: (code: ErrorCode) => never
  readonly newId: (prefix: string) => string
}

interface Ask {
  readonly conversationId?: string | undefined
  readonly parentId?: string | null | undefined
  readonly model: string
  readonly text: string
  readonly begin?: ConversationBeginning | undefined
  readonly consentId?: string | undefined
  readonly webSearch?: WebSearch | undefined
  readonly attachments?: readonly Attachment[] | undefined
  readonly passages?: readonly Passage[] | undefined
}

interface ImageTurn extends Omit<Ask, 'model' | 'text'> {
  readonly jobId: string
  readonly questionId?: string | undefined
  readonly model?: string | undefined
}

/** A question and its pending reply in the mock core. */
interface MockTurn {
  readonly thread: StoredConversation
  readonly userMessage: Message
  readonly message: Message
}

/** The core's conversation procedures, on state that a test can see and change. */
export function createMockConversations({ state, refuse, newId }: Surroundings) {
  const consents = new Set<string>()
  const changes = new ChangeFeed<string>()
  const hidden = new Map<string, readonly StoredConversation[] | readonly Message[]>()

  function stored(id: string): StoredConversation {
    return (
      state.conversations.find(({ conversation }) => conversation.id === id) ?? refuse('conversation/unknown')
    )
  }
  const whole = ({ conversation, messages }: StoredConversation) => ({
    conversation: { ...conversation },
    messages: messages.map((message) => ({ ...message })),
  })

  function answered(thread: StoredConversation, userMessage: Message, model: string): MockTurn {
    const { id } = thread.conversation
    const message: Message = {
      id: newId('m'),
      conversationId: id,
      parentId: userMessage.id,
      role: 'assistant',
      text: '',
      state: 'streaming',
      model,
      createdAt: Date.now(),
    }
    thread.messages.push(message)
    Object.assign(thread.conversation, { updatedAt: Date.now(), model, leafId: message.id })
    return { thread, userMessage, message }
  }

  function guard(
    { conversation, messages }: StoredConversation,
    model: string,
    consentId: string | undefined,
  ): void {
    if (isPrivateModel(model) || !isPrivateOnly(conversation, messages)) return
    if (consentId === undefined) refuse('privacy/consent-required')
    else if (!consents.delete(consentId)) refuse('privacy/consent-expired')
  }

  return {
    list: (ids?: readonly string[]) =>
      state.conversations
        .filter(({ conversation }) => ids?.includes(conversation.id) ?? true)
        .map(({ conversation }) => ({ ...conversation })),
    noteChanged: (conversationId: string) => changes.note(conversationId, conversationId),
    watch: (signal = new AbortController().signal) => changes.read(signal),
    get: (id: string) => whole(stored(id)),
    change(id: string, patch: Partial<Conversation>): Conversation {
      const conversation = Object.assign(stored(id).conversation, patch)
      changes.note(id, id)
      return { ...conversation }
    },
    /** Reports some progress, and saves the summary when `written` resolves, unless it is stopped before. */
    async *summarize(
      { conversationId, messageId }: { conversationId: string; messageId: string },
      written: Promise<unknown>,
      signal?: AbortSignal,
    ): AsyncGenerator<SummaryEvent, void> {
      yield { type: 'progress', tokens: 120 }
      await written
      if (signal?.aborted) return
      const summary = 'We planned a house with three rooms.'
      yield {
        type: 'done',
        conversation: this.change(conversationId, { contextCut: { messageId, summary } }),
      }
    },
    send({
      conversationId,
      parentId,
      model,
      text,
      begin = {},
      consentId,
      webSearch,
      attachments = [],
      passages = [],
    }: Ask): MockTurn {
      const at = Date.now()
      if (conversationId === undefined) {
        state.conversations.push({
          conversation: {
            id: newId('c'),
            title: (text === '' ? attachments[0]?.name : text.split('\n', 1)[0]?.slice(0, 60)) ?? '',
            private: isPrivateModel(model),
            model,
            createdAt: at,
            updatedAt: at,
            ...begin,
          },
          messages: [],
        })
      }
      const thread =
        conversationId === undefined
          ? (state.conversations.at(-1) ?? refuse('conversation/unknown'))
          : stored(conversationId)
      guard(thread, model, consentId)
      const { conversation, messages } = thread
      const parent =
        parentId === undefined
          ? (shownPath(treeOf(messages), messages, conversation.leafId).at(-1)?.id ?? null)
          : parentId
      const userMessage: Message = {
        id: newId('m'),
        conversationId: conversation.id,
        parentId: parent,
        role: 'user',
        text,
        state: 'complete',
        createdAt: at,
        ...(webSearch && { webSearch }),
        ...(attachments.length > 0 && { attachments: [...attachments] }),
        ...(passages.length > 0 && { passages: [...passages] }),
      }
      messages.push(userMessage)
      return answered(thread, userMessage, model)
    },
    regenerate({
      conversationId,
      questionId,
      model,
      consentId,
    }: {
      conversationId: string
      questionId: string
      model: string
      consentId?: string | undefined
    }): MockTurn {
      const thread = stored(conversationId)
      guard(thread, model, consentId)
      return answered(
        thread,
        thread.messages.find(({ id }) => id === questionId) ?? refuse('conversation/message-unknown'),
        model,
      )
    },
    /** Like the core's image-turn.ts, without its refusals. */
    addImage(
      { jobId, conversationId, questionId, parentId = null, model = '', begin = {} }: ImageTurn,
      jobs: readonly Pick<Job, 'id' | 'ask'>[],
    ) {
      const ask = jobs.find(({ id }) => id === jobId)?.ask
      if (ask?.kind !== 'image') return refuse('studio/unknown')
      const { prompt = '', model: imageModel } = ask
      const at = Date.now()
      const begun: Conversation = {
        id: newId('c'),
        title: prompt.slice(0, 60),
        private: isPrivateModel(model),
        model,
        createdAt: at,
        updatedAt: at,
        ...begin,
      }
      if (conversationId === undefined) state.conversations.push({ conversation: begun, messages: [] })
      const { conversation, messages } = stored(conversationId ?? begun.id)
      const shared = { conversationId: conversation.id, state: 'complete', jobId, createdAt: at } as const
      const known = messages.find(({ id }) => id === questionId)
      const question: Message = known ?? { ...shared, id: newId('m'), parentId, role: 'user', text: prompt }
      const answer: Message = {
        ...shared,
        id: newId('m'),
        parentId: question.id,
        role: 'assistant',
        text: '',
        model: imageModel,
        privacy: 'forwarded',
      }
      messages.push(...(known ? [] : [question]), answer)
      Object.assign(conversation, { updatedAt: at, leafId: answer.id })
      changes.note(conversation.id, conversation.id)
      return { conversation: { ...conversation }, question: { ...question }, answer }
    },
    preview({
      conversationId,
      purpose,
      parentId,
      questionId,
      messageId,
      text,
      attachmentIds = [],
    }: ConsentSubject): ConsentPreview {
      const { conversation, messages } = stored(conversationId)
      const tree = treeOf(messages)
      const files =
        purpose === 'studio'
          ? attachmentIds.flatMap((id) =>
              messages.flatMap(({ attachments = [] }) =>
                attachments.filter((one) => one.id === id).map(({ name }) => name),
              ),
            )
          : []
      const before =
        questionId === undefined && parentId === undefined
          ? shownPath(tree, messages, conversation.leafId)
          : pathTo(tree, questionId ?? parentId ?? null)
      const onlyMessage = purpose === 'read-aloud' || purpose === 'studio'
      const path =
        purpose === 'dictate' ? [] : onlyMessage ? messages.filter(({ id }) => id === messageId) : before
      const excerpts = [
        ...path.map(({ role, text: content }) => ({ role, words: content })),
        ...(text === undefined ? [] : [{ role: 'user' as const, words: text }]),
      ]
      const consentId = newId('consent')
      consents.add(consentId)
      return {
        consentId,
        expiresAt: Date.now() + CONSENT_MS,
        exposes: {
          instructions: onlyMessage ? 0 : (conversation.systemPrompt?.length ?? 0),
          messages: excerpts.length,
          attachments: files.length,
          characters: excerpts.reduce((sum, { words }) => sum + words.length, 0),
          excerpts: excerpts.map(({ role, words }) => ({
            role,
            text: words.slice(0, 160),
            characters: words.length,
            attachments: files,
          })),
        },
      }
    },
    /**
     * Guards content that is sent on to the studio, like the core. The only difference: the mock doesn't
     * compare the content with the preview.
     */
    guardOnward(from: PrivateSource | undefined, consentId: string | undefined): void {
      if (!from) return
      const { conversation, messages } = stored(from.conversationId)
      if (!isPrivateOnly(conversation, messages)) return
      if (consentId === undefined) refuse('privacy/consent-missing')
      else if (!consents.delete(consentId)) refuse('privacy/consent-expired')
    },
    fork({ conversationId, messageId }: Removal) {
      const { conversation, messages } = stored(conversationId)
      const tree = treeOf(messages)
      const path =
        messageId === undefined ? shownPath(tree, messages, conversation.leafId) : pathTo(tree, messageId)
      const { leafId: _, pinned: _pinned, ...rest } = conversation
      const id = newId('c')
      const copies = path.map((message): Message => ({ ...message, id: newId('m'), conversationId: id }))
      for (const [at, message] of copies.entries()) message.parentId = copies[at - 1]?.id ?? null
      const copy: StoredConversation = {
        conversation: {
          ...rest,
          id,
          title: `Branch of ${conversation.title}`,
          private: isPrivateOnly(conversation, messages),
          updatedAt: Date.now(),
        },
        messages: copies,
      }
      state.conversations.push(copy)
      return whole(copy)
    },
    remove(removal: Removal, undoMs: number) {
      const thread = stored(removal.conversationId)
      changes.note(removal.conversationId, removal.conversationId)
      const name = JSON.stringify(removal)
      if (removal.messageId === undefined) {
        state.conversations = state.conversations.filter((one) => one !== thread)
        hidden.set(name, [thread])
      } else {
        const tree = treeOf(thread.messages)
        const gone = subtreeOf(tree, removal.messageId)
        hidden.set(name, thread.messages)
        const parent = tree.parentOf(removal.messageId)
        thread.messages = thread.messages.filter(({ id }) => !gone.has(id))
        if (parent !== null) thread.conversation.leafId = parent
      }
      return { removed: true, undoMs }
    },
    restore(removal: Removal) {
      const name = JSON.stringify(removal)
      const back = hidden.get(name) ?? refuse('conversation/unknown')
      hidden.delete(name)
      for (const one of back) {
        if ('conversation' in one) state.conversations.push(one)
      }
      const thread = stored(removal.conversationId)
      if (removal.messageId !== undefined) {
        thread.messages = back.flatMap((one) => ('conversation' in one ? [] : [one]))
        thread.conversation.leafId = removal.messageId
      }
      return whole(thread)
    },
    endTemporary(ids: readonly string[]) {
      const before = state.conversations.length
      state.conversations = state.conversations.filter(
        ({ conversation: { id, temporary } }) => !(temporary === true && ids.includes(id)),
      )
      return { ended: before - state.conversations.length }
    },
  }
}
