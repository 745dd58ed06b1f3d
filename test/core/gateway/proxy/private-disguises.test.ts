import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RawCaller } from '../../../raw-caller.ts'
import { startWorld, chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, type World } from '../../../world.ts'

/**
 * A request that names a private model in any way never leaves unsealed. The test records all outbound bytes and
 * searches them for the prompt.
 */
let world: World
beforeAll(async () => {
  world = await startWorld()
  // The listing and the verdict are loaded first, so that only the request itself decides.
  for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
    expect((await world.post({ model, messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
})
afterAll(() => world[Symbol.asyncDispose]())

const FULL_WIDTH = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))
const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Spellings of a name that a reader between this proxy and a model could treat as the name. */
const disguises: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replace('private', 'Private'),
  FULL_WIDTH,
  (name) => name.replace('/', '／'),
  (name) => name.replace('/', '⁄'),
  (name) => name.replace('/', '\\'),
  (name) => name.replace('/', ' / '),
  (name) => name.replace('/', '//'),
  (name) => name.replace('/', '%2f'),
  (name) => name.replace('/', '%252F'),
  percent,
  (name) => percent(percent(name)),
  (name) => ` ${name}`,
  (name) => `\t\n${name}\r\n`,
  (name) => `\u0000${name}`,
  (name) => `\uFEFF${name}`,
  (name) => `\u200B${name}`,
  (name) => name.replace('i', '\u200Di'),
  (name) => name.replace('v', 'v\u00AD'),
  (name) => name.replace('private', 'ｐrivate'),
  (name) => name.replace('a', 'a\u0301'),
  (name) => `/${name}`,
  (name) => `./${name}`,
  (name) => `${name}:free`,
  (name) => `${name}\u0000`,
  (name) => `\u202E${name}`,
  (name) => name.replace('private', '𝓹𝓻𝓲𝓿𝓪𝓽𝓮'),
]

/** JSON of a text in which any character may be written as an escape. A JSON parser reads the same text. */
function escaped(text: string, which: boolean[]): string {
  const spelt = Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index)
    return which[index % which.length] === true || unit < 0x20
      ? `\\u${unit.toString(16).padStart(4, '0')}`
      : JSON.stringify(text[index]).slice(1, -1)
  })
  return `"${spelt.join('')}"`
}

interface Attempt {
  readonly body: string | Uint8Array
  readonly path?: string
  readonly headers?: Record<string, string>
}

const chatBody = (secret: string, members: string): string =>
  `{"messages":[{"role":"user","content":"${secret}"}],${members}}`
const jsonPaths: readonly { path: string; body: (secret: string, members: string) => string }[] = [
  ...['/v1/chat/completions', '/chat/completions'].map((path) => ({ path, body: chatBody })),
  { path: '/v1/responses', body: (secret, members) => `{"input":"${secret}",${members}}` },
  {
    path: '/v1/messages',
    body: (secret, members) =>
      `{"max_tokens":10,"messages":[{"role":"user","content":"${secret}"}],${members}}`,
  },
  { path: '/v1/embeddings', body: (secret, members) => `{"input":"${secret}",${members}}` },
  { path: '/v1/images/generations', body: (secret, members) => `{"prompt":"${secret}",${members}}` },
  { path: '/v1/audio/speech', body: (secret, members) => `{"input":"${secret}",${members}}` },
  { path: '/v1/videos', body: (secret, members) => `{"prompt":"${secret}",${members}}` },
  { path: '/v1/data/api/websearch/search', body: (secret, members) => `{"query":"${secret}",${members}}` },
  { path: '/v1/completions', body: (secret, members) => `{"prompt":"${secret}",${members}}` },
  { path: '/api/chat', body: chatBody },
  { path: '/api/generate', body: (secret, members) => `{"prompt":"${secret}",${members}}` },
  { path: '/api/embed', body: (secret, members) => `{"input":"${secret}",${members}}` },
  { path: '/private/v1/chat/completions', body: chatBody },
]
/** Places in a body that may name a model, in addition to the requested model or in place of it. */
const members: ((name: string) => string)[] = [
  (name) => `"model":${name}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","model":${name}`,
  (name) => `"model":${name},"model":"${PLAINTEXT_MODEL}"`,
  (name) => `"model":"${PLAINTEXT_MODEL}","mod\\u0065l":${name}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","Model":${name}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","model ":${name}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","ｍodel":${name}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","model\\u200b":${name}`,
  (name) => `"model":[${name}]`,
  (name) => `"model":{"id":${name}}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","models":[${name}]`,
  (name) => `"model":"${PLAINTEXT_MODEL}","models":["${PLAINTEXT_MODEL}",${name}]`,
  (name) => `"model":"${PLAINTEXT_MODEL}","fallbacks":[{"model":${name}}]`,
  (name) => `"model":"${PLAINTEXT_MODEL}","extra_body":{"model":${name}}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","route":{"fallback_models":[[${name}]]}`,
  (name) => `"model":"${PLAINTEXT_MODEL}","__proto__":{"model":${name}}`,
]

const name = fc
  .record({
    disguise: fc.constantFrom(...disguises),
    id: fc.constantFrom(PRIVATE_MODEL, 'private/none', 'private/x'),
  })
  .map(({ disguise, id }) => disguise(id))
const spelling = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })

const inJson = fc
  .record({ name, spelling, path: fc.constantFrom(...jsonPaths), member: fc.constantFrom(...members) })
  .map(({ name, spelling, path, member }) => (secret: string): Attempt => ({
    path: path.path,
    body: path.body(secret, member(escaped(name, spelling))),
  }))

const inQuery = fc
  .record({
    name,
    path: fc.constantFrom(...jsonPaths),
    parameter: fc.constantFrom(
      'model',
      'MODEL',
      'model[]',
      'models',
      'm%6fdel',
      'model%20',
      'x',
      'model=a&model',
    ),
  })
  .map(({ name, path, parameter }) => (secret: string): Attempt => ({
    path: `${path.path}?${parameter}=${encodeURIComponent(name)}`,
    body: path.body(secret, `"model":"${PLAINTEXT_MODEL}"`),
  }))

const inForm = fc
  .record({
    name,
    path: fc.constantFrom('/v1/audio/transcriptions', '/v1/images/edits', '/v1/videos'),
    field: fc.constantFrom('model', 'Model', 'model[]', 'models', 'mod%65l', ' model'),
    twice: fc.boolean(),
    last: fc.boolean(),
  })
  .map(({ name, path, field, twice, last }) => (secret: string): Attempt => {
    const part = (of: string, value: string, more = ''): string =>
      `--b0\r\nContent-Disposition: form-data; name="${of}"${more}\r\n\r\n${value}\r\n`
    // The service would refuse a video's file because of its type.
    const file = path.endsWith('videos')
      ? ''
      : part(path.endsWith('edits') ? 'image' : 'file', secret, '; filename="a.wav"')
    const model = part(field, name)
    const parts = [
      part('prompt', secret),
      ...(last ? [file, model] : [model, file]),
      ...(twice ? [part('model', 'sandbox/scribe')] : []),
    ]
    return {
      path,
      headers: { 'content-type': 'multipart/form-data; boundary=b0' },
      body: `${parts.join('')}--b0--\r\n`,
    }
  })

const asForm = fc
  .record({
    name,
    type: fc.constantFrom(
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=b0',
    ),
  })
  .map(({ name, type }) => (secret: string): Attempt => ({
    headers: { 'content-type': type },
    body: type.startsWith('multipart')
      ? `--b0\r\nContent-Disposition: form-data; name="model"\r\n\r\n${name}\r\n--b0\r\nContent-Disposition: form-data; name="messages"\r\n\r\n${secret}\r\n--b0--\r\n`
      : `model=${encodeURIComponent(name)}&messages=${secret}`,
  }))

const inHeader = fc
  .record({
    name: fc.constantFrom(PRIVATE_MODEL, 'private/x', 'PRIVATE/x', 'private%2fx'),
    path: fc.constantFrom(...jsonPaths),
    header: fc.constantFrom('x-private-model', 'x-model'),
  })
  .map(({ name, path, header }) => (secret: string): Attempt => ({
    path: path.path,
    headers: { [header]: name },
    body: path.body(secret, `"model":"${PLAINTEXT_MODEL}"`),
  }))

/** Also sends paths and headers that fetch would refuse or change. */
async function send({ body, path = '/v1/chat/completions', headers = {} }: Attempt): Promise<number> {
  const { port } = new URL(world.baseUrl)
  const caller = await RawCaller.to(Number(port))
  const fields = Object.entries({
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${world.key}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  })
  caller.write(
    `POST ${path} HTTP/1.1\r\n${fields.map(([field, value]) => `${field}: ${value}\r\n`).join('')}\r\n`,
  )
  caller.write(body)
  await expect.poll(() => caller.closed, { interval: 5 }).toBe(true)
  return caller.answers()[0]?.status ?? 0
}

async function neverInTheOpen(
  attempt: (secret: string) => Attempt,
): Promise<{ status: number; sealed: boolean }> {
  const secret = `the-otter-${randomUUID()}`
  world.outbound.length = 0
  world.sandbox.clearReceived()
  const attempted = attempt(secret)
  const status = await send(attempted)
  const left = Buffer.concat(world.outbound)
  expect(left.includes(secret), JSON.stringify(attempted)).toBe(false)
  const asked = chatRequests(world.sandbox)
  expect(
    asked.every(({ sealed }) => sealed),
    JSON.stringify(attempted),
  ).toBe(true)
  return { status, sealed: asked.length > 0 }
}

it('the recording finds the secret of a request that is sent in plaintext', async () => {
  const secret = `the-otter-${randomUUID()}`
  world.outbound.length = 0
  expect(await send({ body: chatBody(secret, `"model":"${PLAINTEXT_MODEL}"`) })).toBe(200)
  expect(Buffer.concat(world.outbound).includes(secret)).toBe(true)
})

describe('a request that names a private model is never sent unsealed', () => {
  it('if the body names it, in any spelling, member and path', async () => {
    await fc.assert(
      fc.asyncProperty(inJson, async (attempt) => {
        await neverInTheOpen(attempt)
      }),
      { numRuns: 250 },
    )
  })

  it('if the model of a chat has any disguise; only the exact name is sealed', async () => {
    for (const disguise of disguises) {
      for (const which of [[false], [true], [true, false]]) {
        const spelt = disguise(PRIVATE_MODEL)
        const { status, sealed } = await neverInTheOpen((secret) => ({
          body: chatBody(secret, `"model":${escaped(spelt, which)}`),
        }))
        expect([spelt, status, sealed]).toEqual([
          spelt,
          ...(spelt === PRIVATE_MODEL ? [200, true] : [404, false]),
        ])
      }
    }
  })

  it('if any other member of a chat names it', async () => {
    for (const member of members.slice(1)) {
      for (const path of jsonPaths) {
        const { status } = await neverInTheOpen((secret) => ({
          path: path.path,
          body: path.body(secret, member(JSON.stringify(PRIVATE_MODEL))),
        }))
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }
    }
  })

  it.each([
    ['in the address', inQuery],
    ['in a form', inForm],
    ['in a form that is no request of this path', asForm],
    ['in a header', inHeader],
  ])('if the name is %s', async (_where, attempts) => {
    await fc.assert(
      fc.asyncProperty(attempts, async (attempt) => {
        const { status } = await neverInTheOpen(attempt)
        expect(status, attempt('').body.toString()).toBeGreaterThanOrEqual(400)
      }),
      { numRuns: 100 },
    )
  })
})

it('text in messages and tools is not a model name', async () => {
  const response = await world.post({
    model: PLAINTEXT_MODEL,
    messages: [
      { role: 'user', content: `Is ${PRIVATE_MODEL} a model?` },
      { role: 'user', content: [{ type: 'text', text: PRIVATE_MODEL }] },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'choose',
          parameters: { type: 'object', properties: { model: { type: 'string', enum: [PRIVATE_MODEL] } } },
        },
      },
    ],
    metadata: { model: 'private/notes' },
    user: 'private/someone',
  })
  expect(response.status).toBe(200)
})
