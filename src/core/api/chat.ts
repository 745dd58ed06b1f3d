import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { RelayAnswer } from '../relay/index.ts'
import type { Store } from '../store/index.ts'
import type { OpenCore } from './context.ts'
import { EventQueue } from './event-queue.ts'
import { toFailure } from './failure.ts'

/** A killed process loses at most this much of an answer. */
const SAVE_EVERY_MS = 250
const TITLE_LENGTH = 60

const deltaSchema = z.object({
  choices: z.array(z.object({
    delta: z.object({
      content: z.string().nullish(),
      reasoning: z.string().nullish(),
      reasoning_content: z.string().nullish(),
    }).optional(),
  })),
})

export interface SendInput {
  conversationId?: string | undefined
  model: string
  text: string
}

/**
 * One question of the window's and its answer, stored as they go: a stop, a failure or a kill leaves what arrived.
 * Ending the iteration stops the answer upstream.
 */
export async function* sendChat(core: OpenCore, input: SendInput, signal: AbortSignal | undefined, kind: 'window' | 'cli'): AsyncGenerator<ChatEvent, void> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) stop.abort()
  const events = new EventQueue<ChatEvent>()
  const work = converse(core, input, stop.signal, events, kind).then(() => events.end(), (thrown: unknown) => events.fail(thrown))
  try {
    yield* events
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
    await work
  }
}

async function converse(core: OpenCore, input: SendInput, signal: AbortSignal, events: EventQueue<ChatEvent>, kind: 'window' | 'cli'): Promise<void> {
  const { store, relay } = core
  const conversation = conversationFor(store, input)
  const history = store.messages.of(conversation.id)
  const userMessage = store.messages.add({ conversationId: conversation.id, role: 'user', text: input.text, state: 'complete' })
  const answer = store.messages.add({ conversationId: conversation.id, role: 'assistant', text: '', state: 'streaming', model: input.model })
  events.push({ type: 'started', conversation: store.conversations.touch(conversation.id), userMessage, answer })
  const draft = new AnswerDraft(store, answer.id)
  try {
    const reply = await relay.chat({
      body: { model: input.model, messages: asMessages([...history, userMessage]), stream: true },
      caller: { kind },
      signal,
      onStage: (stage) => events.push({ type: 'stage', stage }),
    })
    await readAnswer(reply, draft, events)
    const receipt = reply.receipt()
    events.push({ type: 'ended', answer: draft.end('complete', { privacy: reply.privacy, receiptId: reply.receiptId }), ...(receipt && { receipt }) })
  } catch (thrown) {
    const failure = thrown instanceof SottoError ? thrown : new SottoError('proxy/internal', { cause: thrown })
    const { receiptId, privacy } = failure.details
    const ended = draft.end(stateAfter(failure, draft.started), {
      errorCode: failure.code,
      ...(receiptId !== undefined && { receiptId }),
      ...(privacy !== undefined && { privacy }),
    })
    const receipt = receiptId === undefined ? null : store.receipts.get(receiptId)
    events.push({ type: 'ended', answer: ended, failure: toFailure(failure), ...(receipt && { receipt }) })
  }
}

/** Throws conversation/unknown, and privacy/not-chosen where a private conversation would be continued in the open. */
function conversationFor(store: Store, { conversationId, model, text }: SendInput): Conversation {
  if (conversationId === undefined) {
    return store.conversations.create({ model, private: isPrivateModel(model), title: titleOf(text) })
  }
  const conversation = store.conversations.get(conversationId)
  if (!conversation) throw new SottoError('conversation/unknown')
  if (conversation.private && !isPrivateModel(model)) throw new SottoError('privacy/not-chosen')
  return conversation
}

/** Made here: a title is never a reason to send a private chat anywhere. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).trimEnd()}…` : line || 'New chat'
}

function asMessages(history: readonly Message[]): JsonObject[] {
  return history.filter(({ text }) => text !== '').map(({ role, text }) => ({ role, content: text }))
}

async function readAnswer(reply: RelayAnswer, draft: AnswerDraft, events: EventQueue<ChatEvent>): Promise<void> {
  const decoder = new TextDecoder()
  let delta: { text: string; reasoning: string } = { text: '', reasoning: '' }
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return
      const { text, reasoning } = deltaOf(data)
      delta = { text: delta.text + text, reasoning: delta.reasoning + reasoning }
    },
  })
  for await (const chunk of reply.body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (delta.text === '' && delta.reasoning === '') continue
    draft.append(delta)
    events.push({ type: 'delta', ...(delta.text && { text: delta.text }), ...(delta.reasoning && { reasoning: delta.reasoning }) })
    delta = { text: '', reasoning: '' }
  }
}

function deltaOf(data: string): { text: string; reasoning: string } {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { cause })
  }
  const parsed = deltaSchema.safeParse(chunk)
  const delta = parsed.success ? parsed.data.choices[0]?.delta : undefined
  return { text: delta?.content ?? '', reasoning: delta?.reasoning ?? delta?.reasoning_content ?? '' }
}

function stateAfter({ code }: SottoError, started: boolean): Message['state'] {
  if (code === 'request/cancelled') return 'cancelled'
  return started ? 'interrupted' : 'failed'
}

/** The answer as it grows, saved a few times a second. */
class AnswerDraft {
  readonly #store: Store
  readonly #id: string
  #text = ''
  #reasoning = ''
  #savedAt = -Infinity

  constructor(store: Store, id: string) {
    this.#store = store
    this.#id = id
  }

  get started(): boolean {
    return this.#text !== '' || this.#reasoning !== ''
  }

  append({ text, reasoning }: { text: string; reasoning: string }): void {
    this.#text += text
    this.#reasoning += reasoning
    if (performance.now() - this.#savedAt < SAVE_EVERY_MS) return
    this.#savedAt = performance.now()
    this.#store.messages.update(this.#id, this.#content())
  }

  end(state: Message['state'], end: { privacy?: Exclude<Message['privacy'], undefined>; receiptId?: string; errorCode?: string }): Message {
    return this.#store.messages.update(this.#id, { ...this.#content(), state, ...end })
  }

  #content(): { text: string; reasoning?: string } {
    return { text: this.#text, ...(this.#reasoning && { reasoning: this.#reasoning }) }
  }
}
