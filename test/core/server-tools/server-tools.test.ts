import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formsOf } from '../../canary.ts'
import { anthropicMessages } from '../gateway/proxy/dialects/anthropic-client.ts'
import type { Access, Client } from '../gateway/proxy/dialects/client.ts'
import { openAiChat, openAiResponses } from '../gateway/proxy/dialects/openai-clients.ts'
import { BodyBudget } from '../../../src/shared/body-budget.ts'
import type { KeyLimitsText } from '../../../src/shared/key-limits.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { KeyWindow, windowOf } from './key-window.ts'

const CANARY = 'otter sleeps under Muehlenstrasse 7'
const clients: readonly (readonly [string, (access: Access) => Client])[] = [
  ['chat completions', openAiChat],
  ['responses', openAiResponses],
  ['messages', anthropicMessages],
]
const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const both =
  'call sotto_project_search with {"query":"otter"} and call sotto_web_search with {"query":"canary-query"}'

let world: World
let window: KeyWindow
let projectId = ''
let privateProjectId = ''
const questions: string[] = []
beforeAll(async () => {
  world = await startWorld({
    confirm: (text) => {
      questions.push(text)
      return true
    },
  })
  const api = windowOf(world)
  projectId = (await api.projects.create({ name: 'Work' })).id
  privateProjectId = (await api.projects.create({ name: 'Secret', privateOnly: true })).id
  for (const id of [projectId, privateProjectId])
    await api.knowledge.add({
      projectId: id,
      name: 'places.md',
      content: new Blob([`# Place\n\nThe ${CANARY}.\n`]),
    })
  window = await KeyWindow.open(world)
})
afterAll(async () => {
  await window[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
beforeEach(() => {
  window.decide = () => 'once'
  window.shown.length = 0
})

let keys = 0
async function newKey(limits: KeyLimitsText): Promise<{ secret: string; keyId: string }> {
  const created = await windowOf(world).localApi.create({ name: `Key ${String(++keys)}`, limits })
  return { secret: created.secret, keyId: created.key.id }
}
const bothTools = (): KeyLimitsText => ({ serverTools: { webSearch: true, knowledge: projectId } })

/** The receipts of a key, the oldest first. */
async function receiptsOf(keyId: string): Promise<Receipt[]> {
  const all = (await world.call('receipts/list', { limit: 200 })) as Receipt[]
  return all.filter(({ caller }) => caller.localKeyId === keyId).reverse()
}

describe.each(clients)('%s', (_, connect) => {
  describe.each([false, true])('stream %s', (stream) => {
    it('runs both server tools for a private model, and only the allowed query leaves unsealed', async () => {
      const { secret, keyId } = await newKey(bothTools())
      const before = world.outbound.length
      const { text, calls, usage, stop } = await connect({ baseUrl: world.baseUrl, key: secret }).ask({
        model: PRIVATE_MODEL,
        turns: [{ role: 'user', text: `canary-question: ${both}` }],
        stream,
      })
      expect([calls, stop]).toEqual([[], 'end'])
      expect(text).toContain('The tool returned this result')
      expect(window.shown.map(({ keyName, step }) => [keyName, step.tool?.name, step.arguments])).toEqual([
        [`Key ${String(keys)}`, 'project_search', '{"query":"otter"}'],
        [`Key ${String(keys)}`, 'web-search', '{"query":"canary-query"}'],
      ])
      const sent = Buffer.concat(world.outbound.slice(before))
      expect(formsOf('canary-query', sent)).not.toEqual([])
      for (const hidden of ['canary-question', CANARY, 'sotto_project_search'])
        expect(formsOf(hidden, sent)).toEqual([])
      const receipts = await receiptsOf(keyId)
      expect(receipts.map(({ privacy, outcome }) => [privacy, outcome])).toEqual([
        ['sealed', 'complete'],
        ['forwarded', 'complete'],
        ['sealed', 'complete'],
      ])
      // The sums of the requests to the model, without the search.
      const [first, , last] = receipts
      expect(usage).toEqual({
        input: (first?.usage?.prompt ?? 0) + (last?.usage?.prompt ?? 0),
        output: (first?.usage?.completion ?? 0) + (last?.usage?.completion ?? 0),
      })
      const digest: unknown = expect.stringMatching(/^[0-9a-f]{64}$/)
      expect(last?.tools).toEqual([
        {
          tool: 'project_search',
          sendsTo: 'project',
          outcome: 'result',
          argumentsDigest: digest,
          resultDigest: digest,
        },
        {
          tool: 'web-search',
          sendsTo: 'service',
          outcome: 'result',
          argumentsDigest: digest,
          resultDigest: digest,
        },
      ])
      expect(JSON.stringify(receipts)).not.toContain('canary')
    })

    it('hands the caller its own calls, and accepts their results', async () => {
      const { secret } = await newKey(bothTools())
      const client = connect({ baseUrl: world.baseUrl, key: secret })
      const question = { role: 'user', text: 'call get_weather with {"city":"Oslo"}' } as const
      const asked = await client.ask({ model: PLAINTEXT_MODEL, turns: [question], tools: [weather], stream })
      expect(asked).toMatchObject({
        stop: 'calls',
        calls: [{ name: 'get_weather', input: { city: 'Oslo' } }],
      })
      expect(window.shown).toEqual([])
      const answered = await client.ask({
        model: PLAINTEXT_MODEL,
        turns: [
          question,
          { role: 'assistant', text: asked.text, calls: asked.calls },
          { role: 'results', results: [{ id: asked.calls[0]?.id ?? '', text: 'minus four' }] },
        ],
        tools: [weather],
        stream,
      })
      expect(answered.text).toContain('minus four')
    })

    it('the first call of a turn decides whether the caller or Sotto runs its calls', async () => {
      const { secret } = await newKey(bothTools())
      const client = connect({ baseUrl: world.baseUrl, key: secret })
      const [ours, theirs] = [
        'call sotto_web_search with {"query":"fox"}',
        'call get_weather with {"city":"Oslo"}',
      ]
      const ask = (text: string) =>
        client.ask({ model: PLAINTEXT_MODEL, turns: [{ role: 'user', text }], tools: [weather], stream })
      const handed = await ask(`${theirs} and ${ours}`)
      expect(handed.calls.map(({ name }) => name)).toEqual(['get_weather'])
      expect(window.shown).toEqual([])
      const run = await ask(`${ours} and ${theirs}`)
      expect(run).toMatchObject({ calls: [], stop: 'end' })
      expect(window.shown).toHaveLength(1)
      // The model learns that the other call has not run.
      expect(run.text).toContain('This call has not run')
    })

    it('a refused call doesn’t run, and the model goes on', async () => {
      const { secret, keyId } = await newKey(bothTools())
      window.decide = () => 'refuse'
      const before = world.outbound.length
      const { text } = await connect({ baseUrl: world.baseUrl, key: secret }).ask({
        model: PRIVATE_MODEL,
        turns: [{ role: 'user', text: both }],
        stream,
      })
      expect(text).toContain('The user did not allow this call.')
      expect(formsOf('canary-query', Buffer.concat(world.outbound.slice(before)))).toEqual([])
      expect((await receiptsOf(keyId)).map(({ privacy, tools }) => [privacy, tools])).toEqual([
        ['sealed', undefined],
        ['sealed', undefined],
      ])
    })
  })
})

describe('a key', () => {
  const ask = async (secret: string, body: object) => {
    const response = await world.post(body, { authorization: `Bearer ${secret}` })
    return { status: response.status, text: await response.text() }
  }
  const search = [{ role: 'user', content: 'call sotto_project_search with {"query":"otter"}' }]

  it('can be allowed to read documents always, for private models and this key only', async () => {
    const [one, other] = [await newKey(bothTools()), await newKey(bothTools())]
    window.decide = ({ step }) => (step.tool?.mayAlways === true ? 'always' : 'once')
    for (let time = 0; time < 3; time++) await ask(one.secret, { model: PRIVATE_MODEL, messages: search })
    expect(window.shown).toHaveLength(1)
    await ask(other.secret, { model: PRIVATE_MODEL, messages: search })
    expect(window.shown).toHaveLength(2)
    await ask(one.secret, { model: PLAINTEXT_MODEL, messages: search })
    expect(window.shown.map(({ step }) => step.tool?.mayAlways)).toEqual([true, true, false])
    // Another project is another question.
    const second = await windowOf(world).projects.create({ name: 'Other' })
    await windowOf(world).localApi.update({
      keyId: one.keyId,
      limits: { serverTools: { knowledge: second.id } },
    })
    await ask(one.secret, { model: PRIVATE_MODEL, messages: search })
    expect(window.shown).toHaveLength(4)
  })

  it('with a private-only project is refused for other models, and can’t search the web', async () => {
    const { secret } = await newKey({ serverTools: { webSearch: true, knowledge: privateProjectId } })
    const before = world.outbound.length
    const refused = await ask(secret, { model: PLAINTEXT_MODEL, messages: search })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('project/private-only')])
    expect(world.outbound).toHaveLength(before)
    const { text } = await ask(secret, {
      model: PRIVATE_MODEL,
      messages: [{ role: 'user', content: both }],
    })
    expect(text).toContain(CANARY)
    expect(window.shown.map(({ step }) => step.tool?.name)).toEqual(['project_search'])
  })

  it.each([
    ['v1/chat/completions', { messages: search }],
    ['v1/responses', { input: 'found: otter' }],
    ['v1/messages', { messages: search, max_tokens: 10 }],
    ['v1/completions', { prompt: 'found: otter' }],
    ['v1/embeddings', { input: 'found: otter' }],
    ['v1/images/generations', { prompt: 'found: otter' }],
    ['v1/audio/speech', { input: 'found: otter', voice: 'alloy' }],
    ['api/chat', { messages: search }],
    ['api/generate', { prompt: 'found: otter' }],
    ['api/embed', { input: 'found: otter' }],
  ])('with a private-only project sends nothing to a public model by %s', async (path, body) => {
    const { secret } = await newKey({ serverTools: { knowledge: privateProjectId } })
    const before = world.outbound.length
    const response = await fetch(`${new URL(world.baseUrl).origin}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: PLAINTEXT_MODEL, ...body }),
    })
    expect(response.status).toBe(403)
    expect(await response.text()).toMatch(/private/)
    expect(formsOf('otter', Buffer.concat(world.outbound.slice(before)))).toEqual([])
  })

  it('sends no passage to a public model if its project became private-only while a question waited', async () => {
    const api = windowOf(world)
    const { id } = await api.projects.create({ name: 'Later secret' })
    await api.knowledge.add({ projectId: id, name: 'a.md', content: new Blob([`The ${CANARY}.\n`]) })
    const { secret } = await newKey({ serverTools: { knowledge: id } })
    const updated = Promise.withResolvers<unknown>()
    window.decide = () => {
      void api.projects.update({ projectId: id, privateOnly: true }).then(updated.resolve)
      return 'once'
    }
    const before = world.outbound.length
    const { status, text } = await ask(secret, { model: PLAINTEXT_MODEL, messages: search })
    await updated.promise
    expect([status, text]).toEqual([403, expect.stringContaining('project/private-only')])
    expect(formsOf(CANARY, Buffer.concat(world.outbound.slice(before)))).toEqual([])
  })

  it('tells the model that arguments are invalid instead of that the tool is missing', async () => {
    const { secret } = await newKey(bothTools())
    const { text } = await ask(secret, {
      model: PRIVATE_MODEL,
      messages: [{ role: 'user', content: 'call sotto_web_search with {"query":""}' }],
    })
    expect(text).toContain('The arguments of this call are not valid.')
  })

  it.each([
    [
      'a tool of the same name',
      { tools: [{ type: 'function', function: { name: 'sotto_web_search' } }] },
      'tools/name-reserved',
    ],
    ['two choices', { n: 2 }, 'dialect/unsupported'],
  ])('is refused a request with %s', async (_, more, code) => {
    const { secret } = await newKey(bothTools())
    const before = world.outbound.length
    const { status, text } = await ask(secret, { model: PRIVATE_MODEL, messages: search, ...more })
    expect([status, text]).toEqual([400, expect.stringContaining(code)])
    expect(world.outbound).toHaveLength(before)
  })

  it.each(['none', 'required'])('gets no server tools in a request with tool_choice %s', async (choice) => {
    const { secret } = await newKey(bothTools())
    const tools = [{ type: 'function', function: weather }]
    const { text } = await ask(secret, {
      model: PLAINTEXT_MODEL,
      messages: search,
      tools,
      tool_choice: choice,
    })
    expect(text).not.toContain('sotto_project_search"')
    expect(window.shown).toEqual([])
  })

  it('counts its body in the memory of all bodies until a streamed answer ends', async () => {
    const bodies = new BodyBudget()
    await using other = await startWorld({ bodies, confirm: () => true })
    await using asked = await KeyWindow.open(other)
    asked.decide = () => undefined
    const { secret } = await windowOf(other).localApi.create({
      name: 'Key',
      limits: { serverTools: { webSearch: true } },
    })
    const content = 'call sotto_web_search with {"query":"fox"}'
    const body = JSON.stringify({
      model: PLAINTEXT_MODEL,
      messages: [{ role: 'user', content }],
      stream: true,
    })
    const left = new AbortController()
    const post = (signal: AbortSignal | null = null) =>
      fetch(`${other.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body,
        signal,
      })
    const answering = post().then((response) => response.text())
    await expect.poll(() => asked.shown.length).toBe(1)
    await expect.poll(() => bodies.heldBytes).toBe(Buffer.byteLength(body))
    await other.call('tools/decide', { callId: asked.shown[0]?.step.id, decision: 'once' })
    expect(await answering).toContain('[DONE]')
    await expect.poll(() => bodies.heldBytes).toBe(0)
    const leaving = post(left.signal).then((response) => response.text())
    await expect.poll(() => asked.shown.length).toBe(2)
    left.abort()
    await expect(leaving).rejects.toThrow()
    await expect.poll(() => bodies.heldBytes).toBe(0)
  })

  it('names the found pages as citations', async () => {
    const { secret } = await newKey({ serverTools: { webSearch: true } })
    const messages = [{ role: 'user', content: 'call sotto_web_search with {"query":"fox"}' }]
    const { text } = await ask(secret, { model: PRIVATE_MODEL, messages })
    expect(JSON.parse(text)).toMatchObject({
      choices: [
        {
          message: {
            annotations: expect.arrayContaining([
              expect.objectContaining({
                type: 'url_citation',
                url_citation: expect.objectContaining({
                  url: expect.stringMatching(/^https:/) as unknown,
                }) as unknown,
              }),
            ]) as unknown,
          },
        },
      ],
    })
  })

  it('needs a confirmation for each added tool, and a project that exists', async () => {
    const api = windowOf(world)
    await expect(newKey({ serverTools: { knowledge: 'unknown' } })).rejects.toMatchObject({
      data: { code: 'project/unknown' },
    })
    const { keyId } = await newKey({})
    questions.length = 0
    await api.localApi.update({ keyId, limits: bothTools() })
    expect(questions).toEqual([
      expect.stringMatching(/search the web.*read the documents of the project “Work”/),
    ])
    await api.localApi.update({ keyId, limits: {} })
    expect(questions).toHaveLength(1)
  })
})
