import { appendFile, copyFile, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { ToolServerView } from '../../../src/shared/contract/tools.ts'
import type { Job } from '../../../src/shared/job.ts'
import type { Message } from '../../../src/shared/conversation.ts'
import type { ToolStep } from '../../../src/shared/tool-call.ts'
import { formsOf } from '../../canary.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

let folder = ''
let script = ''
let world: World
let server: ToolServerView
const questions: string[] = []
let confirms = true
beforeAll(async () => {
  // In a folder of its own, because the digest covers the whole package of a server.
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sotto-server-')))
  script = join(folder, 'stdio-server.mjs')
  await copyFile(join(import.meta.dirname, 'stdio-server.mjs'), script)
  world = await startWorld({
    confirm: (text) => {
      questions.push(text)
      return confirms
    },
  })
  server = (await world.call('tools/addServer', input('test'))) as ToolServerView
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function input(name: string, more: object = {}): object {
  return {
    name,
    command: process.execPath,
    args: [script],
    environment: { TOKEN: 'canary-variable' },
    network: false,
    readOnly: false,
    ...more,
  }
}

/** Sends a question, and answers each call that waits. */
async function ask(
  sent: object,
  decide: (step: ToolStep, events: readonly ChatEvent[]) => unknown = ({ id }) =>
    world.call('tools/decide', { callId: id, decision: 'once' }),
): Promise<{ events: ChatEvent[]; answer: Message; steps: ToolStep[] }> {
  const response = await world.core.api(
    new Request('http://sotto.invalid/api/chat/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: sent }),
    }),
    windowCaller,
  )
  const events: ChatEvent[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      const event = data === undefined ? undefined : (JSON.parse(data) as { json?: ChatEvent }).json
      if (!event) continue
      events.push(event)
      if (event.type === 'step' && event.step.state === 'asked') await decide(event.step, events)
    }
  }
  const ended = events.find((event) => event.type === 'ended')
  return {
    events,
    answer: ended?.answer as Message,
    steps: events.flatMap((event) => (event.type === 'step' ? [event.step] : [])),
  }
}

const dictated = (tool: string, args: object): string => `call test__${tool} with ${JSON.stringify(args)}`

describe('a server', () => {
  it('is added only with a confirmation that shows its program, and without its variables', async () => {
    expect(questions[0]).toContain(script)
    expect(server).toMatchObject({
      state: 'running',
      variables: ['TOKEN'],
      changedTools: [],
      skippedTools: 0,
    })
    expect(server.tools.map(({ name }) => name)).toContain('echo')
    expect(JSON.stringify(await world.call('tools/servers'))).not.toContain('canary-variable')
    confirms = false
    expect(await world.call('tools/addServer', input('other'))).toMatchObject({
      data: { code: 'confirm/refused' },
    })
    confirms = true
    expect(await world.call('tools/servers')).toHaveLength(1)
  })

  it.each([
    ['the same name', input('test'), 'tools/name-taken'],
    ['a shell', input('a', { command: 'sh' }), 'tools/not-pinned'],
    [
      'a variable that loads code',
      input('a', { environment: { NODE_OPTIONS: '' } }),
      'tools/variable-refused',
    ],
  ])('with %s is refused before the question', async (_, added, code) => {
    const before = questions.length
    expect(await world.call('tools/addServer', added)).toMatchObject({ data: { code } })
    expect(questions).toHaveLength(before)
  })
})

describe.each([PRIVATE_MODEL, PLAINTEXT_MODEL])('%s', (model) => {
  it('calls a tool after a decision, and the answer contains the result', async () => {
    const before = chatRequests(world.sandbox).length
    const { answer, steps } = await ask({
      model,
      text: dictated('echo', { message: 'hello from the tool' }),
      tools: [server.id],
    })
    expect(steps.map(({ state }) => state)).toEqual(['asked', 'running', 'done'])
    expect(steps[0]).toMatchObject({
      functionName: 'test__echo',
      arguments: '{"message":"hello from the tool"}',
      tool: { sourceName: 'test', mayAlways: false },
    })
    expect(answer).toMatchObject({
      state: 'complete',
      toolCalls: [{ name: 'test__echo', result: 'hello from the tool' }],
    })
    expect(answer.text).toContain('hello from the tool')
    expect(chatRequests(world.sandbox).length - before).toBe(2)
    expect(
      await world.call('tools/steps', { conversationId: answer.conversationId, answerId: answer.id }),
    ).toMatchObject([{ state: 'done', outcome: 'result' }])
  })
})

it('definitions, arguments and results of a private chat leave only sealed', async () => {
  const before = world.outbound.length
  const canary = 'canary-argument-of-a-tool'
  const { answer } = await ask({
    model: PRIVATE_MODEL,
    text: dictated('echo', { message: canary }),
    tools: [server.id],
  })
  expect(answer).toMatchObject({ state: 'complete', privacy: 'sealed' })
  const sent = Buffer.concat(world.outbound.slice(before))
  for (const text of [canary, 'test__echo', 'The tool echo.']) expect(formsOf(text, sent)).toEqual([])
})

it('a search sends the service only the query, after a decision, and a private chat stays sealed', async () => {
  const before = world.outbound.length
  const { answer, steps } = await ask({
    model: PRIVATE_MODEL,
    text: 'canary-question: call web_search with {"query":"canary-query"}',
    tools: ['web-search'],
  })
  expect(steps[0]).toMatchObject({ state: 'asked', tool: { sendsTo: 'service', mayAlways: false } })
  expect(answer).toMatchObject({ state: 'complete', privacy: 'sealed' })
  expect(answer.toolCalls?.[0]?.result).toMatch(/https:\/\//)
  const sent = Buffer.concat(world.outbound.slice(before))
  expect(formsOf('canary-query', sent)).not.toEqual([])
  expect(formsOf('canary-question', sent)).toEqual([])
})

it('an image is generated in Studio for at most the allowed price, and not after a refusal', async () => {
  const sent = {
    model: PRIVATE_MODEL,
    text: 'call make_image with {"prompt":"a fox"}',
    tools: ['make-image'],
  }
  const denied = await ask(sent, ({ id }) => world.call('tools/decide', { callId: id, decision: 'refuse' }))
  expect(denied.steps[0]?.tool).toMatchObject({ sendsTo: 'service', mayAlways: false })
  expect(await world.call('studio/list', {})).toMatchObject({ jobs: [] })
  const { answer, steps } = await ask(sent)
  const most = steps[0]?.tool?.image?.most ?? ''
  expect(BigInt(most)).toBeGreaterThan(0n)
  expect(answer.toolCalls?.[0]?.result).toContain('in Studio')
  const { jobs } = (await world.call('studio/list', {})) as { jobs: Job[] }
  expect(jobs).toMatchObject([
    { state: 'done', ask: { prompt: 'a fox', from: { conversationId: answer.conversationId } } },
  ])
  expect(BigInt(jobs[0]?.cost ?? '')).toBeLessThanOrEqual(BigInt(most))
  // Nothing of a temporary chat is saved, so it has no tool that saves a job.
  const temporary = await ask({ ...sent, begin: { temporary: true } })
  expect(temporary.steps).toEqual([])
})

it('a refused call doesn’t run, and the model learns that', async () => {
  const file = join(world.folder, 'refused')
  const { answer, steps } = await ask(
    { model: PRIVATE_MODEL, text: dictated('count', { file }), tools: [server.id] },
    ({ id }) => world.call('tools/decide', { callId: id, decision: 'refuse' }),
  )
  expect(steps.map(({ outcome }) => outcome)).toEqual([undefined, 'refused'])
  expect(answer.text).toContain('The user did not allow this call.')
  await expect(readFile(file)).rejects.toThrow()
})

it('a decision is used once, and “always” needs a marked server without a network', async () => {
  const answers: unknown[] = []
  await ask(
    { model: PRIVATE_MODEL, text: dictated('echo', { message: 'x' }), tools: [server.id] },
    async ({ id }) => {
      for (const decision of ['always', 'once', 'once'])
        answers.push(await world.call('tools/decide', { callId: id, decision }))
    },
  )
  expect(answers).toMatchObject([
    { data: { code: 'tools/no-always' } },
    undefined,
    { data: { code: 'tools/call-unknown' } },
  ])
})

it('a stop while a call waits ends the answer, and nothing runs', async () => {
  const file = join(world.folder, 'stopped')
  const { answer } = await ask(
    { model: PRIVATE_MODEL, text: dictated('count', { file }), tools: [server.id] },
    ({ answerId }) => world.call('chat/stop', { answerId }),
  )
  expect(answer).toMatchObject({ state: 'cancelled', errorCode: 'request/canceled' })
  await expect(readFile(file)).rejects.toThrow()
})

it('the clock needs no decision; a chat without tools offers none, and runs none', async () => {
  const clock = await ask({ model: PRIVATE_MODEL, text: 'call clock with {}', tools: ['clock'] })
  expect(clock.steps.map(({ state }) => state)).toEqual(['running', 'done'])
  const { answer, steps } = await ask({ model: PRIVATE_MODEL, text: 'call clock with {}' })
  expect(steps).toEqual([])
  expect(answer.toolCalls).toBeUndefined()
  const again = await ask({
    model: PRIVATE_MODEL,
    conversationId: clock.answer.conversationId,
    text: 'call clock with {}',
  })
  expect(again.steps).toHaveLength(2)
})

it('a changed program isn’t started until the change is accepted, and a removed one never', async () => {
  const before = await readFile(script)
  const added = (await world.call('tools/addServer', input('changed'))) as ToolServerView
  const serverId = added.id
  await appendFile(script, '// changed')
  const { steps, answer } = await ask({
    model: PRIVATE_MODEL,
    text: 'call changed__ends with {}',
    tools: [serverId],
  })
  expect(steps.map(({ state }) => state)).toEqual(['asked', 'running', 'unknown'])
  expect(answer.text).toContain('not known whether this call ran')
  const notStarted = { data: { code: 'tools/program-changed' } }
  await expect.poll(() => world.call('tools/startServer', { serverId })).toMatchObject(notStarted)
  const next = await ask({ model: PRIVATE_MODEL, text: 'call changed__echo with {}', tools: [serverId] })
  expect(next.answer).toMatchObject({ state: 'failed', errorCode: 'tools/program-changed' })
  confirms = false
  expect(await world.call('tools/acceptServer', { serverId })).toMatchObject({
    data: { code: 'confirm/refused' },
  })
  confirms = true
  const accepted = (await world.call('tools/acceptServer', { serverId })) as ToolServerView
  expect(accepted.state).toBe('running')
  expect(accepted.programDigest).not.toBe(added.programDigest)
  await writeFile(script, before)

  // A removed server is no longer used.
  expect(await world.call('tools/removeServer', { serverId })).toEqual({ removed: true })
  const removed = await ask({ model: PRIVATE_MODEL, text: 'call changed__echo with {}', tools: [serverId] })
  expect(removed.steps).toEqual([])
  expect(await world.call('tools/startServer', { serverId })).toMatchObject({
    data: { code: 'tools/server-unknown' },
  })
})
