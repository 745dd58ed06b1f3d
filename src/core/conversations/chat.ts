import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'
import type { Message } from '../../shared/conversation.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { Relay, RelayAnswer } from '../gateway/relay/index.ts'
import type { RoundAnswer } from '../tools/index.ts'
import { budgetOwnerOf, withinProjectBudget } from '../projects/project-budget.ts'
import { acceptsImages, AnswerBudget, chooseTools, messagesIn, scopeOf } from './answer-tools.ts'
import { AnswerDraft } from './answer/answer-draft.ts'
import { AnswerRounds } from './answer/answer-rounds.ts'
import type { ChatEvents } from './chat-events.ts'
import { turnToContinue, type ResumeInput } from './continued-turn.ts'
import {
  attachmentsOf,
  bodyOf,
  turnOfQuestion,
  turnOfText,
  type RegenerateInput,
  type SendInput,
  type Turn,
} from './chat-turn.ts'
import { ReceiptTools } from './receipt-tools.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { toFailure } from '../rpc/failure.ts'

/** The parts that an answer needs. */
export interface ChatCore extends Pick<
  UnlockedCore,
  'answers' | 'consents' | 'conversations' | 'knowledge' | 'store' | 'tools'
> {
  readonly relay: Pick<Relay, 'chat' | 'models'>
}

/**
 * Sends a question of the window and stores it with its answer as it arrives, so that a stop, a failure or
 * a kill leaves the part that arrived. The answer outlives a window that leaves, see RunningAnswers.
 */
export async function* sendChat(
  core: ChatCore,
  input: SendInput,
  signal: AbortSignal | undefined,
  caller: ChatCaller,
): AsyncGenerator<ChatEvent, void> {
  yield* chatEvents(core, turnOfText(core, input, await attachmentsOf(core, input)), input, signal, caller)
}

/** Regenerates the answer to a question, see sendChat. */
export async function* regenerateChat(
  core: ChatCore,
  input: RegenerateInput,
  signal: AbortSignal | undefined,
  caller: ChatCaller,
): AsyncGenerator<ChatEvent, void> {
  yield* chatEvents(core, turnOfQuestion(core, input), input, signal, caller)
}

/**
 * Continues an answer with tools that ended early, from its journal: a call that may have run isn't run again.
 * Throws like turnToContinue. See sendChat.
 */
export async function* resumeChat(
  core: ChatCore,
  input: ResumeInput,
  signal: AbortSignal | undefined,
  caller: ChatCaller,
): AsyncGenerator<ChatEvent, void> {
  const turn = turnToContinue(core, input)
  const { model = '' } = turn.answer
  const { webSearch } = turn.question
  yield* chatEvents(core, turn, { model, webSearch }, signal, caller)
}

/**
 * Reads an answer that a window, a tab or a command asked for: from its beginning if it's in progress,
 * otherwise only its end. Throws conversation/unknown, conversation/message-unknown.
 */
export async function* followChat(
  { answers, conversations, store }: UnlockedCore,
  { conversationId, answerId }: { readonly conversationId: string; readonly answerId: string },
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void> {
  const running = answers.follow(answerId, signal)
  if (running) return yield* running
  const answer = conversations.get(conversationId).messages.find(({ id }) => id === answerId)
  if (!answer) throw new SottoError('conversation/message-unknown')
  const receipt = answer.receiptId === undefined ? null : store.receipts.get(answer.receiptId)
  yield { type: 'ended', answer, ...(receipt && { receipt }) }
}

/** An authenticated caller; `id` names its window. */
interface ChatCaller {
  readonly kind: 'window' | 'cli'
  readonly id: string
}
type Asked = Pick<SendInput, 'model' | 'webSearch' | 'tools'>

function chatEvents(
  core: ChatCore,
  turn: Turn,
  input: Asked,
  signal: AbortSignal | undefined,
  caller: ChatCaller,
): AsyncGenerator<ChatEvent, void> {
  return core.answers.start(
    { conversationId: turn.conversation.id, answerId: turn.answer.id },
    { callerId: caller.id, signal, stopsAnswer: caller.kind === 'cli' },
    (events, stopped) => converse(core, turn, input, stopped, events, caller),
  )
}

async function converse(
  core: ChatCore,
  turn: Turn,
  input: Asked,
  signal: AbortSignal,
  events: ChatEvents,
  { kind }: ChatCaller,
): Promise<void> {
  const { store, relay, tools } = core
  const { records, conversation, question, answer } = turn
  events.push({ type: 'started', conversation, userMessage: question, answer })
  const { earlier } = turn
  for (const step of earlier) events.push({ type: 'step', step })
  const draft = new AnswerDraft(records.messages, answer.id, answer)
  const used = new ReceiptTools(store.receipts, { temporary: conversation.temporary === true })
  for (const step of earlier) used.note(step)
  let last: RelayAnswer | undefined
  try {
    const sources = chooseTools(turn, input)
    const prepared =
      sources.length === 0 && earlier.length === 0
        ? null
        : await tools.prepare(sources, scopeOf(store, conversation, input.model))
    const body = await bodyOf(turn, input, relay.models)
    const rounds = new AnswerRounds(earlier, answer.citations)
    const budget = new AnswerBudget()
    if (earlier.length > 0) {
      draft.rewind(rounds.earlierText, rounds.parts())
      if (rounds.earlierText !== '') events.push({ type: 'delta', text: rounds.earlierText })
    }

    async function request(round: number, more: readonly JsonObject[]): Promise<RoundAnswer> {
      if (round > 0) rounds.beginRound()
      const { projectId } = conversation
      const reply = await withinProjectBudget(projectId, () =>
        relay.chat({
          body: {
            ...body,
            messages: [...messagesIn(body), ...more],
            ...(prepared && prepared.definitions.length > 0 && { tools: prepared.definitions }),
          },
          caller: { kind },
          ...(projectId !== undefined && { budgetOwner: budgetOwnerOf(projectId) }),
          ...(turn.cacheScope !== undefined && { cacheScope: turn.cacheScope }),
          signal,
          onStage: (stage) => events.push({ type: 'stage', stage }),
        }),
      )
      draft.went(reply.privacy)
      await readAnswer(reply, rounds, draft, events)
      last = reply
      used.addTo(reply.receiptId)
      budget.note(reply.receipt())
      return rounds.round()
    }

    if (prepared)
      await prepared.run({
        conversationId: conversation.id,
        answerId: answer.id,
        journal: records.tools,
        request,
        requireBudget: () => budget.requireLeft(),
        acceptsImages: await acceptsImages(relay, input.model),
        earlier,
        onResult: ({ receiptId }) => budget.noteSaved(store.receipts, receiptId),
        onStep: (step) => {
          rounds.note(step)
          used.note(step)
          draft.append({ text: '', reasoning: '' }, rounds.parts())
          events.push({ type: 'step', step })
        },
        signal,
      })
    else await request(0, [])
    const receipt = last && store.receipts.get(last.receiptId)
    events.push({
      type: 'ended',
      answer: draft.end('complete', last ? { privacy: last.privacy, receiptId: last.receiptId } : {}),
      ...(receipt && { receipt }),
    })
  } catch (thrown) {
    const failure =
      thrown instanceof SottoError ? thrown : new SottoError('proxy/internal', { cause: thrown })
    const receiptId = failure.details.receiptId ?? last?.receiptId
    const privacy = privacyAfter(failure, last?.privacy ?? (earlier.length > 0 ? answer.privacy : undefined))
    const ended = draft.end(stateAfter(failure, draft.started), {
      errorCode: failure.code,
      ...(failure.details.detail !== undefined && { errorDetail: failure.details.detail }),
      ...(receiptId !== undefined && { receiptId }),
      ...(privacy !== undefined && { privacy }),
    })
    const receipt = receiptId === undefined ? null : store.receipts.get(receiptId)
    events.push({ type: 'ended', answer: ended, failure: toFailure(failure), ...(receipt && { receipt }) })
  }
}

async function readAnswer(
  reply: RelayAnswer,
  content: AnswerRounds,
  draft: AnswerDraft,
  events: ChatEvents,
): Promise<void> {
  try {
    for await (const { events: come } of reply.body) {
      for (const step of come) {
        if (step === 'waiting') continue
        const { text, reasoning, tools } = content.add(step)
        if (text === '' && reasoning === '' && tools.length === 0) continue
        draft.append({ text, reasoning }, content.parts())
        for (const name of tools) events.push({ type: 'calling', name })
        if (text !== '' || reasoning !== '')
          events.push({ type: 'delta', ...(text && { text }), ...(reasoning && { reasoning }) })
      }
    }
  } finally {
    draft.know(content.parts())
  }
}

/** Failures that cut an answer off. After any other failure, the answer has failed. */
const CUT_OFF: ReadonlySet<ErrorCode> = new Set([
  'service/interrupted',
  'channel/response-truncated',
  'service/timeout',
  'request/locked',
  'service/unreachable',
  'tools/loop-limit',
  'tools/spending-limit',
])

/** A refusal sent nothing, but the earlier requests of an answer with tools were sent. */
function privacyAfter(
  { details }: SottoError,
  sent: Message['privacy'],
): Exclude<Message['privacy'], undefined> | undefined {
  return details.privacy === 'refused' ? (sent ?? 'refused') : details.privacy
}

function stateAfter({ code }: SottoError, started: boolean): Message['state'] {
  if (code === 'request/canceled') return 'cancelled'
  return started && CUT_OFF.has(code) ? 'interrupted' : 'failed'
}
