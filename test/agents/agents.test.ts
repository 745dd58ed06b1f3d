import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '../../src/shared/model.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { contextOf, listedFacts } from '../../src/shared/tools/facts.ts'
import { formsOf } from '../canary.ts'
import { png } from '../core/jobs/image-bytes.ts'
import { installPublished } from '../published-packages.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../world.ts'
import type { Agent, Setting, ToolCall } from './agent.ts'
import { agents, packages, sessionAgents } from './agents.ts'
import { startObserver, type ObservedRequest, type Observer } from './observer.ts'

/** How agents report that they guess a model's window or abilities. */
const GUESSES =
  /unknown.model|unrecognized|context window|not found in|metadata for .* not found|fallback|CLAUDE_CODE_MAX_CONTEXT_TOKENS/i

/** How the sandbox's models describe an image that they received. */
const SEES = /an image of type `image\//

/** A file of 300 lines has about this number of tokens, with the numbers of its lines. */
const FILE_TOKENS = 6000
/** Each turn reads about a sixth of the model's context, so every agent has to compact before the last one. */
const TURNS = 9

/** It downloads hundreds of megabytes: `npm run test:agents`. */
const place = process.env['SOTTO_AGENTS']
describe.skipIf(place === undefined)('agents complete a task through the proxy', () => {
  let bin: string
  let world: World
  let observer: Observer
  let folder: string
  beforeAll(async () => {
    bin = join(await installPublished(packages, place ?? ''), 'node_modules', '.bin')
    world = await startWorld()
    observer = await startObserver(world.baseUrl)
    const control = await world.sandbox.control()
    // As real models do. An agent with a wrong limit doesn't finish its task.
    control.enforceContextLength(true)
    control.setBalance(control.firstAccount(0n).creditId, 1_000_000_000_000_000n)
  }, 600_000)
  afterAll(async () => {
    await observer[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-agent-'))
    world.sandbox.clearReceived()
    observer.clear()
  })
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  async function settingOf(model: string): Promise<Setting> {
    const listed = ((await world.call('models/list', {})) as Model[]).find(({ id }) => id === model)
    return {
      bin,
      folder,
      facts: { ...listedFacts(listed), baseUrl: observer.baseUrl, key: world.key, model },
    }
  }
  async function receipts(): Promise<Receipt[]> {
    return (await world.call('receipts/list', {})) as Receipt[]
  }
  /** Has the agent call its tools, because the sandbox's model calls what the prompt dictates. */
  async function dictate(
    agent: Agent,
    setting: Setting,
    calls: readonly ToolCall[],
    again: boolean,
  ): Promise<string> {
    const output = await agent.run(setting, {
      text: `Please ${calls.map(({ tool, input }) => `call ${tool} with ${JSON.stringify(input)}`).join(' and ')}`,
      again,
    })
    expect(output).not.toMatch(GUESSES)
    return output
  }
  /** Has the agent write a file. Returns what the file has to contain. */
  async function write(agent: Agent, setting: Setting, name: string, again: boolean): Promise<string> {
    const content = `whisper-${randomUUID()}`
    const file = join(folder, name)
    const output = await dictate(agent, setting, [agent.write(file, content)], again)
    expect(await readFile(file, 'utf8').catch(() => output)).toBe(content)
    return content
  }

  describe.each([
    [PRIVATE_MODEL, 'sealed'],
    [PLAINTEXT_MODEL, 'forwarded'],
  ] as const)('with %s', (model, privacy) => {
    it.each(agents)(
      '$name writes a file, and another one in a second turn',
      async (agent) => {
        const sent = world.outbound.length
        const known = new Set((await receipts()).map(({ id }) => id))
        const setting = await settingOf(model)
        const first = await write(agent, setting, 'hello.txt', false)
        // The agent sent the result of the tool, and the model replied.
        expect(chatRequests(world.sandbox).length).toBeGreaterThanOrEqual(2)
        const before = observer.requests.length
        const second = await write(agent, setting, 'again.txt', true)
        const fresh = (await receipts()).filter(({ id }) => !known.has(id))
        expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(
          new Set([`${privacy} complete`]),
        )
        // The second turn contains the first.
        expect(observer.requests.slice(before).some(({ body }) => body.includes(first))).toBe(true)
        const left = Buffer.concat(world.outbound.slice(sent))
        for (const content of [first, second])
          expect(formsOf(content, left).length > 0).toBe(privacy === 'forwarded')
      },
      800_000,
    )

    it.each(sessionAgents)(
      '$name compacts a long session, and then completes its task',
      async (agent) => {
        const { read, summary: beginning, needsLongContext } = agent.sessions
        const setting = await settingOf(
          model === PRIVATE_MODEL && needsLongContext ? PRIVATE_VISION_MODEL : model,
        )
        const perTurn = Math.max(1, Math.round(contextOf(setting.facts) / 6 / FILE_TOKENS))
        // The sandbox's summary quotes the request for it. An escaped quotation mark doesn't begin a text.
        const isSummary = ({ body, status }: ObservedRequest) =>
          status === 200 && body.replaceAll(String.raw`\"`, '').includes(`"${beginning}`)
        const outputs: string[] = []
        for (let turn = 0; turn < TURNS && !observer.requests.some(isSummary); turn += 1) {
          const files = Array.from({ length: perTurn }, (_, at) =>
            join(folder, `notes-${String(turn)}-${String(at)}.txt`),
          )
          await Promise.all(files.map((file) => writeFile(file, notes())))
          outputs.push(await dictate(agent, setting, files.map(read), turn > 0))
        }
        await write(agent, setting, 'done.txt', true)
        const { requests } = observer
        const summary = requests.findIndex(isSummary)
        expect(summary, outputs.join('\n')).toBeGreaterThan(0)
        const before = requests.slice(0, summary + 1)
        const after = requests.slice(summary + 1).find((request) => request.hasTools && !isSummary(request))
        expect(after?.messages).toBeLessThan(Math.max(...before.map(({ messages }) => messages)))
        expect(after?.body.length).toBeLessThan(Math.max(...before.map(({ body }) => body.length)))
        // One result can be longer than what an agent keeps free. It then compacts because of the refusal, and sends the request again.
        expect(requests.filter(({ status }) => status !== 200).length).toBeLessThanOrEqual(1)
      },
      1_200_000,
    )
  })

  describe.each([
    [PRIVATE_VISION_MODEL, 'sealed'],
    [PLAINTEXT_VISION_MODEL, 'forwarded'],
  ] as const)('with %s', (model, privacy) => {
    it.each(agents.filter(({ seesImages }) => seesImages))(
      '$name shows an image',
      async (agent) => {
        const image = join(folder, 'picture.png')
        await writeFile(image, png(64, 64))
        const known = new Set((await receipts()).map(({ id }) => id))
        const output = await agent.run(await settingOf(model), {
          text: 'Do not call any tools. Describe the picture',
          image,
        })
        expect(output).not.toMatch(GUESSES)
        const fresh = (await receipts()).filter(({ id }) => !known.has(id))
        expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(
          new Set([`${privacy} complete`]),
        )
        expect(output).toMatch(SEES)
      },
      400_000,
    )
  })
})

/** Agents remember what they read, so no two files are equal. */
function notes(): string {
  return Array.from(
    { length: 300 },
    () => `${randomUUID().slice(0, 8)} the quick brown fox jumps over the lazy dog and comes back`,
  ).join('\n')
}
