import { t } from '@lingui/core/macro'
import type { WebSearch } from '../../../shared/answer-parts.ts'
import type { ChatEvent, Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../shared/conversation.ts'
import { shownThread } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure, isAbort, WindowError } from '../../ui/failure.ts'
import { currentRoute, replaceRoute } from '../../ui/route.ts'
import { onServiceChange, sameService, useStatus } from '../../ui/status-store.ts'
import { refreshVerdict } from '../../ui/verdict-store.ts'
import { attachmentsOf, keepUnsentFiles } from './attachments/attached-store.ts'
import { isUnlisted, modelFor, refusalOf } from './choose-model.ts'
import { consented, restorePrivateModel } from './consented.ts'
import {
  compareModels,
  loadThread,
  NEW,
  ownTemporaryConversation,
  pickModel,
  putConversation,
  putMessages,
  setDraft,
  setSearch,
  useChat,
  without,
} from './chat-store.ts'
import { usePassages } from './passages/passage-store.ts'
import { preloadMarkdown } from './prose-parser.ts'
import { readAgain, ShownAnswer } from './shown-answer.ts'

interface Request {
  /** Absent for a new conversation. */
  readonly conversationId: string | undefined
  readonly model: string
  readonly text: string
  readonly attachmentIds?: readonly string[]
  /** Of the project's files, in the order of their numbers. */
  readonly passageIds?: readonly string[]
  /** The message before this one; null for the beginning. If absent, the message continues the shown branch. */
  readonly parentId?: string | null | undefined
  /** Called when the core has stored the question, instead of emptying the composer. */
  readonly onStored?: (question: Message) => void
  /** This model replies first of several. The others are asked in later requests. */
  readonly comparing?: true
  /** A consent that was given before, if one is needed. */
  readonly consentId?: string
}

/**
 * Sends one message and shows its reply as it arrives. The text leaves the composer only when the core has stored the
 * message.
 */
export async function send({
  conversationId,
  model,
  text,
  attachmentIds = [],
  passageIds = [],
  parentId,
  onStored,
  comparing,
  consentId,
}: Request): Promise<void> {
  const draft = conversationId ?? NEW
  const files = {
    ...(attachmentIds.length > 0 && { attachmentIds: [...attachmentIds] }),
    ...(passageIds.length > 0 && { passageIds: [...passageIds] }),
  }
  await stream(
    draft,
    model,
    onStored ?? ((question) => emptyComposer(draft, { text, attachmentIds }, question)),
    async (signal) => {
      if (conversationId === undefined) {
        const { beginning, newTools } = useChat.getState()
        return api.chat.send(
          {
            model,
            text,
            ...files,
            ...searchFor(draft, model),
            ...(comparing && { comparing }),
            ...(Object.keys(beginning).length > 0 && { begin: beginning }),
            ...(newTools.length > 0 && { tools: [...newTools] }),
          },
          { signal },
        )
      }
      const follows = parentId === undefined ? await endOfShown(conversationId) : parentId
      const asked = { ...searchFor(draft, model), ...(comparing && { comparing }) }
      return api.chat.send(
        {
          conversationId,
          parentId: follows,
          model,
          text,
          ...files,
          ...asked,
          ...(consentId === undefined
            ? await consented(
                conversationId,
                model,
                { parentId: follows, ...(text !== '' && { text }), ...files },
                purposeOf(asked),
              )
            : { consentId }),
        },
        { signal },
      )
    },
    comparing,
  )
}

/**
 * Removes the sent text and files from the draft. Later text and files move to the conversation that the message began.
 */
export function emptyComposer(
  draft: string,
  { text, attachmentIds }: { readonly text: string; readonly attachmentIds: readonly string[] },
  { conversationId }: Pick<Message, 'conversationId'>,
): void {
  const written = useChat.getState().drafts[draft] ?? ''
  const rest = written.startsWith(text) ? written.slice(text.length).trimStart() : written
  setDraft(draft, '')
  if (rest !== '') setDraft(conversationId, rest)
  keepUnsentFiles(draft, attachmentIds, conversationId)
}

/** Asks a question again. The new reply becomes a sibling of the existing replies. */
export async function regenerate({
  conversationId,
  questionId,
  model,
}: {
  conversationId: string
  questionId: string
  model: string
}): Promise<void> {
  const asked = searchFor(conversationId, model)
  await stream(
    conversationId,
    model,
    () => undefined,
    async (signal) =>
      api.chat.regenerate(
        {
          conversationId,
          questionId,
          model,
          ...asked,
          ...(await consented(conversationId, model, { questionId }, purposeOf(asked))),
        },
        { signal },
      ),
  )
}

/** Has another model answer a question in addition to the existing replies, even while those are arriving. */
export async function addAnswer({
  conversationId,
  questionId,
  model,
  consentId,
}: {
  conversationId: string
  questionId: string
  model: string
  consentId: string | undefined
}): Promise<void> {
  await stream(
    conversationId,
    model,
    () => undefined,
    (signal) =>
      api.chat.regenerate(
        {
          conversationId,
          questionId,
          model,
          comparing: true,
          ...searchFor(conversationId, model),
          ...(consentId !== undefined && { consentId }),
        },
        { signal },
      ),
    true,
  )
}

/** The state of the composer's search switch. A private model never searches. */
export function searchFor(draft: string, model: string): { webSearch?: WebSearch } {
  const webSearch = useChat.getState().searches[draft]
  return webSearch && !isPrivateModel(model) ? { webSearch } : {}
}

export function purposeOf({
  webSearch,
  comparing,
}: {
  readonly webSearch?: WebSearch
  readonly comparing?: true | undefined
}): 'web-search' | 'compare' | 'continue' {
  return webSearch ? 'web-search' : comparing ? 'compare' : 'continue'
}

/** The last message of the shown branch. The core sends the model exactly that branch. */
export async function endOfShown(conversationId: string): Promise<string | null> {
  if (!useChat.getState().threads[conversationId]?.messages) await loadThread(conversationId)
  const { threads, conversations } = useChat.getState()
  const { messages, failure } = threads[conversationId] ?? {}
  if (!messages) throw new WindowError(failure ?? 'conversation/unknown')
  return (
    shownThread(messages, conversations?.find(({ id }) => id === conversationId)?.leafId).at(-1)?.message
      .id ?? null
  )
}

/** Requests to the current service. A change of service aborts them, and the new service shows nothing about them. */
const underWay = new Set<AbortController>()

onServiceChange(() => {
  for (const stop of underWay) stop.abort()
})

/** Shows the events of a request. `isParallel` marks one of several replies that arrive at once. */
export async function stream(
  draft: string,
  model: string,
  onStored: (question: Message) => void,
  ask: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>,
  isParallel?: true,
): Promise<void> {
  const { sending, live, picked } = useChat.getState()
  if (!isParallel && live[draft]) announce(t`A reply is in progress. Stop it first.`)
  if (!isParallel && (sending[draft] || live[draft])) return
  void preloadMarkdown()
  const still = sameService()
  const stop = new AbortController()
  underWay.add(stop)
  const begun = isParallel ? noteAsked(draft, stop) : () => undefined
  let shown: ShownAnswer | undefined
  let failure: Failure | undefined
  useChat.setState({
    sending: { ...sending, [draft]: true },
    unsent: without(useChat.getState().unsent, draft),
  })
  try {
    for await (const event of await ask(stop.signal)) {
      if (shown) {
        shown.take(event)
        continue
      }
      stop.signal.throwIfAborted()
      if (event.type !== 'started') continue
      begun()
      shown = begin(event, { draft, model, onStored, isParallel: isParallel === true, picked: picked[draft] })
    }
  } catch (thrown) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : thrown
    failure = asFailure(reason)
    if (!shown && !isAbort(reason)) setUnsent(draft, failure)
  } finally {
    begun()
    underWay.delete(stop)
    // After the beginning or a change of service, the message that is being sent from this draft is another one.
    if (!shown && still()) useChat.setState({ sending: without(useChat.getState().sending, draft) })
    // A reply that was stopped before it began may be stored as stopped.
    if (isParallel && !shown && stop.signal.aborted && draft !== NEW) void loadThread(draft)
  }
  if (shown && !shown.ended) await (still() ? readAgain(shown, failure) : shown.discard())
  void refreshVerdict()
}

function setUnsent(draft: string, failure: Failure): void {
  useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [draft]: failure } }))
}

interface Begun {
  readonly draft: string
  readonly model: string
  readonly onStored: (question: Message) => void
  readonly isParallel: boolean
  /** The model that was picked when the message was sent. */
  readonly picked: string | undefined
}

/** Handles that the core has stored the question. */
function begin(
  { conversation, userMessage, answer }: Extract<ChatEvent, { type: 'started' }>,
  { draft, model, onStored, isParallel, picked }: Begun,
): ShownAnswer {
  putConversation(conversation)
  putMessages(conversation.id, userMessage)
  const shown = new ShownAnswer(answer, isParallel)
  useChat.setState(({ sending }) => ({ sending: without(sending, draft) }))
  if (draft === NEW) moveChoices(conversation.id)
  onStored(userMessage)
  if (draft === NEW) useChat.setState({ beginning: {} })
  if (conversation.temporary === true) ownTemporaryConversation(conversation.id)
  const now = useChat.getState().picked[draft]
  // If the person picked another model since, that model is for the next message.
  if (now !== undefined && now !== picked) pickModel(conversation.id, now)
  else if (!isParallel && !restorePrivateModel(conversation.id, model)) pickModel(conversation.id, model)
  const here = currentRoute()
  if (draft === NEW && here.view === 'chat' && here.conversationId === undefined)
    replaceRoute({ view: 'chat', conversationId: conversation.id })
  return shown
}

/**
 * Sends a draft once the listing has arrived. If the composer hasn't shown yet who will read the message, it is sent only to an enclave,
 * and unchanged; otherwise the sender decides. A model that isn't listed gets nothing.
 *
 * @param shownModel the model that the composer shows; absent while none is known
 */
export async function sendOnceKnown(
  conversationId: string | undefined,
  text: string,
  attachmentIds: readonly string[],
  shownModel?: string,
  passageIds: readonly string[] = [],
): Promise<void> {
  const draft = conversationId ?? NEW
  if (useChat.getState().sending[draft]) return
  const still = sameService()
  useChat.setState(({ sending }) => ({ sending: { ...sending, [draft]: true } }))
  const passages = usePassages.getState()
  await listingCame()
  const { models, picked, conversations, drafts, sending } = useChat.getState()
  // The new service has no such request.
  if (!still()) return
  useChat.setState({ sending: without(sending, draft) })
  const conversation = conversations?.find(({ id }) => id === conversationId)
  const model = modelFor(models, picked[draft], conversation, conversations)
  if (
    model === undefined ||
    isUnlisted(models, model) ||
    (model !== shownModel && !isPrivateModel(model)) ||
    (drafts[draft] ?? '') !== text ||
    String(attachmentsOf(draft).map(({ id }) => id)) !== String(attachmentIds) ||
    usePassages.getState() !== passages
  )
    return
  if (refusalOf(model, useStatus.getState().status?.service) === undefined)
    await send({ conversationId, model, text, attachmentIds, passageIds })
}

function listingCame(): Promise<void> {
  const came = ({ models, modelsFailure }: ReturnType<typeof useChat.getState>) =>
    models !== undefined || modelsFailure !== undefined
  return new Promise((resolve) => {
    if (came(useChat.getState())) return resolve()
    const stop = useChat.subscribe((state) => {
      if (!came(state)) return
      stop()
      resolve()
    })
  })
}

export function stopAnswer(conversationId: string): void {
  for (const { stop } of useChat.getState().live[conversationId] ?? []) stop()
  // Also abort requests that haven't begun; their replies would otherwise arrive and cost money.
  for (const stop of furtherRequests.get(conversationId) ?? []) stop.abort()
}

/** Requests for further replies that haven't begun, by conversation. */
const furtherRequests = new Map<string, Set<AbortController>>()

function noteAsked(conversationId: string, stop: AbortController): () => void {
  const asked = furtherRequests.get(conversationId) ?? new Set()
  furtherRequests.set(conversationId, asked.add(stop))
  return () => {
    asked.delete(stop)
    if (asked.size === 0) furtherRequests.delete(conversationId)
  }
}

/** Moves the choices for a new conversation to the conversation that now exists. */
export function moveChoices(conversationId: string): void {
  const { compared, searches } = useChat.getState()
  const [models, search] = [compared[NEW], searches[NEW]]
  if (models) compareModels(conversationId, models)
  if (search) setSearch(conversationId, search)
  compareModels(NEW, [])
  setSearch(NEW, undefined)
  useChat.setState({ newTools: [] })
}
