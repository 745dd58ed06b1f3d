import { randomBytes } from 'node:crypto'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BodyBudget } from '../../../../src/shared/body-budget.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const MIB = 1024 * 1024
const codings = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  'x-gzip': (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const
const names = Object.keys(codings) as (keyof typeof codings)[]

const bodies = new BodyBudget({ bytes: 64 * MIB })
let world: World
beforeAll(async () => {
  world = await startWorld({ bodies })
  await world.call('models/list')
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

interface Sent {
  readonly path?: string
  readonly type?: string
  readonly key?: string
}
function send(
  coding: string,
  body: Buffer,
  { path = '/chat/completions', type = 'application/json', key = world.key }: Sent = {},
): Promise<Response> {
  return fetch(`${world.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type, 'content-encoding': coding },
    body: new Uint8Array(body),
  })
}
async function refused(response: Response, status: number, code: string): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  expect([response.status, error.code]).toEqual([status, code])
  expect(chatRequests(world.sandbox)).toEqual([])
  await expect.poll(() => bodies.heldBytes).toBe(0)
  return error.message
}
const chat = (model: string, content: string): Buffer =>
  Buffer.from(JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content }] }))

describe.each(names)('a body in %s', (coding) => {
  const encode = codings[coding]
  it.each([
    [PRIVATE_MODEL, 'sealed'],
    [PLAINTEXT_MODEL, 'forwarded'],
  ])('is read as if it were not: %s', async (model, privacy) => {
    const response = await send(coding, encode(chat(model, 'About otters')))
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, privacy])
    await response.text()
    expect(chatRequests(world.sandbox)).toHaveLength(1)
  })
  it('is read on every path that takes one', async () => {
    expect(
      (
        await send(
          coding,
          encode(Buffer.from(JSON.stringify({ model: PLAINTEXT_MODEL, max_output_tokens: 5, input: 'x' }))),
          { path: '/responses' },
        )
      ).status,
    ).toBe(200)
    expect((await send(coding, encode(chat(PLAINTEXT_MODEL, 'x')), { path: '/messages' })).status).toBe(200)
    expect(
      (
        await send(
          coding,
          encode(Buffer.from(JSON.stringify({ model: 'sandbox/eco-embedding-small', input: 'x' }))),
          { path: '/embeddings' },
        )
      ).status,
    ).toBe(200)
    const form =
      '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nsandbox/orecchio-3\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\nthe sound of an otter\r\n--b--\r\n'
    expect(
      (
        await send(coding, encode(Buffer.from(form)), {
          path: '/audio/transcriptions',
          type: 'multipart/form-data; boundary=b',
        })
      ).status,
    ).toBe(200)
  })
  it('may be large, and expand a lot', async () => {
    const content = `${randomBytes(MIB).toString('base64')}${' otter'.repeat(200_000)}`
    await refused(await send(coding, encode(chat('none', content))), 404, 'model/unknown')
    await refused(await send(coding, encode(chat('none', ' '.repeat(60_000)))), 404, 'model/unknown')
  })
  it('is refused if it expands more than a hundred times', async () => {
    expect(
      await refused(await send(coding, encode(Buffer.alloc(32 * MIB, 0x20))), 413, 'proxy/body-too-large'),
    ).toContain('100 times')
    await refused(
      await send(coding, encode(Buffer.alloc(MIB, 0x20)), {
        path: '/audio/transcriptions',
        type: 'multipart/form-data; boundary=b',
      }),
      413,
      'proxy/body-too-large',
    )
  })
  it('is refused if it is more than 64 MiB, whatever it was', async () => {
    const line = randomBytes(1500).toString('base64')
    await refused(
      await send(
        coding,
        encode(
          Buffer.from(
            Array.from(
              { length: 34_000 },
              (_, at) => `${line}${at.toString(36)}${Math.imul(at, 2_654_435_761).toString(36)}`,
            ).join(''),
          ),
        ),
      ),
      413,
      'proxy/body-too-large',
    )
  })
  it.each([
    ['the last byte', 1],
    ['half', 0.5],
    ['all but three bytes', -3],
  ])('is refused without %s', async (_what, cut) => {
    const whole = encode(chat(PLAINTEXT_MODEL, randomBytes(3000).toString('base64')))
    const left = cut === 1 ? whole.length - 1 : cut < 0 ? -cut : Math.floor(whole.length * cut)
    await refused(await send(coding, whole.subarray(0, left)), 415, 'proxy/content-encoding')
  })
  it('is refused if more follows it, or if it is something else', async () => {
    const whole = encode(chat(PLAINTEXT_MODEL, 'x'))
    await refused(
      await send(coding, Buffer.concat([whole, Buffer.from('{"model":"private/x"}')])),
      415,
      'proxy/content-encoding',
    )
    await refused(await send(coding, chat(PLAINTEXT_MODEL, 'x')), 415, 'proxy/content-encoding')
    await refused(await send(coding, randomBytes(5000)), 415, 'proxy/content-encoding')
    const other = coding === 'gzip' || coding === 'x-gzip' ? codings.br : codings.gzip
    await refused(await send(coding, other(chat(PLAINTEXT_MODEL, 'x'))), 415, 'proxy/content-encoding')
  })
  it('of no bytes is cut off', async () => {
    await refused(await send(coding, Buffer.alloc(0)), 415, 'proxy/content-encoding')
  })
})

it('raw deflate is not deflate', async () => {
  await refused(
    await send('deflate', deflateRawSync(chat(PLAINTEXT_MODEL, 'x'))),
    415,
    'proxy/content-encoding',
  )
})

it('decoded bytes count in the budget of all bodies', async () => {
  using others = bodies.begin(undefined, 64 * MIB)
  others.add(62 * MIB)
  const response = await send(
    'gzip',
    gzipSync(chat(PLAINTEXT_MODEL, `${randomBytes(600_000).toString('base64')}${'otter '.repeat(500_000)}`)),
  )
  expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
    503,
    'proxy/busy',
  ])
  await expect.poll(() => bodies.heldBytes).toBe(62 * MIB)
})

it('a byte order mark is dropped, and nothing else', async () => {
  const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), chat(PLAINTEXT_MODEL, 'x')])
  expect((await send('identity', body)).status).toBe(200)
  expect((await send('gzip', gzipSync(body))).status).toBe(200)
  world.sandbox.clearReceived()
  await refused(
    await send('identity', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
    400,
    'proxy/malformed-json',
  )
})

it('a connection survives the refusal of a request, and the next one is answered', async () => {
  for (let at = 0; at < 3; at++) {
    await refused(await send('br', Buffer.alloc(3 * MIB, 7)), 415, 'proxy/content-encoding')
    const response = await send('gzip', gzipSync(chat('none', 'x')))
    await refused(response, 404, 'model/unknown')
  }
})
