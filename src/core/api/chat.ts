import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'
import type { Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { RelayAnswer } from '../relay/index.ts'
import { AnswerDraft } from './answer/answer-draft.ts'
import { AnswerReader } from './answer/answer-reader.ts'
import { ChatEvents } from './chat-events.ts'
import { attachmentsOf, bodyOf, turnOfQuestion, turnOfText, type RegenerateInput, type SendInput, type Turn } from './chat-turn.ts'
import type { OpenCore } from './context.ts'
import { toFailure } from './failure.ts'

/**
 * One question of the window's and its answer, stored as they go: a stop, a failure or a kill leaves what arrived.
 * Ending the iteration stops the answer upstream.
 */
export function sendChat(core: OpenCore, input: SendInput, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  return chatEvents(core, async () => turnOfText(core, input, await attachmentsOf(core, input)), input, signal, kind)
}

/** As sendChat, of a question that was sent before. */
export function regenerateChat(core: OpenCore, input: RegenerateInput, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  return chatEvents(core, async () => Promise.resolve(turnOfQuestion(core, input)), input, signal, kind)
}

type Kind = 'window' | 'cli'
type Asked = Pick<SendInput, 'model' | 'webSearch'>

async function* chatEvents(core: OpenCore, begin: () => Promise<Turn>, input: Asked, signal: AbortSignal | undefined, kind: Kind): AsyncGenerator<ChatEvent, void> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) stop.abort()
  const events = new ChatEvents()
  const work = converse(core, begin, input, stop.signal, events, kind).then(() => events.end(), (thrown: unknown) => events.fail(thrown))
  try {
    yield* events
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
    await work
  }
}

async function converse({ store, relay }: OpenCore, begin: () => Promise<Turn>, input: Asked, signal: AbortSignal, events: ChatEvents, kind: Kind): Promise<void> {
  const turn = await begin()
  const { records, conversation, question, answer } = turn
  events.push({ type: 'started', conversation, userMessage: question, answer })
  const draft = new AnswerDraft(records.messages, answer.id)
  try {
    const reply = await relay.chat({
      body: await bodyOf(turn, input, relay.models),
      caller: { kind },
      ...(conversation.temporary === true && { cacheScope: conversation.id }),
      signal,
      onStage: (stage) => events.push({ type: 'stage', stage }),
    })
    draft.went(reply.privacy)
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

async function readAnswer(reply: RelayAnswer, draft: AnswerDraft, events: ChatEvents): Promise<void> {
  const reader = new AnswerReader(reply.contentType)
  const take = ({ text, reasoning, tools }: ReturnType<AnswerReader['read']>): void => {
    if (text === '' && reasoning === '' && tools.length === 0) return
    draft.append({ text, reasoning }, reader.parts())
    for (const name of tools) events.push({ type: 'calling', name })
    if (text !== '' || reasoning !== '') events.push({ type: 'delta', ...(text && { text }), ...(reasoning && { reasoning }) })
  }
  try {
    for await (const chunk of reply.body) take(reader.read(chunk))
    take(reader.end())
  } finally {
    draft.know(reader.parts())
  }
}

function stateAfter({ code }: SottoError, started: boolean): Message['state'] {
  if (code === 'request/cancelled') return 'cancelled'
  return started ? 'interrupted' : 'failed'
}
