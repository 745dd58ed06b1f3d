import { t } from '@lingui/core/macro'
import type { WebSearch } from '../../../shared/answer-parts.ts'
import type { ChatEvent, Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../shared/conversation.ts'
import { shownThread } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure, isAbort, WindowError } from '../../ui/failure.ts'
import { fromCore, translatedFailure } from '../../ui/language/core-sentences.ts'
import { privacyWord } from '../../ui/privacy-mark.tsx'
import { keepReceipts } from '../../ui/receipt-store.ts'
import { currentRoute, replaceRoute } from '../../ui/route.ts'
import { onServiceChange, sameService, useStatus } from '../../ui/status-store.ts'
import { refreshVerdict } from '../../ui/verdict-store.ts'
import { attachmentsOf, keepUnsentFiles } from './attachments/attached-store.ts'
import { isUnlisted, modelFor, refusalOf } from './choose-model.ts'
import { consented, restorePrivateModel } from './consented.ts'
import {
  addLive,
  compareModels,
  dropLive,
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
import { LiveAnswer } from './live-answer.ts'
import { preloadMarkdown } from './prose-parser.ts'
import { SpokenProgress } from './spoken-progress.ts'

interface Request {
  /** Absent for a new conversation. */
  readonly conversationId: string | undefined
  readonly model: string
  readonly text: string
  readonly attachmentIds?: readonly string[]
  /** What it follows, null being the beginning; where it is not said, the branch that is shown goes on. */
  readonly parentId?: string | null | undefined
  /** What is done once it was taken, in place of emptying the composer. */
  readonly taken?: (question: Message) => void
  /** The first of several that answer it; the others are asked again. */
  readonly comparing?: true
  /** Asked for before, where one is needed. */
  readonly consentId?: string
}

/** Sends one message and shows its answer as it comes. The text leaves the composer only once it was taken. */
export async function send({
  conversationId,
  model,
  text,
  attachmentIds = [],
  parentId,
  taken,
  comparing,
  consentId,
}: Request): Promise<void> {
  const draft = conversationId ?? NEW
  const files = attachmentIds.length > 0 ? { attachmentIds: [...attachmentIds] } : {}
  await stream(
    draft,
    model,
    taken ?? ((question) => emptyComposer(draft, { text, attachmentIds }, question)),
    async (signal) => {
      if (conversationId === undefined) {
        const { beginning } = useChat.getState()
        return api.chat.send(
          {
            model,
            text,
            ...files,
            ...searchFor(draft, model),
            ...(comparing && { comparing }),
            ...(Object.keys(beginning).length > 0 && { begin: beginning }),
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

/** What was taken is no longer a draft. What was written and attached since stays, with the conversation that began by it. */
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

/** Asks a question again: its new answer stands beside those that it has. */
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

/** Has another model answer a question beside those that do, also while they do. */
export async function answerBeside({
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

/** What the switch in the composer says; a private model never searches. */
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

/** The model is sent what is shown: the core is told which branch that is. */
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

/** Requests to the service in use: those to one that was left begin nothing at the next, and nothing is told of them there. */
const underWay = new Set<AbortController>()

onServiceChange(() => {
  for (const stop of underWay) stop.abort()
})

/** @param beside it is one of several that come at once */
async function stream(
  draft: string,
  model: string,
  taken: (question: Message) => void,
  ask: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>,
  beside?: true,
): Promise<void> {
  const { sending, live } = useChat.getState()
  if (!beside && live[draft]) announce(t`A reply is in progress. Stop it first.`)
  if (!beside && (sending[draft] || live[draft])) return
  void preloadMarkdown()
  const still = sameService()
  const stop = new AbortController()
  underWay.add(stop)
  const begun = beside ? noteAsked(draft, stop) : () => undefined
  const answering = new Answering(
    draft,
    model,
    (question) => {
      begun()
      taken(question)
    },
    () => stop.abort(),
    beside,
  )
  useChat.setState({
    sending: { ...sending, [draft]: true },
    unsent: without(useChat.getState().unsent, draft),
  })
  try {
    for await (const event of await ask(stop.signal)) {
      if (!answering.begun) stop.signal.throwIfAborted()
      answering.take(event)
    }
    answering.close(undefined)
  } catch (thrown) {
    answering.close(stop.signal.aborted ? stop.signal.reason : thrown)
  } finally {
    begun()
    underWay.delete(stop)
    // Once it began, or its service was left, what is being sent from this draft is another message.
    if (!answering.begun && still()) useChat.setState({ sending: without(useChat.getState().sending, draft) })
    void refreshVerdict()
    // What was stopped before it began may be stored: as stopped.
    if (beside && !answering.begun && stop.signal.aborted && draft !== NEW) void loadThread(draft)
  }
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
): Promise<void> {
  const draft = conversationId ?? NEW
  if (useChat.getState().sending[draft]) return
  const still = sameService()
  useChat.setState(({ sending }) => ({ sending: { ...sending, [draft]: true } }))
  await listingCame()
  const { models, picked, conversations, drafts, sending } = useChat.getState()
  // Another service has no such request.
  if (!still()) return
  useChat.setState({ sending: without(sending, draft) })
  const conversation = conversations?.find(({ id }) => id === conversationId)
  const model = modelFor(models, picked[draft], conversation, conversations)
  if (
    model === undefined ||
    isUnlisted(models, model) ||
    (model !== shownModel && !isPrivateModel(model)) ||
    (drafts[draft] ?? '') !== text ||
    String(attachmentsOf(draft).map(({ id }) => id)) !== String(attachmentIds)
  )
    return
  if (refusalOf(model, useStatus.getState().status?.service) === undefined)
    await send({ conversationId, model, text, attachmentIds })
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
  // Those that were asked and have not begun: they would come, and cost, all the same.
  for (const stop of askedBeside.get(conversationId) ?? []) stop.abort()
}

/** Answers that are to come beside others, by conversation, until they begin. */
const askedBeside = new Map<string, Set<AbortController>>()

function noteAsked(conversationId: string, stop: AbortController): () => void {
  const asked = askedBeside.get(conversationId) ?? new Set()
  askedBeside.set(conversationId, asked.add(stop))
  return () => {
    asked.delete(stop)
    if (asked.size === 0) askedBeside.delete(conversationId)
  }
}

/** One answer from its start to its end. */
class Answering {
  readonly #draft: string
  readonly #model: string
  readonly #taken: (question: Message) => void
  readonly #stop: () => void
  readonly #live = new LiveAnswer(Date.now())
  readonly #spoken: SpokenProgress
  readonly #beside: boolean
  readonly #picked: string | undefined
  #answer: Message | undefined
  #ended = false

  constructor(
    draft: string,
    model: string,
    taken: (question: Message) => void,
    stop: () => void,
    beside = false,
  ) {
    this.#draft = draft
    this.#model = model
    this.#taken = taken
    this.#stop = stop
    this.#beside = beside
    this.#picked = useChat.getState().picked[draft]
    // Of several at once nobody can follow the words: what is told is how each of them ends.
    this.#spoken = new SpokenProgress(beside ? () => undefined : announce)
  }

  get begun(): boolean {
    return this.#answer !== undefined
  }

  take(event: ChatEvent): void {
    switch (event.type) {
      case 'started':
        return this.#start(event)
      case 'stage':
        this.#spoken.stage(event.stage)
        return this.#live.stage(event.stage)
      case 'delta':
        this.#spoken.text(event.text ?? '')
        return this.#live.add(event.text ?? '', event.reasoning ?? '')
      case 'calling':
        return this.#live.calling(event.name)
      case 'ended':
        return this.#end(event)
    }
  }

  #start({ conversation, userMessage, answer }: Extract<ChatEvent, { type: 'started' }>): void {
    this.#answer = answer
    putConversation(conversation)
    putMessages(conversation.id, userMessage, answer)
    addLive(conversation.id, { answerId: answer.id, answer: this.#live, stop: this.#stop })
    useChat.setState(({ sending }) => ({ sending: without(sending, this.#draft) }))
    if (this.#draft === NEW) moveChoices(conversation.id)
    this.#taken(userMessage)
    if (this.#draft === NEW) useChat.setState({ beginning: {} })
    if (conversation.temporary === true) ownTemporaryConversation(conversation.id)
    const picked = useChat.getState().picked[this.#draft]
    // What was picked since is meant for the next message.
    if (picked !== undefined && picked !== this.#picked) pickModel(conversation.id, picked)
    else if (!this.#beside && !restorePrivateModel(conversation.id, this.#model))
      pickModel(conversation.id, this.#model)
    const here = currentRoute()
    if (this.#draft === NEW && here.room === 'chat' && here.conversationId === undefined)
      replaceRoute({ room: 'chat', conversationId: conversation.id })
  }

  #end({ answer, receipt, failure }: Extract<ChatEvent, { type: 'ended' }>): void {
    this.#ended = true
    if (receipt) keepReceipts([receipt])
    if (failure) useChat.setState(({ endings }) => ({ endings: { ...endings, [answer.id]: failure } }))
    this.#settle(answer)
    if (this.#beside) return sayEnd(answer)
    this.#spoken.end(failure ? failureWords(failure) : endWords(answer))
  }

  /** The stream is over; `thrown` says why, where it was no proper end. */
  close(thrown: unknown): void {
    if (this.#ended) return
    const failure = asFailure(thrown ?? new TypeError('the stream ended early'))
    if (!this.#answer) {
      if (!isAbort(thrown))
        useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [this.#draft]: failure } }))
      return
    }
    const cancelled = isAbort(thrown)
    const answer = this.#answer
    if (!cancelled) useChat.setState(({ endings }) => ({ endings: { ...endings, [answer.id]: failure } }))
    const { text, reasoning } = this.#live
    this.#settle({
      ...answer,
      text,
      ...(reasoning ? { reasoning } : {}),
      state: cancelled ? 'cancelled' : 'interrupted',
    })
    this.#spoken.end(cancelled ? t`Stopped.` : fromCore(failure.says))
    void readBack(answer)
  }

  #settle(answer: Message): void {
    putMessages(answer.conversationId, answer)
    dropLive(answer.conversationId, answer.id)
  }
}

/** What was chosen for a conversation that did not exist goes with it. */
function moveChoices(conversationId: string): void {
  const { compared, searches } = useChat.getState()
  const [models, search] = [compared[NEW], searches[NEW]]
  if (models) compareModels(conversationId, models)
  if (search) setSearch(conversationId, search)
  compareModels(NEW, [])
  setSearch(NEW, undefined)
}

function failureWords(failure: Failure): string {
  const { says, remedy } = translatedFailure(failure)
  return `${says} ${remedy}`
}

function endWords({ privacy }: Message): string {
  if (privacy === undefined) return t`Reply complete.`
  const word = privacyWord[privacy]
  return t`Reply complete. ${word}`
}

function sayEnd({ model, state }: Message): void {
  const name = useChat.getState().models?.find(({ id }) => id === model)?.name ?? model ?? ''
  announce(state === 'complete' ? t`${name} finished.` : t`${name} stopped early.`)
}

const READ_BACK_MS = [150, 500, 1500, 4000]

/** Has the stored answer, with its receipt, once the core has settled it too. */
async function readBack({ id, conversationId }: Message): Promise<void> {
  for (const pause of READ_BACK_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    await loadStored(id, conversationId)
    if (settled(id, conversationId)) return
  }
}

async function loadStored(id: string, conversationId: string): Promise<void> {
  const { messages } = await api.conversations.get({ conversationId }).catch(() => ({ messages: [] }))
  const stored = messages.find((message) => message.id === id)
  // One that was let go meanwhile is fetched whole when it is opened.
  const known = useChat.getState().threads[conversationId]?.messages !== undefined
  if (stored && stored.state !== 'streaming' && known) putMessages(conversationId, stored)
}

function settled(id: string, conversationId: string): boolean {
  return (
    useChat.getState().threads[conversationId]?.messages?.find((message) => message.id === id)?.receiptId !==
    undefined
  )
}

/** Follows an answer that another tab, or a program, is having written. */
export async function followElsewhere(conversationId: string): Promise<void> {
  if (!useChat.getState().live[conversationId]) await loadThread(conversationId)
}
