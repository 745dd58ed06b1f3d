import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataEndpointsOf } from '../../../../src/core/gateway/service/inference/data-endpoints.ts'
import type { Fetch, FetchResponse } from '../../../../src/shared/fetch.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { RawCaller } from '../../../raw-caller.ts'
import { startWorld, type World } from '../../../world.ts'

const EMBEDDING = 'sandbox/eco-embedding-small'
const IMAGE = 'sandbox/bozzetto-image'
const ONE_DOLLAR = '1000000000000'

/** An answer that the test sends in place of the sandbox's. */
type Instead = (
  url: string,
  signal: AbortSignal | undefined,
) => FetchResponse | Promise<FetchResponse> | undefined

let world: World
let instead: Instead | null = null
beforeAll(async () => {
  const between =
    (fetch: Fetch): Fetch =>
    async (url, init) =>
      (await instead?.(url, init.signal)) ?? fetch(url, init)
  world = await startWorld({ fetch: between })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  instead = null
  world.sandbox.clearReceived()
})

const root = (of = world): string => of.baseUrl.replace('/v1', '')
const asked = (path: string): number =>
  world.sandbox.received().filter((request) => request.path === path).length
const codeOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
]

function get(path: string, key = world.key, of = world): Promise<Response> {
  return fetch(`${root(of)}${path}`, { headers: { authorization: `Bearer ${key}` } })
}

function form(
  path: string,
  entries: readonly (readonly [string, string | File])[],
  key = world.key,
  of = world,
): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of entries) body.append(name, value)
  return fetch(`${root(of)}${path}`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
}
const wave = (size = 2000): File =>
  new File([Buffer.alloc(size, 'the sound of an otter ')], 'otter.wav', { type: 'audio/wav' })

async function receiptOf(response: Response, of = world): Promise<Receipt> {
  const receiptId = response.headers.get('x-sotto-receipt')
  await expect.poll(() => of.call('receipts/get', { receiptId })).toHaveProperty('outcome')
  return (await of.call('receipts/get', { receiptId })) as Receipt
}

let createdCount = 0
async function keyWith(limits: object, of = world): Promise<string> {
  createdCount += 1
  const { secret } = (await of.call('localApi/create', { name: `Tool ${String(createdCount)}`, limits })) as {
    secret: string
  }
  return secret
}

function answering(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
  status = 200,
): FetchResponse {
  const all: Record<string, string> = { 'content-type': contentType, ...headers }
  return { status, headers: { get: (name) => all[name] ?? null }, body }
}

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

describe('data endpoints', () => {
  it('return the service’s response byte for byte, at the listed price', async () => {
    const listed = await get('/v1/data/endpoints')
    expect(await listed.text()).toBe(
      await (await fetch(`${world.sandbox.profile.baseUrl}/v1/data/endpoints`)).text(),
    )
    for (const { path, method } of dataEndpointsOf('B')) {
      const response = await (method === 'GET'
        ? get(`/v1/data${path}?placeId=x`)
        : world.post({ query: 'otters', q: 'otters' }, {}, `/v1/data${path}`))
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      await response.text()
      const receipt = await receiptOf(response)
      const debited = world.sandbox.ledger().at(-1)?.picoUsd.toString()
      expect(receipt).toMatchObject({
        path: `/v1/data${path}`,
        model: `data${path}`,
        privacy: 'forwarded',
        outcome: 'complete',
        cost: debited,
        estimate: { least: debited, most: debited },
      })
    }
  }, 60_000)

  it('work without the prefix, and unlisted ones are refused', async () => {
    expect((await world.post({ query: 'x' }, {}, '/data/api/websearch/search')).status).toBe(200)
    world.outbound.length = 0
    for (const path of [
      '/v1/data/api/websearch/none',
      '/v1/data/api/../keys',
      '/v1/data/x/tweets/search',
      '/v1/data/private/v1/chat/completions',
    ]) {
      expect(await codeOf(await world.post({ query: 'x' }, {}, path))).toEqual([404, 'proxy/path-unknown'])
    }
    expect(await codeOf(await world.post({ query: 'x' }, {}, '/v1/data/api/websearch%2Fnone'))).toEqual([
      400,
      'proxy/path-malformed',
    ])
    expect(await codeOf(await get('/v1/data/api/websearch/search'))).toEqual([404, 'proxy/path-unknown'])
    expect(Buffer.concat(world.outbound).toString()).not.toContain('POST')
  })
})

const PLAINTEXT_CHAT_MODEL = 'sandbox/allegro-mini'

describe('a private model', () => {
  const paths: readonly (readonly [string, string, string])[] = [
    ['/v1/embeddings', EMBEDDING, '"input":"an otter"'],
    ['/v1/images/generations', IMAGE, '"prompt":"an otter"'],
    ['/v1/audio/speech', 'deepgram_aura_2', '"input":"an otter"'],
    ['/v1/videos', 'sandbox/carosello-video', '"prompt":"an otter"'],
    ['/v1/data/api/websearch/answer', 'any', '"query":"an otter"'],
  ]
  it.each(paths)(
    'on %s is refused in any form: other spellings, lists, duplicates, more members, the URL or a header; nothing is sent',
    async (path, model, rest) => {
      const secret = 'private/sandbox-lento-8b'
      world.outbound.length = 0
      for (const [body, code, query = '', headers = {}] of [
        [`{"model":"${secret}",${rest}}`, 'privacy/path'],
        [`{"model":" PRIVATE%2fx",${rest}}`, 'privacy/path'],
        [`{"model":["${secret}"],${rest}}`, 'privacy/path'],
        [`{"model":{"id":"${secret}"},${rest}}`, 'privacy/path'],
        [`{"model":"${model}","models":["${model}","${secret}"],${rest}}`, 'privacy/path'],
        [`{"model":"${model}","options":{"model":"${secret}"},${rest}}`, 'privacy/path'],
        [`{"model":"${model}","model":"${secret}",${rest}}`, 'proxy/duplicate-member'],
        [`{"model":"${secret}","mod\\u0065l":"${model}",${rest}}`, 'proxy/duplicate-member'],
        [`{"model":"${model}",${rest}}`, 'privacy/path', `?model=${secret}`],
        [`{"model":"${model}",${rest}}`, 'privacy/path', `?x=${encodeURIComponent(secret)}`],
        [`{"model":"${model}",${rest}}`, 'privacy/path', '', { 'x-private-model': secret }],
      ] as readonly [string, string, string?, Record<string, string>?][]) {
        expect([body, ...(await codeOf(await world.post(body, headers, `${path}${query}`)))]).toEqual([
          body,
          400,
          code,
        ])
      }
      expect(world.outbound).toEqual([])
    },
  )

  it('in a paid GET is refused, and nothing is sent', async () => {
    world.outbound.length = 0
    for (const query of ['model=private/x', 'Model=Private%252Fx', 'fallback_models=a,private/x']) {
      expect(await codeOf(await get(`/v1/data/api/maps/place-details/full?placeId=x&${query}`))).toEqual([
        400,
        'privacy/path',
      ])
      expect(await codeOf(await get(`/v1/videos/gen_x?${query}`))).toEqual([400, 'privacy/path'])
      expect(await codeOf(await get(`/v1/audio/voices?${query}`))).toEqual([400, 'privacy/path'])
    }
    expect(await codeOf(await get('/v1/data/api/maps/place-details/full?placeId=x&placeId=y'))).toEqual([
      400,
      'proxy/duplicate-member',
    ])
    expect(
      (
        await fetch(`${root()}/v1/data/api/maps/place-details/full?placeId=x`, {
          method: 'HEAD',
          headers: { authorization: `Bearer ${world.key}` },
        })
      ).status,
    ).toBe(404)
    expect(world.outbound).toEqual([])
  })

  it.each([
    ['/v1/embeddings', 'input'],
    ['/v1/images/generations', 'prompt'],
    ['/v1/videos', 'prompt'],
  ])('a model of another kind is unknown to %s, and a missing model is refused', async (path, member) => {
    expect(await codeOf(await world.post({ model: PLAINTEXT_CHAT_MODEL, [member]: 'x' }, {}, path))).toEqual([
      404,
      'model/unknown',
    ])
    for (const model of [undefined, '', 7, null])
      expect(await codeOf(await world.post({ model, [member]: 'x' }, {}, path))).toEqual([
        400,
        'proxy/model-missing',
      ])
  })
})

describe('a response', () => {
  it.each([
    ['/v1/embeddings', { model: EMBEDDING, input: 'x' }],
    ['/v1/images/generations', { model: IMAGE, prompt: 'x' }],
    ['/v1/videos', { model: 'sandbox/carosello-video', prompt: 'x' }],
    ['/v1/data/api/serp/news', { q: 'x' }],
  ])('of %s arrives byte for byte, with any content', async (path, body) => {
    const sent =
      '{ "unknown" :[1.0,1e2 , 12345678901234567890],\n"usage":{"total_tokens":"3"},"cost":0.0010 , "é":"\\u00e9"}\n'
    instead = (url) =>
      url.endsWith(path)
        ? answering('application/json; charset=utf-8', pieces(sent.slice(0, 20), sent.slice(20)), {}, 202)
        : undefined
    const response = await world.post(body, {}, path)
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      202,
      'application/json; charset=utf-8',
      sent,
    ])
    expect((await receiptOf(response)).bytesReceived).toBe(Buffer.byteLength(sent))
  })

  it('that breaks off is an error with a code if it is JSON, and a broken connection if it had begun', async () => {
    const begun = Promise.withResolvers<undefined>()
    async function* broken(until?: Promise<undefined>): AsyncGenerator<Uint8Array> {
      yield* pieces('{"data":[')
      await until
      throw new Error('reset')
    }
    instead = (url) =>
      url.endsWith('/v1/embeddings')
        ? answering('application/json', broken())
        : url.endsWith('/v1/audio/speech')
          ? answering('audio/mpeg', broken(begun.promise))
          : undefined
    const json = await world.post({ model: EMBEDDING, input: 'x' }, {}, '/v1/embeddings')
    expect(await codeOf(json)).toEqual([502, 'service/interrupted'])
    expect((await receiptOf(json)).outcome).toBe('interrupted')
    const audio = await world.post({ input: 'x' }, {}, '/v1/audio/speech')
    expect(audio.status).toBe(200)
    begun.resolve(undefined)
    await expect(audio.arrayBuffer()).rejects.toThrow()
    expect(await receiptOf(audio)).toMatchObject({ outcome: 'interrupted', code: 'service/interrupted' })
    instead = (url) =>
      url.endsWith('/v1/embeddings') ? answering('application/json', pieces('{"data":[')) : undefined
    expect(await codeOf(await world.post({ model: EMBEDDING, input: 'x' }, {}, '/v1/embeddings'))).toEqual([
      502,
      'service/interrupted',
    ])
  })

  it.each([
    ['a page', 'text/html'],
    ['a picture that can run', 'image/svg+xml'],
    ['nothing', ''],
  ])('of another type is not forwarded: %s', async (_what, type) => {
    instead = (url) => (url.endsWith('/v1/audio/speech') ? answering(type, pieces('<script>')) : undefined)
    expect(await codeOf(await world.post({ input: 'x' }, {}, '/v1/audio/speech'))).toEqual([
      502,
      'service/response-invalid',
    ])
  })

  it('is read only as fast as its reader, and ends with it', async () => {
    let chunkCount = 0
    let left = false
    let stopped: AbortSignal | undefined
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          chunkCount += 1
          yield await Promise.resolve(Buffer.alloc(64 * 1024))
        }
      } finally {
        left = true
      }
    }
    instead = (url, signal) => {
      if (!url.endsWith('/v1/audio/speech')) return undefined
      stopped = signal
      return answering('audio/mpeg', endless())
    }
    const { port } = new URL(world.baseUrl)
    const caller = await RawCaller.to(Number(port))
    caller.socket.pause()
    caller.write(
      `POST /v1/audio/speech HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"input":"x"}`,
    )
    await expect.poll(() => chunkCount).toBeGreaterThan(1)
    // It stops once the buffers in between are full.
    let last = -1
    await expect
      .poll(
        () => {
          const still = chunkCount === last
          last = chunkCount
          return still
        },
        { interval: 100 },
      )
      .toBe(true)
    expect(chunkCount * 64 * 1024).toBeLessThan(20 * 1024 * 1024)
    caller.destroy()
    await expect.poll(() => left).toBe(true)
    expect(stopped?.aborted).toBe(true)
    const cancelled = async (): Promise<unknown> =>
      ((await world.call('receipts/list', {})) as Receipt[])[0]?.outcome
    await expect.poll(cancelled).toBe('cancelled')
  })

  it('in progress is aborted when the caller disconnects', async () => {
    const seen: AbortSignal[] = []
    instead = (url, signal) => {
      if (!url.endsWith('/v1/embeddings')) return undefined
      if (signal) seen.push(signal)
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('stopped'))),
      )
    }
    const stop = new AbortController()
    const going = fetch(`${world.baseUrl}/embeddings`, {
      method: 'POST',
      signal: stop.signal,
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: EMBEDDING, input: 'x' }),
    })
    going.catch(() => undefined)
    await expect.poll(() => seen.length).toBe(1)
    stop.abort()
    await expect.poll(() => seen[0]?.aborted).toBe(true)
  })
})

describe('a form', () => {
  const spooled = (): Promise<string[]> => readdir(join(world.folder, 'spool'))

  it('is sent with its length, fields first, and leaves no file behind', async () => {
    for (const entries of [
      [
        ['file', wave()],
        ['model', 'sandbox/orecchio-3'],
      ],
      [
        ['model', 'sandbox/orecchio-3'],
        ['file', wave()],
      ],
    ] as const) {
      world.outbound.length = 0
      const response = await form('/v1/audio/transcriptions', entries)
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['text']])
      const body = Buffer.concat(world.outbound).toString('latin1')
      expect(body).toMatch(/^POST .*\/v1\/audio\/transcriptions\n.*"content-length":"\d+"/m)
      // Fields go first, so that the service also knows the model before it reads a file.
      expect(body.indexOf('name="model"')).toBeLessThan(body.indexOf('name="file"'))
      await expect.poll(spooled).toEqual([])
    }
  })

  it.each([
    [
      'behind the file',
      [
        ['model', 'sandbox/orecchio-3'],
        ['file', wave()],
        ['model', 'private/sandbox-lento-8b'],
      ],
      'proxy/duplicate-member',
    ],
    [
      'after nothing but the file',
      [
        ['file', wave()],
        ['model', 'Private%2fx'],
      ],
      'privacy/path',
    ],
    [
      'in a list',
      [
        ['model[]', 'private/x'],
        ['file', wave()],
      ],
      'privacy/path',
    ],
    [
      'beside the model',
      [
        ['model', 'sandbox/orecchio-3'],
        ['fallback_model', 'PRIVATE/x'],
        ['file', wave()],
      ],
      'privacy/path',
    ],
    [
      'as the name of a file',
      [
        ['model', 'sandbox/orecchio-3'],
        ['file', wave()],
        ['models', new File(['x'], 'private／x')],
      ],
      'proxy/malformed-form',
    ],
  ] as const)('that names a private model %s is not sent, nor is its file', async (_where, entries, code) => {
    world.outbound.length = 0
    expect(await codeOf(await form('/v1/audio/transcriptions', entries))).toEqual([400, code])
    expect(Buffer.concat(world.outbound).includes('otter')).toBe(false)
    expect(asked('/v1/audio/transcriptions')).toBe(0)
    await expect.poll(spooled).toEqual([])
  })

  it('whose caller disconnects leaves nothing behind', async () => {
    const { port } = new URL(world.baseUrl)
    const caller = await RawCaller.to(Number(port))
    caller.write(
      `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: multipart/form-data; boundary=b0\r\nContent-Length: 1000000\r\n\r\n--b0\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${'otter'.repeat(20_000)}`,
    )
    await expect.poll(async () => (await spooled()).length).toBe(1)
    caller.destroy()
    await expect.poll(spooled).toEqual([])
    expect(asked('/v1/audio/transcriptions')).toBe(0)
  })

  it('that is too large is refused while it is still being sent', async () => {
    const response = await form('/v1/audio/transcriptions', [
      ['file', wave(26 * 1024 * 1024)],
      ['model', 'sandbox/orecchio-3'],
    ])
    expect(await codeOf(response)).toEqual([413, 'proxy/file-too-large'])
    expect(asked('/v1/audio/transcriptions')).toBe(0)
    await expect.poll(spooled).toEqual([])
  })

  it.each([
    ['too large', 27 * 1024 * 1024, 'other', 413],
    ['of two models', 3_000_000, 'model', 400],
  ])(
    'that is %s is read to its end, for a caller that reads only afterwards',
    async (_what, size, second, status) => {
      const { port } = new URL(world.baseUrl)
      const caller = await RawCaller.to(Number(port))
      const field = (name: string): string =>
        `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`
      const head = `${field('model')}${field(second)}--b0\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`
      const body = Buffer.concat([
        Buffer.from(head),
        Buffer.alloc(size, 'otter'),
        Buffer.from('\r\n--b0--\r\n'),
      ])
      const fields = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${world.key}\r\n`
      caller.socket.pause()
      caller.write(
        `POST /v1/audio/transcriptions HTTP/1.1\r\n${fields}Content-Type: multipart/form-data; boundary=b0\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
      )
      await new Promise((resolve) => caller.socket.write(body, resolve))
      caller.socket.resume()
      caller.write(`GET /v1/audio/voices HTTP/1.1\r\n${fields}\r\n`)
      await expect.poll(() => caller.answers().map((answer) => answer.status)).toEqual([status, 200])
      caller.destroy()
    },
  )

  it('is required for these paths, and refused without the right fields', async () => {
    expect(
      await codeOf(await world.post({ model: 'sandbox/orecchio-3' }, {}, '/v1/audio/transcriptions')),
    ).toEqual([415, 'proxy/content-type'])
    expect(
      await codeOf(
        await form('/v1/embeddings', [
          ['model', EMBEDDING],
          ['input', 'x'],
        ]),
      ),
    ).toEqual([415, 'proxy/content-type'])
    expect(
      await codeOf(
        await form('/v1/images/edits', [
          ['model', 'sandbox/restauro-edit'],
          ['prompt', 'x'],
          ['file', wave()],
        ]),
      ),
    ).toEqual([400, 'proxy/invalid-request'])
  })
})

describe('a key with a budget', () => {
  it('pays the cost of a request, or the most it could cost if that is unknown', async () => {
    const key = await keyWith({ budget: { picoUsd: ONE_DOLLAR, period: 'day' }, allowUnpriced: true })
    const with_ = { authorization: `Bearer ${key}` }
    for (const [path, body] of [
      ['/v1/embeddings', { model: EMBEDDING, input: 'x' }],
      ['/v1/images/generations', { model: IMAGE, prompt: 'x' }],
      ['/v1/audio/speech', { model: 'deepgram_aura_2', input: 'x' }],
      ['/v1/data/api/serp/news', { q: 'x' }],
      ['/v1/videos', { model: 'sandbox/carosello-video', prompt: 'x', duration: '5' }],
    ] as const) {
      const response = await world.post(body, with_, path)
      await response.arrayBuffer()
      const receipt = await receiptOf(response)
      expect([path, receipt.outcome, receipt.charged]).toEqual([path, 'complete', receipt.cost])
      expect(receipt.cost).toBe(world.sandbox.ledger().at(-1)?.picoUsd.toString())
    }
    const begun = Promise.withResolvers<undefined>()
    async function* short(): AsyncGenerator<Uint8Array> {
      yield* pieces('x')
      await begun.promise
    }
    instead = (url) =>
      url.endsWith('/v1/audio/speech')
        ? answering('audio/mpeg', short(), { 'content-length': '100' })
        : undefined
    const cut = await world.post(
      { model: 'deepgram_aura_2', input: 'x'.repeat(100) },
      with_,
      '/v1/audio/speech',
    )
    begun.resolve(undefined)
    await cut.arrayBuffer().catch(() => undefined)
    const receipt = await receiptOf(cut)
    expect(receipt).toMatchObject({ outcome: 'interrupted', charged: receipt.estimate?.most })
  })

  it.each([
    ['/v1/images/generations', { model: IMAGE, prompt: 'x' }, 'most'],
    ['/v1/data/api/serp/news', { q: 'x' }, 'most'],
    ['/v1/embeddings', { model: EMBEDDING, input: 'x' }, 'nothing'],
  ] as const)(
    'is charged for a request that the service rejects if the service may charge for it: %s',
    async (path, body, charged) => {
      const with_ = {
        authorization: `Bearer ${await keyWith({ budget: { picoUsd: ONE_DOLLAR, period: 'day' } })}`,
      }
      instead = (url) =>
        url.endsWith(path) ? answering('application/json', pieces('{"message":"no"}'), {}, 400) : undefined
      const response = await world.post(body, with_, path)
      expect(await codeOf(response)).toEqual([400, 'service/rejected'])
      const receipt = await receiptOf(response)
      expect(receipt.cost).toBeUndefined()
      expect(receipt.charged).toBe(charged === 'most' ? receipt.estimate?.most : '0')
    },
  )

  it('is refused a request that exceeds it or has no price, and nothing is sent', async () => {
    const key = await keyWith({ budget: { picoUsd: '1000', period: 'total' } })
    const with_ = { authorization: `Bearer ${key}` }
    world.outbound.length = 0
    expect(
      await codeOf(
        await world.post({ model: EMBEDDING, input: 'an otter '.repeat(100) }, with_, '/v1/embeddings'),
      ),
    ).toEqual([402, 'budget/exceeded'])
    expect(
      await codeOf(await world.post({ model: IMAGE, prompt: 'an otter' }, with_, '/v1/images/generations')),
    ).toEqual([402, 'budget/exceeded'])
    expect(await codeOf(await world.post({ q: 'an otter' }, with_, '/v1/data/api/serp/news'))).toEqual([
      402,
      'budget/exceeded',
    ])
    expect(await codeOf(await world.post({ input: 'an otter' }, with_, '/v1/audio/speech'))).toEqual([
      402,
      'budget/exceeded',
    ])
    expect(
      await codeOf(
        await form(
          '/v1/audio/transcriptions',
          [
            ['file', wave()],
            ['model', 'sandbox/orecchio-3'],
          ],
          key,
        ),
      ),
    ).toEqual([402, 'budget/price-unknown'])
    expect(
      await codeOf(
        await world.post(
          { model: IMAGE, prompt: 'an otter', n: 1, num_images: 4 },
          with_,
          '/v1/images/generations',
        ),
      ),
    ).toEqual([402, 'budget/price-unknown'])
    expect(Buffer.concat(world.outbound).includes('otter')).toBe(false)
    const refused = ((await world.call('receipts/list', {})) as Receipt[])[0]
    expect(refused).toMatchObject({ privacy: 'refused', outcome: 'refused', bytesSent: 0 })
    expect(refused?.requestDigest).toBeUndefined()
  })
})

describe('a key with limits', () => {
  it('for private models only can use none of these paths', async () => {
    const key = await keyWith({ atLeast: 'sealed' })
    const with_ = { authorization: `Bearer ${key}` }
    for (const [path, body] of [
      ['/v1/embeddings', { model: EMBEDDING, input: 'x' }],
      ['/v1/audio/speech', { input: 'x' }],
      ['/v1/data/api/serp/news', { q: 'x' }],
    ] as const) {
      expect(await codeOf(await world.post(body, with_, path))).toEqual([403, 'auth/private-only'])
    }
    expect(await codeOf(await form('/v1/audio/transcriptions', [['file', wave()]], key))).toEqual([
      403,
      'auth/private-only',
    ])
  })

  it('for some models can use those, and data only if it is listed', async () => {
    const some = { authorization: `Bearer ${await keyWith({ models: ['sandbox/eco-*'] })}` }
    expect((await world.post({ model: EMBEDDING, input: 'x' }, some, '/v1/embeddings')).status).toBe(200)
    expect(
      await codeOf(await world.post({ model: IMAGE, prompt: 'x' }, some, '/v1/images/generations')),
    ).toEqual([403, 'auth/model-not-allowed'])
    expect(await codeOf(await world.post({ input: 'x' }, some, '/v1/audio/speech'))).toEqual([
      403,
      'auth/model-not-allowed',
    ])
    expect(await codeOf(await world.post({ q: 'x' }, some, '/v1/data/api/serp/news'))).toEqual([
      403,
      'auth/model-not-allowed',
    ])
    const data = { authorization: `Bearer ${await keyWith({ models: ['data/api/serp/*'] })}` }
    expect((await world.post({ q: 'x' }, data, '/v1/data/api/serp/news')).status).toBe(200)
    expect(await codeOf(await world.post({ query: 'x' }, data, '/v1/data/api/websearch/search'))).toEqual([
      403,
      'auth/model-not-allowed',
    ])
  })
})

it('a key’s rate limit counts only requests that are paid, read or sent', async () => {
  const key = await keyWith({ requestsPerMinute: 2 })
  for (const path of ['/v1/audio/voices', '/v1/data/endpoints', '/v1/videos/gen_none'])
    await (await get(path, key)).text()
  expect((await get('/v1/data/api/maps/place-details/partial?placeId=x', key)).status).toBe(200)
  expect(
    (await world.post({ q: 'x' }, { authorization: `Bearer ${key}` }, '/v1/data/api/serp/news')).status,
  ).toBe(200)
  expect(await codeOf(await get('/v1/data/api/maps/place-details/partial?placeId=x', key))).toEqual([
    429,
    'limit/requests',
  ])
})

describe('the account', () => {
  it.each([
    ['/accounts/create'],
    ['/topup/create/btc-lightning'],
    ['/topup/status/abc'],
    ['/topup/payment-methods'],
    ['/nwc-auto-topup'],
    ['/nwc-auto-topup/connect'],
    ['/nwc-auto-topup/connection'],
    ['/keys'],
    ['/keys/abc'],
  ])('can’t be managed by a tool: %s', async (path) => {
    const key = await keyWith({ grants: ['balance', 'history', 'metrics', 'pay-per-request'] })
    world.outbound.length = 0
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
      for (const prefix of ['', '/v1']) {
        const response = await fetch(`${root()}${prefix}${path}`, {
          method,
          headers: { authorization: `Bearer ${key}` },
        })
        expect([method, prefix, ...(await codeOf(response))]).toEqual([
          method,
          prefix,
          403,
          'proxy/account-path',
        ])
      }
    }
    expect(world.outbound).toEqual([])
  })

  it('shows its balance and history only to a key with those permissions', async () => {
    world.outbound.length = 0
    expect(await codeOf(await world.post({}, {}, '/v1/credits/balance'))).toEqual([
      403,
      'auth/insufficient-scope',
    ])
    expect(await codeOf(await get('/v1/queries/history'))).toEqual([403, 'auth/insufficient-scope'])
    expect(world.outbound).toEqual([])
    const [balance, history] = [
      await keyWith({ grants: ['balance'] }),
      await keyWith({ grants: ['history'] }),
    ]
    expect(await codeOf(await get('/v1/queries/history', balance))).toEqual([403, 'auth/insufficient-scope'])
    const shown = await fetch(`${root()}/credits/balance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${balance}` },
    })
    const picoUsd = BigInt(((await world.call('accounts/balance')) as { picoUsd: string }).picoUsd)
    expect(((await shown.json()) as { balance: number }).balance).toBeCloseTo(Number(picoUsd) / 1e12, 9)
    await (await world.post({ model: EMBEDDING, input: 'x' }, {}, '/v1/embeddings')).text()
    const page = (await (await get('/v1/queries/history?page_count=1', history)).json()) as {
      status: string
      data: object[]
      pagination: object
    }
    expect(page).toMatchObject({
      status: 'success',
      pagination: { page: 1, page_count: 1 },
      data: [
        {
          model: EMBEDDING,
          query_type: 'embedding',
          price_in_usd: Number(world.sandbox.ledger().at(-1)?.picoUsd) / 1e12,
        },
      ],
    })
  })

  it.each([
    ['start_date=today', 'request/invalid', 'start_date', 'It must be a date in the form YYYY-MM-DD.'],
    ['page_count=1000', 'request/invalid', 'page_count', 'It must be at most 100.'],
    [
      'show_key=true',
      'proxy/invalid-request',
      'show_key',
      'Its filters are "start_date", "end_date", "query_source"',
    ],
    ['credit_id=x', 'proxy/invalid-request', 'credit_id', 'Remove this.'],
  ])('names the invalid filter of the history: %s', async (query, code, param, allowed) => {
    const { error } = (await (
      await get(`/v1/queries/history?${query}`, await keyWith({ grants: ['history'] }))
    ).json()) as { error: { code: string; param: string; message: string } }
    expect(error).toMatchObject({ code, param })
    expect(error.message).toContain(`Parameter: "${param}". `)
    expect(error.message).toContain(allowed)
  })
  it.each([
    ['/v1/queries/history?credit_id=x'],
    ['/v1/queries/history?api_key=sk-x'],
    ['/v1/queries/history?show_key=true'],
    ['/v1/queries/history?page_count=1000'],
    ['/v1/queries/history?page=x'],
  ])('refuses history parameters that are out of range or name another account: %s', async (path) => {
    const key = await keyWith({ grants: ['history'] })
    expect((await get(path, key)).status).toBe(400)
    expect(asked('/queries/history')).toBe(0)
  })
})
