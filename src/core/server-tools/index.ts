import { createHash } from 'node:crypto'
import { failureOfAbort, SottoError } from '../../shared/errors.ts'
import type { ServerTools } from '../../shared/key-limits.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import type { BuiltInTool } from '../../shared/tool-call.ts'
import type { AnswerPiece } from '../gateway/answer/index.ts'
import type { ChatRequest, Relay, RelayAnswer } from '../gateway/relay/index.ts'
import { isInPrivateProject, requireInProject } from '../projects/private-only.ts'
import type { Store } from '../storage/index.ts'
import type { Tools } from '../tools/index.ts'
import { Handoff } from './handoff.ts'
import { runKeyTurn, type KeyTurn } from './key-turn.ts'

/** Counts a body in the memory of all bodies until the returned function is called. */
type KeepBody = () => () => void

/** The names of server tools begin with this, so that they differ from the caller's. */
const PREFIX = 'sotto_'

export interface ServerToolPorts {
  readonly relay: Pick<Relay, 'chat' | 'resolve'>
  readonly tools: Pick<Tools, 'prepare' | 'decide' | 'keyCalls'>
  readonly store: Pick<Store, 'localKeys' | 'projects' | 'receipts'>
  /** Unix ms. */
  readonly now: () => number
  /** How long a question waits for an answer, in ms. */
  readonly questionMs: number
}

/**
 * Sends a chat completion of a local key, runs the calls of its server tools, and sends their results, until the model
 * has answered. The caller gets one answer. Its receipt is that of the first request.
 * @param tools of the key's limits
 * @param keepBody called if the body is used while the answer is read
 * @throws {SottoError} project/private-only – the key's project is private-only and the model isn't private;
 * tools/name-reserved, dialect/unsupported; and the errors of Relay.chat. For an answer in one piece also those of the
 * loop, which otherwise end its body: tools/loop-limit, tools/spending-limit
 */
export async function chatWithServerTools(
  ports: ServerToolPorts,
  request: ChatRequest,
  keyId: string,
  tools: ServerTools,
  keepBody: KeepBody = () => () => undefined,
): Promise<RelayAnswer> {
  const { relay, store } = ports
  const { body } = request
  const { model } = body
  // The relay refuses it, with a receipt.
  if (typeof model !== 'string' || model === '') return relay.chat(request)
  const id = await relay.resolve(model, request.allowed)
  requireInProject({ store }, tools.knowledge, id)
  // The caller decided itself about calls: none, or certainly one of its own.
  const { tool_choice: choice = 'auto' } = body
  if (choice !== 'auto') return relay.chat(request)
  const prepared = await ports.tools.prepare(
    sourcesOf(tools),
    {
      localOnly: isInPrivateProject({ store }, tools.knowledge),
      projectId: tools.knowledge,
      temporary: true,
      hasBudget: false,
      isPrivate: isPrivateModel(id),
      localKeyId: keyId,
    },
    PREFIX,
  )
  const names = namesIn(prepared.definitions)
  if (names.size === 0) return relay.chat(request)
  requireUsable(body, names)
  return answerWith(
    ports,
    // An alias may mean another model by now, which isn't private.
    { ...request, ...(isPrivateModel(id) && { earlier: 'sealed' }) },
    { keyId, consentScope: consentScopeOf(keyId, tools), knowledge: tools.knowledge, prepared, names },
    keepBody,
  )
}

async function answerWith(
  ports: ServerToolPorts,
  request: ChatRequest,
  turn: Pick<KeyTurn, 'keyId' | 'consentScope' | 'knowledge' | 'prepared' | 'names'>,
  keepBody: KeepBody,
): Promise<RelayAnswer> {
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const body = { ...request.body, tools: [...listIn(request.body, 'tools'), ...turn.prepared.definitions] }
  const first = await ports.relay.chat({ ...request, body, signal })
  if (signal.aborted) {
    // A body that nothing reads never settles its request: the receipt and the budget.
    await leave(first.body)
    throw failureOfAbort(signal)
  }
  const handoff = new Handoff<AnswerPiece>(() => stop.abort(new SottoError('request/canceled')))
  const running = (emit: (piece: AnswerPiece) => Promise<void>): Promise<void> =>
    runKeyTurn({ ...turn, ports, first, emit, request: { ...request, body, signal } })
  if (first.contentType === 'text/event-stream')
    return {
      ...first,
      body: endedBy(
        keepBody(),
        handoff.follow(() => running((piece) => handoff.push(piece))),
      ),
    }
  // A failure of the loop is then an error with a status.
  const pieces: AnswerPiece[] = []
  await running((piece) => {
    pieces.push(piece)
    return Promise.resolve()
  })
  if (request.signal.aborted) throw failureOfAbort(request.signal)
  return { ...first, body: toAsyncIterable(pieces) }
}

async function* endedBy(
  end: () => void,
  body: AsyncIterable<AnswerPiece>,
): AsyncGenerator<AnswerPiece, void> {
  try {
    yield* body
  } finally {
    end()
  }
}

/** Begins to read a body and ends it, because one that never began can't be ended. */
async function leave(body: AsyncIterable<AnswerPiece>): Promise<void> {
  try {
    for await (const _ of body) break
  } catch {
    // The body ends with the abort of its request.
  }
}

async function* toAsyncIterable(pieces: readonly AnswerPiece[]): AsyncGenerator<AnswerPiece, void> {
  for (const piece of pieces) yield await Promise.resolve(piece)
}

/** "Always" holds for this key and this project: a key with another project asks again. */
function consentScopeOf(keyId: string, { knowledge = '' }: ServerTools): string {
  return createHash('sha256')
    .update(JSON.stringify([keyId, knowledge]))
    .digest('hex')
}

function sourcesOf({ webSearch, knowledge }: ServerTools): BuiltInTool[] {
  return [
    ...(webSearch === true ? (['web-search'] as const) : []),
    ...(knowledge === undefined ? [] : (['project-files'] as const)),
  ]
}

/** @throws {SottoError} tools/name-reserved, dialect/unsupported */
function requireUsable(body: JsonObject, names: ReadonlySet<string>): void {
  if ([...namesIn(listIn(body, 'tools'))].some((name) => names.has(name)))
    throw new SottoError('tools/name-reserved', { param: 'tools' })
  const { n } = body
  if (n !== undefined && n !== null && n !== 1)
    throw new SottoError('dialect/unsupported', {
      param: 'n',
      toolDetail: 'A local key with server tools can request one choice.',
    })
}

/** The names of functions in OpenAI's format. */
function namesIn(definitions: readonly JsonValue[]): Set<string> {
  return new Set(
    definitions.flatMap((definition) => {
      const called = isJsonObject(definition) ? definition['function'] : undefined
      return isJsonObject(called) && typeof called['name'] === 'string' ? [called['name']] : []
    }),
  )
}

/** @returns no items if the member isn't a list, which the service then refuses */
function listIn(body: JsonObject, name: 'tools' | 'messages'): readonly JsonValue[] {
  const list = body[name]
  return Array.isArray(list) ? list : []
}
