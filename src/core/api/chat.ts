import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'
import type { Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { RelayAnswer } from '../relay/index.ts'
import type { Store } from '../store/index.ts'
import { bodyOf, turnOfQuestion, turnOfText, type RegenerateInput, type SendInput, type Turn } from './chat-turn.ts'
import type { OpenCore } from './context.ts'
import { EventQueue } from './event-queue.ts'
import { toFailure } from './failure.ts'

/** A killed process loses at most this much of an answer. */
const SAVE_EVERY_MS = 250

const deltaSchema = z.object({
  choices: z.array(z.object({
    delta: z.object({
      content: z.string().nullish(),
      reasoning: z.string().nullish(),
      reasoning_content: z.string().nullish(),
    }).optional(),
  })),
})

/**
 * One question of the window's and its answer, stored as they go: a stop, a failure or a kill leaves what arrived.
 * Ending the iteration stops the answer upstream.
 */
export function sendChat(core: OpenCore, input: SendInput, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  return chatEvents(core, () => turnOfText(core, input), input.model, signal, kind)
}

/** As sendChat, of a question that was sent before. */
export function regenerateChat(core: OpenCore, input: RegenerateInput, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  return chatEvents(core, () => turnOfQuestion(core, input), input.model, signal, kind)
}

type Kind = 'window' | 'cli'

async function* chatEvents(core: OpenCore, begin: () => Turn, model: string, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) stop.abort()
  const events = new EventQueue<ChatEvent>()
  const work = converse(core, begin, model, stop.signal, events, kind).then(() => events.end(), (thrown: unknown) => events.fail(thrown))
  try {
    yield* events
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
    await work
  }
}

async function converse({ store, relay }: OpenCore, begin: () => Turn, model: string, signal: AbortSignal, events: EventQueue<ChatEvent>, kind: Kind): Promise<void> {
  const turn = begin()
  const { records, conversation, question, answer } = turn
  events.push({ type: 'started', conversation, userMessage: question, answer })
  const draft = new AnswerDraft(records.messages, answer.id)
  try {
    const reply = await relay.chat({
      body: await bodyOf(turn, model, relay.models),
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
  readonly #messages: Store['messages']
  readonly #id: string
  #text = ''
  #reasoning = ''
  #savedAt = -Infinity

  constructor(messages: Store['messages'], id: string) {
    this.#messages = messages
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
    this.#messages.update(this.#id, this.#content())
  }

  end(state: Message['state'], end: { privacy?: Exclude<Message['privacy'], undefined>; receiptId?: string; errorCode?: string }): Message {
    return this.#messages.update(this.#id, { ...this.#content(), state, ...end })
  }

  #content(): { text: string; reasoning?: string } {
    return { text: this.#text, ...(this.#reasoning && { reasoning: this.#reasoning }) }
  }
}
