import { failureOfAbort, SottoError } from '../../shared/errors.ts'
import { isJsonObject, type JsonObject } from '../../shared/strict-json.ts'
import type { ToolStep } from '../../shared/tool-call.ts'
import { AnswerBudget, messagesIn } from '../conversations/answer-tools.ts'
import { requireInProject } from '../projects/private-only.ts'
import { ReceiptTools } from '../conversations/receipt-tools.ts'
import type { AnswerPiece } from '../gateway/answer/index.ts'
import type { ChatRequest, RelayAnswer } from '../gateway/relay/index.ts'
import type { PreparedTools, RoundAnswer } from '../tools/index.ts'
import { AnswerSums } from './answer-sums.ts'
import type { ServerToolPorts } from './index.ts'
import { JoinedStream } from './joined-stream.ts'
import { JoinedWhole } from './joined-whole.ts'

/** While a question waits, a caller that streams gets a comment this often, so that its connection doesn't seem dead. */
const WAITING_MS = 10_000
const WAITING: AnswerPiece = { text: ': waiting\n\n', events: ['waiting'], done: false }

/** One answer to a request of a local key. */
export interface KeyTurn {
  readonly ports: ServerToolPorts
  readonly keyId: string
  /** Takes the place of a conversation in consents. At most 64 characters. */
  readonly consentScope: string
  /** The key's project. */
  readonly knowledge: string | undefined
  readonly prepared: PreparedTools
  /** Of the server tools, as the model sees them. */
  readonly names: ReadonlySet<string>
  /** With the definitions of the server tools. */
  readonly request: ChatRequest
  /** The answer to its first request. */
  readonly first: RelayAnswer
  readonly emit: (piece: AnswerPiece) => Promise<void>
}

/**
 * Reads the first answer and runs the loop to its end.
 * @throws {SottoError} tools/loop-limit, tools/spending-limit, request/canceled, budget/exceeded; and the errors of
 * Relay.chat and of the bodies
 */
export async function runKeyTurn({
  ports,
  keyId,
  consentScope,
  knowledge,
  prepared,
  names,
  request,
  first,
  emit,
}: KeyTurn): Promise<void> {
  const { relay, store } = ports
  const { signal } = request
  const sums = new AnswerSums()
  const budget = new AnswerBudget()
  const used = new ReceiptTools(store.receipts, { temporary: false })
  const { contentType, receiptId } = first
  const options = {
    id: receiptId.replaceAll('-', ''),
    usage: asksForUsage(request.body),
    isServerTool: (name: string) => names.has(name),
    sums,
    emit,
  }
  const joined = contentType === 'text/event-stream' ? new JoinedStream(options) : new JoinedWhole(options)

  async function send(round: number, more: readonly JsonObject[]): Promise<RelayAnswer> {
    if (round === 0) return first
    // The owner may have made the project private-only while a question waited.
    requireInProject({ store }, knowledge, first.model)
    const { startedAt: _, ...others } = request
    const answer = await relay.chat({
      ...others,
      body: { ...request.body, messages: [...messagesIn(request.body), ...more] },
      // The caller knows the privacy of the first request, so no later one is sent with less.
      earlier: first.privacy === 'forwarded' ? request.earlier : first.privacy,
    })
    if (answer.contentType !== contentType) throw new SottoError('service/response-invalid')
    return answer
  }
  async function requestRound(round: number, more: readonly JsonObject[]): Promise<RoundAnswer> {
    const answer = await send(round, more)
    const read = await joined.read(answer)
    used.addTo(answer.receiptId)
    budget.note(answer.receipt())
    return read
  }

  using questions = new Questions(ports, {
    keyId,
    first,
    emit: contentType === 'text/event-stream' ? emit : null,
  })
  try {
    await prepared.run({
      conversationId: consentScope,
      answerId: receiptId,
      // After a restart, no caller waits for an answer.
      journal: { putCall: () => undefined },
      request: requestRound,
      requireBudget: () => budget.requireLeft(),
      acceptsImages: false,
      explainUnknown: (name) =>
        names.has(name)
          ? 'The arguments of this call are not valid.'
          : 'This call has not run, because server tools were called before it. Repeat it if it is still needed.',
      onStep: (step) => {
        if (step.state === 'asked') questions.ask(step)
        else questions.end(step)
        used.note(step)
      },
      onResult: ({ pages = [], receiptId: searchId }) => {
        sums.addPages(pages)
        budget.noteSaved(store.receipts, searchId)
      },
      signal,
    })
  } catch (thrown) {
    throw signal.aborted ? failureOfAbort(signal) : thrown
  }
  await joined.finish()
}

interface QuestionTurn extends Pick<KeyTurn, 'keyId' | 'first'> {
  /** Null if the caller gets the answer in one piece. */
  readonly emit: KeyTurn['emit'] | null
}

/** The questions of one answer that wait in the window. */
class Questions implements Disposable {
  readonly #ports: ServerToolPorts
  readonly #turn: QuestionTurn
  readonly #open = new Map<string, () => void>()
  #alive: NodeJS.Timeout | undefined

  constructor(ports: ServerToolPorts, turn: QuestionTurn) {
    this.#ports = ports
    this.#turn = turn
  }

  /** Without a window, Sotto can ask no person. */
  ask(step: ToolStep): void {
    const { tools, store, now, questionMs } = this.#ports
    if (!tools.keyCalls.isWatched) {
      tools.decide(step.id, 'refuse')
      return
    }
    const { keyId, first, emit } = this.#turn
    const key = store.localKeys.get(keyId)
    const projectId = key?.limits.serverTools?.knowledge
    const project =
      step.tool?.sendsTo === 'project' && projectId !== undefined ? store.projects.get(projectId) : null
    const hide = tools.keyCalls.show({
      step,
      keyName: key?.name ?? '',
      model: first.model,
      privacy: first.privacy,
      ...(project && { projectName: project.name }),
      until: now() + questionMs,
    })
    const timer = setTimeout(() => {
      if (this.#open.has(step.id)) tools.decide(step.id, 'refuse')
    }, questionMs)
    this.#open.set(step.id, () => {
      clearTimeout(timer)
      hide()
    })
    if (emit) this.#alive ??= setInterval(() => void emit(WAITING), WAITING_MS)
  }

  end({ id }: Pick<ToolStep, 'id'>): void {
    this.#open.get(id)?.()
    this.#open.delete(id)
    if (this.#open.size === 0) this.#clearAlive()
  }

  [Symbol.dispose](): void {
    for (const close of this.#open.values()) close()
    this.#open.clear()
    this.#clearAlive()
  }

  #clearAlive(): void {
    clearInterval(this.#alive)
    this.#alive = undefined
  }
}

function asksForUsage(body: JsonObject): boolean {
  const options = body['stream_options']
  return isJsonObject(options) && options['include_usage'] === true
}
