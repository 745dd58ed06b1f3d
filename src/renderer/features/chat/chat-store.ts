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
import { resetPassages } from './passages/passage-store.ts'
import { preloadMarkdown } from './prose-parser.ts'

export interface Thread {
  /** Messages of every branch, oldest first. */
  readonly messages: readonly Message[] | undefined
  readonly failure: Failure | undefined
}

/** A reply that is arriving, and how to stop it. */
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
  /**
   * By conversation, in the order of the requests; never an empty list. Several models may answer one question at once.
   */
  readonly live: Readonly<Record<string, readonly Live[]>>
  /**
   * Unsent text and the model picked for it, by conversation; `NEW` is for a conversation that doesn't exist yet. Never
   * saved.
   */
  readonly drafts: Readonly<Record<string, string>>
  readonly picked: Readonly<Record<string, string>>
  /** Two to four models that will reply side by side, by draft. They replace the picked model. */
  readonly compared: Readonly<Record<string, readonly string[]>>
  /** Drafts with web search, which applies if the model isn't private. */
  readonly searches: Readonly<Record<string, WebSearch>>
  /** The tools of the conversation that doesn't exist yet. The core stores those of the others. */
  readonly newTools: readonly string[]
  /** The question whose replies are shown side by side, by conversation. */
  readonly sideBySide: Readonly<Record<string, string>>
  /** Edited texts of questions, by message. Never saved. */
  readonly edits: Readonly<Record<string, string>>
  /** The message whose editor takes the focus once. Later, the list removes and adds the editor as the reader scrolls. */
  readonly begunEdit: string | undefined
  /** Long questions that are shown whole, by message. Not a row's state, because the list removes rows out of view. */
  readonly unfolded: Readonly<Record<string, true>>
  /** Settings for the conversation that doesn't exist yet. */
  readonly beginning: ConversationBeginning
  /** Failures of requests that didn't begin, by draft; `LIST` is for actions in the chat list. */
  readonly unsent: Readonly<Record<string, Failure>>
  /** Drafts whose request has not begun yet. */
  readonly sending: Readonly<Record<string, true>>
  /** Failures of replies in this session, by message. They have more detail than the stored code. */
  readonly endings: Readonly<Record<string, Failure>>
  /** Replies that were cut off, by conversation. Their ends are unknown until the conversation is loaded again. */
  readonly cutOff: Readonly<Record<string, readonly string[]>>
}

/** The draft of a conversation that does not exist yet. */
export const NEW = ''
/** The place for failures of actions in the chat list, which is shown with every view. */
export const LIST = 'list'

const empty: ChatState = {
  conversations: undefined,
  conversationsFailure: undefined,
  models: undefined,
  modelsFailure: undefined,
  threads: {},
  live: {},
  drafts: {},
  edits: {},
  begunEdit: undefined,
  unfolded: {},
  beginning: {},
  picked: {},
  compared: {},
  searches: {},
  newTools: [],
  sideBySide: {},
  unsent: {},
  sending: {},
  endings: {},
  cutOff: {},
}

export const useChat = create<ChatState>()(() => empty)

/** Conversations that changed in this window since the last request for the list. That list may predate the change. */
let changed = new Set<string>()
/** Number of the latest request for the list. Results of earlier requests are discarded. */
let listsAsked = 0

onServiceChange(() => {
  for (const { stop } of Object.values(useChat.getState().live).flat()) stop()
  useChat.setState({ ...empty, drafts: useChat.getState().drafts })
  resetPassages()
  if (currentRoute().conversationId !== undefined) replaceRoute({ view: 'chat' })
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

/** Loads a conversation's messages. A reply that is arriving here isn't changed. */
export async function loadThread(conversationId: string): Promise<void> {
  const still = sameService()
  const before = useChat.getState().threads[conversationId]
  try {
    // Loads the Markdown parser at the same time, so that the thread isn't first shown as source text.
    const [{ conversation, messages }] = await Promise.all([
      api.conversations.get({ conversationId }),
      preloadMarkdown(),
    ])
    if (!still()) return
    // The loaded messages may lack messages that were written here during the request.
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

/** Stores the changed conversation, unless the service has changed in the meantime. Throws what `change` throws. */
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
  const updatedMessages = before.map((message) => changed.get(message.id) ?? message)
  const added = messages.filter(({ id }) => !before.some((message) => message.id === id))
  putThread(conversationId, { messages: [...updatedMessages, ...added], failure: undefined })
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

/** Fewer than two models end the comparison. */
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

/** Undefined shows the current branch, as usual. */
export function showSideBySide(conversationId: string, questionId: string | undefined): void {
  useChat.setState(({ sideBySide }) => ({
    sideBySide:
      questionId === undefined
        ? without(sideBySide, conversationId)
        : { ...sideBySide, [conversationId]: questionId },
  }))
}

/** Shows that a reply is in progress. A reply that is already shown keeps its place. */
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

/** Call it when the reply has ended, or when it won't arrive. */
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

/** Without a conversation, the settings wait for the next one. Throws what the call throws. */
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

/** The project of the next chat. */
export function setProject(projectId: string | undefined): void {
  useChat.setState(({ beginning: { projectId: _, ...beginning } }) => ({
    beginning: { ...beginning, ...(projectId !== undefined && { projectId }) },
  }))
}

export function setTemporary(temporary: boolean): void {
  useChat.setState(({ beginning }) => ({ beginning: { ...beginning, temporary } }))
}

/** Undefined ends the editing. */
export function setEdit(messageId: string, text: string | undefined): void {
  useChat.setState(({ edits }) => ({
    edits: text === undefined ? without(edits, messageId) : { ...edits, [messageId]: text },
  }))
}

export function setUnfolded(messageId: string, whole: boolean): void {
  useChat.setState(({ unfolded }) => ({
    unfolded: whole ? { ...unfolded, [messageId]: true } : without(unfolded, messageId),
  }))
}

/** Opens the editor of a question and focuses it. A text that is already being edited isn't replaced. */
export function beginEdit({ id, text }: Message): void {
  if (useChat.getState().edits[id] === undefined) setEdit(id, text)
  useChat.setState({ begunEdit: id })
}

/** Puts a whole conversation in the state that the core has. */
export function putWhole(conversation: Conversation, messages: readonly Message[]): void {
  putConversation(conversation)
  putThread(conversation.id, { messages, failure: undefined })
  // The core's reason replaces the one by which a reply was cut off here.
  useChat.setState(({ endings, cutOff }) => ({
    endings: (cutOff[conversation.id] ?? []).reduce(without, endings),
    cutOff: without(cutOff, conversation.id),
  }))
}

/** Removes a conversation that was deleted. */
export function dropConversation(conversationId: string): void {
  changed.add(conversationId)
  useChat.setState(({ conversations, threads }) => ({
    conversations: conversations?.filter(({ id }) => id !== conversationId),
    threads: without(threads, conversationId),
  }))
}

// Temporary conversations end with their window.
addEventListener('pagehide', () => {
  const temporary = (useChat.getState().conversations ?? []).filter(
    ({ id, temporary }) => temporary === true && id in ownTemporary,
  )
  if (temporary.length > 0)
    endInPassing('conversations/endTemporary', { conversationIds: temporary.map(({ id }) => id) })
})

/** Temporary conversations that began in this window. */
const ownTemporary: Record<string, true> = {}

export function ownTemporaryConversation(conversationId: string): void {
  ownTemporary[conversationId] = true
}
