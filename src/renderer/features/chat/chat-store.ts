import { create } from 'zustand'
import type { WebSearch } from '../../../shared/answer-parts.ts'
import type { ConversationBeginning, Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ChatParameters, Conversation, Message, TextDirection } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { api, endInPassing } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { currentRoute, replaceRoute } from '../../ui/route.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import type { LiveAnswer } from './live-answer.ts'
import { preloadMarkdown } from './prose-parser.ts'

export interface Thread {
  /** Of every branch, the first one written first. */
  readonly messages: readonly Message[] | undefined
  readonly failure: Failure | undefined
}

/** An answer that is coming, and how to stop it. */
export interface Live {
  readonly answerId: string
  readonly answer: LiveAnswer
  readonly stop: () => void
}

interface ChatState {
  /** Newest first; undefined until fetched. */
  readonly conversations: readonly Conversation[] | undefined
  readonly conversationsFailure: Failure | undefined
  readonly models: readonly Model[] | undefined
  readonly modelsFailure: Failure | undefined
  readonly threads: Readonly<Record<string, Thread>>
  /** By conversation, the first one asked first; never an empty list. Several models may answer one question at once. */
  readonly live: Readonly<Record<string, readonly Live[]>>
  /** What is written and not sent, and the model picked for it: by conversation, `NEW` for one that does not exist yet. Never kept. */
  readonly drafts: Readonly<Record<string, string>>
  readonly picked: Readonly<Record<string, string>>
  /** The models that are to answer side by side, in the place of the one picked: two to four, by draft. */
  readonly compared: Readonly<Record<string, readonly string[]>>
  /** Drafts for which the web is searched first, where the model is not private. */
  readonly searches: Readonly<Record<string, WebSearch>>
  /** The question whose answers stand side by side, by conversation. */
  readonly sideBySide: Readonly<Record<string, string>>
  /** Questions that are being written anew, by message. Never kept. */
  readonly edits: Readonly<Record<string, string>>
  /** How the conversation that does not exist yet will begin. */
  readonly beginning: ConversationBeginning
  /** Requests that did not even begin, by draft. */
  readonly unsent: Readonly<Record<string, Failure>>
  /** Drafts whose request has not begun yet. */
  readonly sending: Readonly<Record<string, true>>
  /** How answers of this session failed, by message: more than their stored code says. */
  readonly endings: Readonly<Record<string, Failure>>
}

/** The draft of a conversation that does not exist yet. */
export const NEW = ''

const empty: ChatState = {
  conversations: undefined,
  conversationsFailure: undefined,
  models: undefined,
  modelsFailure: undefined,
  threads: {},
  live: {},
  drafts: {},
  edits: {},
  beginning: {},
  picked: {},
  compared: {},
  searches: {},
  sideBySide: {},
  unsent: {},
  sending: {},
  endings: {},
}

export const useChat = create<ChatState>()(() => empty)

/** Conversations that changed here since the list was asked for last: it may have been read before. */
let changed = new Set<string>()
/** Which list is awaited; one that was asked for before it is let go. */
let listsAsked = 0

onServiceChange(() => {
  for (const { stop } of Object.values(useChat.getState().live).flat()) stop()
  useChat.setState({ ...empty, drafts: useChat.getState().drafts })
  if (currentRoute().conversationId !== undefined) replaceRoute({ room: 'chat' })
  void loadConversations()
  void loadModels()
})

export async function loadConversations(): Promise<void> {
  const turn = ++listsAsked
  changed = new Set()
  try {
    const listed = await api.conversations.list()
    if (turn !== listsAsked) return
    useChat.setState(({ conversations = [] }) => ({
      conversations: [
        ...conversations.filter(({ id }) => changed.has(id)),
        ...listed.filter(({ id }) => !changed.has(id)),
      ].toSorted((a, b) => b.updatedAt - a.updatedAt),
      conversationsFailure: undefined,
    }))
  } catch (thrown) {
    if (turn === listsAsked) useChat.setState({ conversationsFailure: asFailure(thrown) })
  }
}

export async function loadModels(): Promise<void> {
  const still = sameService()
  useChat.setState({ modelsFailure: undefined })
  try {
    const models = await api.models.list()
    if (still()) useChat.setState({ models, modelsFailure: undefined })
  } catch (thrown) {
    if (still()) useChat.setState({ modelsFailure: asFailure(thrown) })
  }
}

/** Fetches a conversation's messages; an answer that is coming here stays as it is. */
export async function loadThread(conversationId: string): Promise<void> {
  const still = sameService()
  const before = useChat.getState().threads[conversationId]
  try {
    // Together with what shows it, so that it does not stand there as it was written first.
    const [{ conversation, messages }] = await Promise.all([
      api.conversations.get({ conversationId }),
      preloadMarkdown(),
    ])
    if (!still()) return
    // What was written here meanwhile may not be in what was read.
    if (useChat.getState().threads[conversationId] !== before) return await loadThread(conversationId)
    putWhole(conversation, messages)
  } catch (thrown) {
    if (!still()) return
    putThread(conversationId, {
      messages: useChat.getState().threads[conversationId]?.messages,
      failure: asFailure(thrown),
    })
  }
}

export function putConversation(conversation: Conversation): void {
  changed.add(conversation.id)
  useChat.setState(({ conversations = [] }) => ({
    conversations: [conversation, ...conversations.filter(({ id }) => id !== conversation.id)].sort(
      (a, b) => b.updatedAt - a.updatedAt,
    ),
  }))
}

/** What a change made of a conversation, unless the service was left meanwhile. Throws what the change throws. */
export async function putChanged(change: Promise<Conversation>): Promise<void> {
  const still = sameService()
  const conversation = await change
  if (still()) putConversation(conversation)
}

function putThread(conversationId: string, thread: Thread): void {
  useChat.setState(({ threads }) => ({ threads: { ...threads, [conversationId]: thread } }))
}

export function putMessages(conversationId: string, ...messages: readonly Message[]): void {
  const before = useChat.getState().threads[conversationId]?.messages ?? []
  const changed = new Map(messages.map((message) => [message.id, message]))
  const kept = before.map((message) => changed.get(message.id) ?? message)
  const added = messages.filter(({ id }) => !before.some((message) => message.id === id))
  putThread(conversationId, { messages: [...kept, ...added], failure: undefined })
}

/** A record without one of its members. */
export function without<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

export function setDraft(key: string, text: string): void {
  useChat.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: text } }))
}

export function pickModel(key: string, model: string): void {
  useChat.setState(({ picked }) => ({ picked: { ...picked, [key]: model } }))
}

/** Fewer than two is one model again. */
export function compareModels(key: string, models: readonly string[]): void {
  useChat.setState(({ compared }) => ({
    compared: models.length < 2 ? without(compared, key) : { ...compared, [key]: models },
  }))
}

export function setSearch(key: string, search: WebSearch | undefined): void {
  useChat.setState(({ searches }) => ({
    searches: search ? { ...searches, [key]: search } : without(searches, key),
  }))
}

/** Undefined: the branch that is shown, as ever. */
export function showSideBySide(conversationId: string, questionId: string | undefined): void {
  useChat.setState(({ sideBySide }) => ({
    sideBySide:
      questionId === undefined
        ? without(sideBySide, conversationId)
        : { ...sideBySide, [conversationId]: questionId },
  }))
}

/** Shows that an answer is in progress. One that is shown already keeps its place. */
export function addLive(conversationId: string, added: Live): void {
  useChat.setState(({ live }) => {
    const before = live[conversationId] ?? []
    const known = before.some(({ answerId }) => answerId === added.answerId)
    const after = known
      ? before.map((one) => (one.answerId === added.answerId ? added : one))
      : [...before, added]
    return { live: { ...live, [conversationId]: after } }
  })
}

/** It has come, or comes no more. */
export function dropLive(conversationId: string, answerId: string): void {
  useChat.setState(({ live }) => {
    const rest = (live[conversationId] ?? []).filter((coming) => coming.answerId !== answerId)
    return { live: rest.length === 0 ? without(live, conversationId) : { ...live, [conversationId]: rest } }
  })
}

/** Throws what the call throws. */
export async function renameConversation(conversationId: string, title: string): Promise<void> {
  await putChanged(api.conversations.rename({ conversationId, title }))
}

/** Throws what the call throws. */
export async function pinConversation(conversationId: string, pinned: boolean): Promise<void> {
  await putChanged(api.conversations.pin({ conversationId, pinned }))
}

/** Of a conversation that does not exist yet, they are kept until it does. Throws what the call throws. */
export async function configureConversation(
  conversationId: string | undefined,
  systemPrompt: string,
  parameters: ChatParameters,
  direction: TextDirection | undefined,
): Promise<void> {
  if (conversationId !== undefined)
    await putChanged(
      api.conversations.configure({
        conversationId,
        systemPrompt,
        parameters,
        direction: direction ?? 'auto',
      }),
    )
  else
    useChat.setState(({ beginning: { direction: _, ...beginning } }) => ({
      beginning: { ...beginning, systemPrompt, parameters, ...(direction && { direction }) },
    }))
}

export function setTemporary(temporary: boolean): void {
  useChat.setState(({ beginning }) => ({ beginning: { ...beginning, temporary } }))
}

/** Undefined: no longer written. */
export function setEdit(messageId: string, text: string | undefined): void {
  useChat.setState(({ edits }) => ({
    edits: text === undefined ? without(edits, messageId) : { ...edits, [messageId]: text },
  }))
}

/** Where it is being written anew already, what is written stays. */
export function beginEdit({ id, text }: Message): void {
  if (useChat.getState().edits[id] === undefined) setEdit(id, text)
}

/** A whole conversation as the core has it now. */
export function putWhole(conversation: Conversation, messages: readonly Message[]): void {
  putConversation(conversation)
  putThread(conversation.id, { messages, failure: undefined })
}

/** It is no longer here. */
export function dropConversation(conversationId: string): void {
  changed.add(conversationId)
  useChat.setState(({ conversations, threads }) => ({
    conversations: conversations?.filter(({ id }) => id !== conversationId),
    threads: without(threads, conversationId),
  }))
}

// What is temporary goes with its window.
addEventListener('pagehide', () => {
  const temporary = (useChat.getState().conversations ?? []).filter(
    ({ id, temporary }) => temporary === true && id in ownTemporary,
  )
  if (temporary.length > 0)
    endInPassing('conversations/endTemporary', { conversationIds: temporary.map(({ id }) => id) })
})

/** Begun in this window. */
const ownTemporary: Record<string, true> = {}

export function ownTemporaryConversation(conversationId: string): void {
  ownTemporary[conversationId] = true
}
