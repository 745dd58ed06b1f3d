import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mayBeIssuerOf } from '../../../src/core/tools/remote/sign-in.ts'
import { parseServerAddress } from '../../../src/core/tools/remote/web-fetch.ts'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { ToolServerView } from '../../../src/shared/contract/tools.ts'
import type { ToolStep } from '../../../src/shared/tool-call.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'
import { createProject } from '../projects/begin-chat.ts'
import { startMockOAuth, type Faults, type MockOAuth } from './mock-oauth.ts'

let world: World
let mock: MockOAuth
let server: ToolServerView
const questions: string[] = []
let confirms: (text: string) => boolean = () => true
beforeAll(async () => {
  mock = await startMockOAuth()
  world = await startWorld({
    confirm: (text) => {
      questions.push(text)
      return confirms(text)
    },
  })
  server = (await world.call('tools/addServer', {
    name: 'remote',
    address: mock.address,
  })) as ToolServerView
})
beforeEach(() => {
  mock.faults = {}
  confirms = () => true
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await mock[Symbol.asyncDispose]()
})

type SignInEvent = { type: 'open'; address: string } | { type: 'ended'; server: ToolServerView }

/** Reads the events of a call in their order. */
async function readEvents<E extends { readonly type: string }>(
  path: string,
  input: object,
  onEvent: (event: E) => unknown,
): Promise<{ events: E[]; text: string }> {
  const response = await world.core.api(
    new Request(`http://sotto.invalid/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
    windowCaller,
  )
  const events: E[] = []
  let text = ''
  let seen = 0
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    // The last line may not be complete.
    const data = [...text.slice(0, text.lastIndexOf('\n') + 1).matchAll(/^data: (.+)$/gm)]
    for (const [, each = ''] of data.slice(seen)) {
      seen += 1
      const event = (JSON.parse(each) as { json?: E | { readonly type?: undefined } }).json
      // A failure has no type.
      if (event?.type === undefined) continue
      events.push(event)
      await onEvent(event)
    }
  }
  return { events, text }
}

/** Signs in, as a browser that follows the page of the sign-in. */
async function signIn(browse = follow): Promise<{ events: SignInEvent[]; code: string | undefined }> {
  const { events, text } = await readEvents<SignInEvent>('tools/signIn', { serverId: server.id }, (event) =>
    event.type === 'open' ? browse(event.address) : undefined,
  )
  const code = /"code":"((?:tools|confirm)\/[\w-]+)"/.exec(text)?.[1]
  return { events, code }
}

async function follow(address: string): Promise<Response> {
  const { headers } = await fetch(address, { redirect: 'manual' })
  return fetch(headers.get('location') ?? '')
}

describe('an address', () => {
  it.each([
    'https://tools.example/mcp',
    'http://localhost:3000/mcp',
    'http://127.0.0.1:1',
    'http://[::1]:1/',
  ])('%s is accepted', (address) => expect(parseServerAddress(address).href).toContain(address))
  it.each([
    'http://tools.example/mcp',
    'http://127.0.0.1.example/',
    'http://tools.localhost/mcp',
    'http://localhost./mcp',
    'https://user:word@tools.example/',
    'https://tools.example/#part',
    'file:///etc/passwd',
    'tools.example',
  ])('%s is refused before the question', async (address) => {
    const before = questions.length
    expect(await world.call('tools/addServer', { name: 'other', address })).toMatchObject({
      data: { code: 'tools/address-refused' },
    })
    expect(questions).toHaveLength(before)
  })
})

it('is added only with a confirmation that shows its host, and asks for the sign-in', async () => {
  expect(questions[0]).toContain(new URL(mock.address).host)
  expect(server).toMatchObject({
    state: 'failed',
    failure: 'tools/sign-in-required',
    address: mock.address,
  })
  expect(await world.call('diagnostics/contacts')).toContainEqual({
    host: new URL(mock.address).host,
    use: 'tool-server',
    loopback: true,
  })
  confirms = () => false
  const before = mock.requests.length
  expect(await world.call('tools/addServer', { name: 'other', address: mock.address })).toMatchObject({
    data: { code: 'confirm/refused' },
  })
  expect(mock.requests).toHaveLength(before)
})

it.each([
  ['https://login.example', true],
  ['http://login.example', false],
  ['https://user@login.example', false],
  ['https://localhost', false],
  ['https://localhost.', false],
  ['https://service.localhost', false],
  ['https://127.1', false],
  ['https://[::1]', false],
  ['https://[::ffff:127.0.0.1]', false],
])('whether a server elsewhere may name %s as its authorization server: %s', (issuer, may) => {
  expect(mayBeIssuerOf(new URL('https://tools.example/mcp'), new URL(issuer))).toBe(may)
})

it('a server on this computer may name one on this computer', () => {
  expect(mayBeIssuerOf(new URL('http://127.0.0.1:1/mcp'), new URL('http://localhost:2'))).toBe(true)
})

const refusals: readonly (readonly [string, () => Faults, string])[] = [
  ['another state', () => ({ redirect: { state: 'x'.repeat(43) } }), 'tools/sign-in-refused'],
  [
    'another issuer in the redirect',
    () => ({ redirect: { iss: 'https://evil.example' } }),
    'tools/sign-in-refused',
  ],
  [
    'another issuer in the metadata',
    () => ({ metadata: { issuer: 'https://evil.example' } }),
    'tools/sign-in-refused',
  ],
  [
    'a token endpoint elsewhere',
    () => ({ metadata: { token_endpoint: 'https://evil.example/token' } }),
    'tools/sign-in-refused',
  ],
  [
    'a page elsewhere',
    () => ({ metadata: { authorization_endpoint: 'https://evil.example/a' } }),
    'tools/sign-in-refused',
  ],
  [
    'the metadata of another resource',
    () => ({ resource: { resource: 'https://evil.example/mcp' } }),
    'tools/sign-in-refused',
  ],
  [
    'an authorization server without TLS',
    () => ({ resource: { authorization_servers: ['http://evil.example'] } }),
    'tools/sign-in-refused',
  ],
  [
    'no PKCE',
    () => ({ metadata: { code_challenge_methods_supported: ['plain'] } }),
    'tools/sign-in-unsupported',
  ],
  [
    'no registration',
    () => ({ metadata: { registration_endpoint: undefined } }),
    'tools/sign-in-unsupported',
  ],
  [
    'no authorization server',
    () => ({ resource: { authorization_servers: [] } }),
    'tools/sign-in-unsupported',
  ],
  ['a token of another type', () => ({ tokenType: 'mac' }), 'tools/sign-in-unsupported'],
  ['a server that redirects', () => ({ movedTo: 'https://evil.example/mcp' }), 'tools/sign-in-refused'],
]
it.each(refusals)('a sign-in with %s is refused, and no token is saved', async (_, faults, code) => {
  mock.faults = faults()
  expect(await signIn()).toMatchObject({ code })
  expect(await world.vault.get(`tool-server/${server.id}`)).toBeNull()
})

it('a sign-in whose host the person refuses opens no page and contacts no such host', async () => {
  confirms = () => false
  const issuer = new URL(mock.issuer).host
  const before = mock.requests.filter(({ host }) => host === issuer).length
  expect(await signIn()).toEqual({ events: [], code: 'confirm/refused' })
  expect(questions.at(-1)).toContain(issuer)
  expect(mock.requests.filter(({ host }) => host === issuer)).toHaveLength(before)
})

it('other requests to the waiting address are ignored, and show nothing', async () => {
  const { events } = await signIn(async (address) => {
    const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '')
    expect(back.hostname).toBe('127.0.0.1')
    const other = await fetch(new URL('/other?state=x', back))
    expect([other.status, await other.text()]).toEqual([404, 'Not found.\n'])
    const posted = await fetch(back, { method: 'POST' })
    expect(posted.status).toBe(404)
    return follow(address)
  })
  expect(events.map(({ type }) => type)).toEqual(['open', 'ended'])
})

it('the tokens are only in the vault and in requests to the server, and an expired one is renewed', async () => {
  expect((await world.call('tools/servers')) as ToolServerView[]).toMatchObject([
    { state: 'running', tools: [{ name: 'echo' }] },
  ])
  expect(JSON.stringify(await world.call('tools/servers'))).not.toContain('canary')
  expect(Buffer.from((await world.vault.get(`tool-server/${server.id}`)) ?? []).toString()).toContain(
    'canary-refresh',
  )
  for (const { host, path, authorization } of mock.requests) {
    expect(path).not.toContain('canary')
    if (authorization !== undefined) expect(host).toBe(new URL(mock.address).host)
  }
  // The server no longer accepts the token.
  mock.accepted.clear()
  await world.call('tools/acceptServer', { serverId: server.id })
  expect(await world.call('tools/startServer', { serverId: server.id })).toMatchObject({ state: 'running' })
  expect(mock.accepted.size).toBe(1)
})

it.each([
  ['redirects', { movedTo: 'https://evil.example/mcp' }, 'tools/redirect-refused'],
  ['answers more than 8 MiB', { padding: 9_000_000 }, 'tools/server-unreachable'],
] as const)('a server that %s isn’t used', async (_, faults, code) => {
  mock.faults = faults
  expect(await world.call('tools/acceptServer', { serverId: server.id })).toMatchObject({
    state: 'failed',
    failure: code,
  })
})

it('the tokens of a removed server are deleted', async () => {
  expect(await world.call('tools/removeServer', { serverId: server.id })).toEqual({ removed: true })
  expect(await world.vault.get(`tool-server/${server.id}`)).toBeNull()
})

describe('the published server', () => {
  let child: ReturnType<typeof spawn>
  let address = ''
  beforeAll(async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const bound = free.address()
    const port = bound !== null && typeof bound === 'object' ? String(bound.port) : ''
    free.close()
    await once(free, 'close')
    const program = fileURLToPath(
      import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
    )
    child = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { PATH: process.env['PATH'], PORT: port },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    for await (const chunk of child.stderr ?? []) if ((printed += String(chunk)).includes('listening')) break
    address = `http://127.0.0.1:${port}/mcp`
  }, 30_000)
  afterAll(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it('is listed and called over streamable HTTP', async () => {
    const added = (await world.call('tools/addServer', { name: 'everything', address })) as ToolServerView
    expect(added).toMatchObject({ state: 'running', network: true, networkOff: false })
    expect(added.tools.map(({ name }) => name)).toContain('echo')
    const steps: ToolStep[] = []
    const ask = (begin: object) =>
      readEvents<ChatEvent>(
        'chat/send',
        {
          model: PRIVATE_MODEL,
          text: 'call everything__echo with {"message":"hello"}',
          tools: [added.id],
          begin,
        },
        async (event) => {
          if (event.type !== 'step') return
          steps.push(event.step)
          if (event.step.state === 'asked')
            await world.call('tools/decide', { callId: event.step.id, decision: 'once' })
        },
      )
    await ask({})
    expect(steps.map(({ state }) => state)).toEqual(['asked', 'running', 'done'])
    expect(steps[0]?.tool).toMatchObject({ sendsTo: 'host', host: new URL(address).host, mayAlways: false })
    expect(steps[2]?.result).toContain('hello')
    // A private-only project doesn't offer it, although its address is of this computer: decision 0048.
    const { id } = await createProject(world, { privateOnly: true })
    await ask({ projectId: id })
    expect(new URL(address).hostname).toBe('127.0.0.1')
    expect(steps.slice(3).filter(({ tool }) => tool !== undefined)).toEqual([])
  })
})
