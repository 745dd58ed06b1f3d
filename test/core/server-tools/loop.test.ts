import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnswerStreamReader, type AnswerPiece } from '../../../src/core/gateway/answer/index.ts'
import type { ChatRequest, RelayAnswer } from '../../../src/core/gateway/relay/index.ts'
import { chatWithServerTools, type ServerToolPorts } from '../../../src/core/server-tools/index.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { createTools, type Tools } from '../../../src/core/tools/index.ts'
import { MAX_ROUNDS } from '../../../src/core/tools/loop.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import type { JsonObject } from '../../../src/shared/strict-json.ts'

const MODEL = 'private/model'
const QUESTION_MS = 60_000

/** A round of the model: its text, and the names of its calls. */
interface Round {
  readonly text: string
  readonly calls: readonly string[]
}

let store: Store
let tools: Tools
let searches: string[]
let page = ''
beforeEach(() => {
  store = createStore({ folder: null, key: randomBytes(32), now: () => 1 })
  searches = []
  tools = createTools({
    store,
    folder: '/nonexistent',
    version: 'test',
    now: () => 1,
    fetch: () => Promise.reject(new Error('not used')),
    secrets: {
      get: () => Promise.resolve(null),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    },
    projectFiles: { documents: () => [], find: () => Promise.resolve([]), read: () => [] },
    webSearch: {
      search: (query) => {
        searches.push(query)
        return Promise.resolve({ text: page, pages: [{ url: 'https://example.org/' }], receiptId: 'search' })
      },
    },
    detect: () => Promise.resolve('none'),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await tools[Symbol.asyncDispose]()
  store.close()
})

/** The events of a round, as a service sends them. */
function sseOf({ text, calls }: Round, id: number): string {
  const chunk = (delta: object, reason: string | null = null, more: object = {}): string =>
    `data: ${JSON.stringify({ id: `chat-${String(id)}`, object: 'chat.completion.chunk', created: id, model: 'model', choices: [{ index: 0, delta, finish_reason: reason }], ...more })}\n\n`
  return [
    chunk({ role: 'assistant', content: '' }),
    ': still there\n\n',
    ...Array.from(text, (content) => chunk({ content })),
    ...calls.flatMap((name, index) => [
      chunk({
        tool_calls: [{ index, id: `c${String(index)}`, type: 'function', function: { name, arguments: '' } }],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: '{"query":' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: '"q"}' } }] }),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    `data: ${JSON.stringify({ id: 'u', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`,
    'data: [DONE]\n\n',
  ].join('')
}

async function* streamOf(sse: string, cuts: readonly number[]): AsyncGenerator<AnswerPiece, void> {
  const reader = new AnswerStreamReader({ usage: true, choices: 1 })
  const bytes = Buffer.from(sse)
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
  for (const [at, from] of places.entries())
    yield await Promise.resolve(reader.push(bytes.subarray(from, places[at + 1])))
  yield reader.end()
}

interface Simulation {
  readonly ports: ServerToolPorts
  readonly requests: ChatRequest[]
}

function simulate(rounds: (at: number) => Round | SottoError, cuts: readonly number[] = []): Simulation {
  const requests: ChatRequest[] = []
  return {
    requests,
    ports: {
      tools,
      store,
      now: () => 1,
      questionMs: QUESTION_MS,
      relay: {
        resolve: (name) => Promise.resolve(name),
        chat(request): Promise<RelayAnswer> {
          if (request.signal.aborted) return Promise.reject(new SottoError('request/canceled'))
          const round = rounds(requests.push(request) - 1)
          if (round instanceof SottoError) return Promise.reject(round)
          return Promise.resolve({
            privacy: 'sealed',
            receiptId: 'receipt',
            model: MODEL,
            contentType: 'text/event-stream',
            timing: { addedMs: 0, proofMs: undefined, sealMs: undefined },
            body: streamOf(sseOf(round, requests.length), cuts),
            receipt: () => undefined,
          })
        },
      },
    },
  }
}

/** Follows the calls of keys as a window does. */
function openWindow(
  decide: (callId: string) => void = (callId) => tools.decide(callId, 'once'),
): AbortController {
  const left = new AbortController()
  const calls = tools.keyCalls.watch(left.signal)
  void (async () => {
    for await (const waiting of calls) for (const { step } of waiting) decide(step.id)
  })()
  return left
}

const body: JsonObject = {
  model: MODEL,
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'Hello' }],
}

async function answer(
  { ports }: Simulation,
  stop: AbortController = new AbortController(),
): Promise<{ text: string; pieces: AnswerPiece[] }> {
  const reply = await chatWithServerTools(
    ports,
    { body, caller: { kind: 'proxy', localKeyId: 'key' }, signal: stop.signal },
    'key',
    { webSearch: true },
  )
  const pieces: AnswerPiece[] = []
  for await (const piece of reply.body) pieces.push(piece)
  return { pieces, text: pieces.map(({ text }) => text).join('') }
}

const toCode = (code: string): unknown => expect.objectContaining({ code })

describe('the stream of an answer with server tools', () => {
  it('is the same wherever the streams are cut, and is one valid answer', async () => {
    const left = openWindow()
    const rounds = [
      { text: 'Let me séarch.', calls: ['sotto_web_search', 'other'] },
      { text: 'Found.', calls: ['other', 'sotto_web_search', 'other'] },
    ]
    const at = (round: number): Round => rounds[round] ?? { text: '', calls: [] }
    const whole = await answer(simulate(at))
    const reader = new AnswerStreamReader({ usage: true, choices: 1 })
    const { events, done } = reader.push(Buffer.from(whole.text))
    expect([done, reader.failure, reader.usage]).toEqual([
      true,
      undefined,
      { prompt: 20, completion: 10, total: 30 },
    ])
    const steps = events.filter((event) => event !== 'waiting')
    expect(steps.map(({ text }) => text).join('')).toBe('Let me séarch.\n\nFound.')
    expect(new Set(whole.text.match(/"id":"chat-\d"/g))).toEqual(new Set(['"id":"chat-1"']))
    expect(
      steps.flatMap(({ calls }) => calls.map(({ index, id }) => [index, id])).filter(([, id]) => id),
    ).toEqual([
      [0, 'c0'],
      [1, 'c2'],
    ])
    expect(whole.text.match(/"finish_reason":"tool_calls"/g)).toHaveLength(1)
    expect(whole.text).not.toContain('sotto_web_search')
    // Both views of a piece say the same.
    expect(whole.pieces.flatMap((piece) => piece.events).filter((event) => event !== 'waiting').length).toBe(
      steps.length,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
        expect((await answer(simulate(at, cuts))).text).toBe(whole.text)
      }),
      { numRuns: 40 },
    )
    left.abort()
  })

  it('contains the result of a tool in no request except to the model', async () => {
    page = 'result-of-the-search'
    const left = openWindow()
    const simulation = simulate((round) => ({ text: 'ok', calls: round === 0 ? ['sotto_web_search'] : [] }))
    const { text } = await answer(simulation)
    expect(text).not.toContain(page)
    expect(searches).toEqual(['q'])
    const { messages } = simulation.requests[1]?.body ?? {}
    expect(JSON.stringify(messages)).toContain(page)
    // The caller knows only the privacy of the first request.
    expect(simulation.requests.map(({ earlier }) => earlier)).toEqual(['sealed', 'sealed'])
    left.abort()
  })

  it('ends with an error after too many requests', async () => {
    const left = openWindow()
    const simulation = simulate(() => ({ text: '', calls: ['sotto_web_search'] }))
    await expect(answer(simulation)).rejects.toThrow(toCode('tools/loop-limit'))
    expect(simulation.requests).toHaveLength(MAX_ROUNDS)
    left.abort()
  })

  it('ends when its searches have cost $1', async () => {
    const left = openWindow()
    const search: Receipt = {
      id: 'search',
      model: 'cheap',
      privacy: 'forwarded',
      caller: { kind: 'proxy', localKeyId: 'key' },
      outcome: 'complete',
      at: 1,
      service: 'sandbox',
      path: '/v1/chat/completions',
      bytesSent: 1,
      bytesReceived: 1,
      cost: '250000000000',
    }
    store.receipts.put(search)
    const simulation = simulate(() => ({ text: '', calls: ['sotto_web_search'] }))
    await expect(answer(simulation)).rejects.toThrow(toCode('tools/spending-limit'))
    expect(searches).toHaveLength(4)
    expect(simulation.requests).toHaveLength(4)
    left.abort()
  })

  it('ends when the budget of the key is used up between two requests', async () => {
    const left = openWindow()
    const simulation = simulate((round) =>
      round === 0 ? { text: '', calls: ['sotto_web_search'] } : new SottoError('budget/exceeded'),
    )
    await expect(answer(simulation)).rejects.toThrow(toCode('budget/exceeded'))
    expect(searches).toEqual(['q'])
    left.abort()
  })

  it('ends when the caller goes away while a question waits, and nothing runs', async () => {
    const stop = new AbortController()
    const left = openWindow(() => stop.abort(new SottoError('request/canceled')))
    await expect(
      answer(
        simulate(() => ({ text: '', calls: ['sotto_web_search'] })),
        stop,
      ),
    ).rejects.toThrow(toCode('request/canceled'))
    expect(searches).toEqual([])
    const waiting = await tools.keyCalls.watch(left.signal).next()
    expect(waiting.value).toEqual([])
    left.abort()
  })

  it('ends when the reader leaves, and no further request is sent', async () => {
    const left = openWindow(() => undefined)
    const simulation = simulate(() => ({ text: 'text', calls: ['sotto_web_search'] }))
    const reply = await chatWithServerTools(
      simulation.ports,
      { body, caller: { kind: 'proxy', localKeyId: 'key' }, signal: new AbortController().signal },
      'key',
      { webSearch: true },
    )
    for await (const { text } of reply.body) if (text.includes('"t"')) break
    expect(simulation.requests.map(({ signal }) => signal.aborted)).toEqual([true])
    left.abort()
  })
})

describe('a question', () => {
  const once = (): Simulation =>
    simulate((round) => ({ text: 'ok', calls: round === 0 ? ['sotto_web_search'] : [] }))
  const resultOf = ({ requests }: Simulation): string => JSON.stringify(requests[1]?.body['messages'])

  it('is refused at once if no window is open', async () => {
    const simulation = once()
    await answer(simulation)
    expect(searches).toEqual([])
    expect(resultOf(simulation)).toContain('The user did not allow this call.')
  })

  it('is refused after its time, and leaves the window', async () => {
    vi.useFakeTimers()
    const left = openWindow(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    const simulation = once()
    const answered = answer(simulation)
    await vi.advanceTimersByTimeAsync(QUESTION_MS)
    const { text } = await answered
    // A caller that streams sees that Sotto still works.
    expect(text.match(/: waiting/g)?.length).toBeGreaterThan(3)
    expect(searches).toEqual([])
    expect(resultOf(simulation)).toContain('The user did not allow this call.')
    expect((await tools.keyCalls.watch(left.signal).next()).value).toEqual([])
    left.abort()
  })

  it('can’t be allowed always for a search of the web', async () => {
    const left = openWindow((callId) => {
      expect(() => tools.decide(callId, 'always')).toThrow(toCode('tools/no-always'))
      tools.decide(callId, 'once')
    })
    await answer(once())
    expect(searches).toEqual(['q'])
    left.abort()
  })
})
