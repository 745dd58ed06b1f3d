import { createConsents } from '../../../src/core/conversations/consents/index.ts'
import type { ChatCore } from '../../../src/core/conversations/chat.ts'
import { createConversations } from '../../../src/core/conversations/conversations.ts'
import { RunningAnswers } from '../../../src/core/conversations/answer/running-answers.ts'
import { readStep } from '../../../src/core/gateway/answer/index.ts'
import type { RelayAnswer } from '../../../src/core/gateway/relay/index.ts'
import { createKnowledge } from '../../../src/core/knowledge/knowledge.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { createTools } from '../../../src/core/tools/index.ts'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import { isJsonObject, type JsonObject } from '../../../src/shared/strict-json.ts'
import { receipt } from '../storage/examples.ts'

class Killed extends Error {}

/** A process that is killed before its nth operation: from then on, nothing of it has an effect. */
export class Life {
  left: number
  constructor(operations = Infinity) {
    this.left = operations
  }

  get ended(): boolean {
    return this.left < 0
  }

  tick(): void {
    this.left -= 1
    if (this.ended) throw new Killed()
  }
}

/** What outlives a process: its folder, what it sent to the model, and how often each address was loaded. */
export interface Outside {
  readonly folder: string
  readonly key: Uint8Array
  readonly loaded: Map<string, number>
  readonly requests: JsonObject[][]
  /** The model's calls in each round: addresses. */
  readonly rounds: readonly (readonly string[])[]
}

/** A chat over a store on the disk, with a scripted model. Each write, each request and each call can be the last. */
export function startKillableChat(outside: Outside, life = new Life()) {
  const disk = createStore({ folder: outside.folder, key: outside.key, now: () => 1 })
  const temporary = createStore({ folder: null, key: outside.key, now: () => 1 })
  const store: Store = {
    ...disk,
    tools: { ...disk.tools, putCall: (step) => (life.tick(), disk.tools.putCall(step)) },
    messages: {
      ...disk.messages,
      add: (message) => (life.tick(), disk.messages.add(message)),
      update: (id, patch) => (life.tick(), disk.messages.update(id, patch)),
    },
  }
  const knowledge = createKnowledge(store)
  const tools = createTools({
    store,
    folder: outside.folder,
    version: 'test',
    now: () => 1,
    projectFiles: knowledge,
    secrets: {
      get: () => Promise.resolve(null),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    },
    detect: () => Promise.resolve('none'),
    fetch: (url) => {
      life.tick()
      outside.loaded.set(url, (outside.loaded.get(url) ?? 0) + 1)
      life.tick()
      async function* body() {
        yield await Promise.resolve(Buffer.from(`page ${url}`))
      }
      return Promise.resolve({ status: 200, headers: { get: () => 'text/plain' }, body: body() })
    },
  })
  const core: ChatCore = {
    store,
    tools,
    answers: new RunningAnswers(),
    consents: createConsents(() => 1),
    conversations: createConversations(store, temporary),
    knowledge,
    relay: {
      models: { all: () => Promise.resolve([]), find: () => Promise.reject(new Error('not listed')) },
      chat: ({ body }) => {
        life.tick()
        const messages = Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : []
        outside.requests.push(messages)
        const receiptId = `receipt ${String(outside.requests.length)}`
        store.receipts.put(receipt(receiptId, { cost: '0' }))
        return Promise.resolve(answerOf(messages, receiptId, outside.rounds, life))
      },
    },
  }
  return {
    core,
    /** Reads the answer and allows each call. A killed process never ends it. */
    async read(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
      const read: ChatEvent[] = []
      for await (const event of events) {
        read.push(event)
        if (event.type !== 'step' || event.step.state !== 'asked') continue
        // A process that has ended gets no decision.
        if (life.ended) core.answers.stop(event.step.answerId)
        else
          try {
            tools.decide(event.step.id, 'once')
          } catch {
            // A step of the journal is shown before it's asked for again.
          }
      }
      return read
    },
    async [Symbol.asyncDispose]() {
      await tools[Symbol.asyncDispose]()
      disk.close()
      temporary.close()
    },
  }
}

/** The round is the number of answers with calls after the last question. */
function answerOf(
  messages: readonly JsonObject[],
  receiptId: string,
  rounds: Outside['rounds'],
  life: Life,
): RelayAnswer {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
  const round = since.filter(({ tool_calls: calls }) => calls !== undefined).length
  const urls = rounds[round] ?? []
  async function* body() {
    life.tick()
    for (const choice of [
      { delta: { content: urls.length > 0 ? `Round ${String(round)}. ` : 'Done.' } },
      {
        delta: {
          tool_calls: urls.map((url, index) => ({
            index,
            id: `call-${String(round)}-${String(index)}`,
            function: { name: 'fetch_url', arguments: JSON.stringify({ url }) },
          })),
        },
        finish_reason: urls.length > 0 ? 'tool_calls' : 'stop',
      },
    ]) {
      const step = readStep({ choices: [choice] })
      yield await Promise.resolve({ text: '', events: step ? [step] : [], done: false })
    }
    life.tick()
  }
  return {
    privacy: 'sealed',
    receiptId,
    model: 'private/model',
    contentType: 'text/event-stream',
    timing: { addedMs: 0, proofMs: undefined, sealMs: undefined },
    body: body(),
    receipt: () => receipt(receiptId, { cost: '0' }),
  }
}
