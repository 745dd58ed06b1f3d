/* oxlint-disable typescript/no-deprecated -- tools still send what OpenAI deprecates */
import OpenAI, { BadRequestError, toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sniffMedia } from '../../../../../src/shared/sniff-media.ts'
import type { FetchResponse } from '../../../../../src/shared/fetch.ts'
import type { Receipt } from '../../../../../src/shared/receipt.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../../../../world.ts'
import { answering, type Instead } from './answering.ts'

const IMAGE = 'sandbox/affresco-image'
const EDIT = 'sandbox/restauro-edit'
const VIDEO = 'sandbox/carosello-video'
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let world: World
let openai: OpenAI
let instead: Instead | null = null
beforeAll(async () => {
  world = await startWorld({
    fetch: (fetch) => async (url, init) => (await instead?.(url, init)) ?? fetch(url, init),
  })
  openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  instead = null
  world.outbound.length = 0
})

const sent = (): string => Buffer.concat(world.outbound).toString('latin1')
const debited = (): string | undefined => world.sandbox.ledger().at(-1)?.picoUsd.toString()
const codeOf = async (response: Response): Promise<[number, string, string | null]> => {
  const { error } = (await response.json()) as { error: { code: string; param: string | null } }
  return [response.status, error.code, error.param]
}
const typeOf = (image: string | undefined): string => sniffMedia(Buffer.from(image ?? '', 'base64'))
async function receiptOf(headers: Headers): Promise<Receipt> {
  await expect
    .poll(() => world.call('receipts/get', { receiptId: headers.get('x-sotto-receipt') }))
    .toHaveProperty('outcome')
  return (await world.call('receipts/get', { receiptId: headers.get('x-sotto-receipt') })) as Receipt
}

interface Item {
  readonly url?: string
  readonly b64_json?: string
  readonly sotto_error?: { readonly code: string; readonly message: string }
}

describe('response_format', () => {
  it('b64_json: the images themselves, with their addresses, for the same price', async () => {
    const { data, response } = await openai.images
      .generate({ model: IMAGE, prompt: 'A quiet room', n: 2, quality: 'low', response_format: 'b64_json' })
      .withResponse()
    expect(data.data?.map(({ b64_json }) => typeOf(b64_json))).toEqual(['image/png', 'image/png'])
    expect(data.data?.[0]?.url).toContain('/v1/media/gen_')
    expect(data.data?.[0]?.b64_json).not.toBe(data.data?.[1]?.b64_json)
    expect(data).toMatchObject({
      created: expect.any(Number) as number,
      model: IMAGE,
      cost: expect.any(Number) as number,
    })
    expect(await receiptOf(response.headers)).toMatchObject({ outcome: 'complete', cost: debited() })
    // The service has no such member, and its media needs no key.
    expect(sent()).not.toContain('response_format')
    expect(sent()).toMatch(/GET [^\n]*\/v1\/media\/gen_[^\n]*\n(?![^\n]*authorization)/)
  })
  it('b64_json of an edit', async () => {
    const data = await openai.images.edit({
      model: EDIT,
      prompt: 'Make it blue',
      image: await toFile(pixel, 'pixel.png', { type: 'image/png' }),
      response_format: 'b64_json',
    })
    expect(typeOf(data.data?.[0]?.b64_json)).toBe('image/png')
    expect(sent()).not.toContain('response_format')
  })
  it.each([[{}], [{ response_format: 'url' as const }], [{ response_format: null as unknown as 'url' }]])(
    'addresses by default: %j',
    async (format) => {
      const { data } = await openai.images.generate({ model: IMAGE, prompt: 'A quiet room', ...format })
      expect(data?.[0]?.url).toContain('/v1/media/gen_')
      expect(data?.[0]).not.toHaveProperty('b64_json')
      expect(sent()).not.toContain('GET ' + String(data?.[0]?.url))
    },
  )
})

describe('is refused before anything is charged', () => {
  it.each([
    ['an unknown form', { response_format: 'base64' }, 'proxy/invalid-request', 'response_format'],
    ['a switch that is none', { stream: 'yes' }, 'proxy/invalid-request', 'stream'],
    ['more images than the service generates', { n: 5, response_format: 'b64_json' }, 'request/invalid', 'n'],
    ['a model of videos', { model: VIDEO, response_format: 'b64_json' }, 'request/invalid', 'model'],
    ['a model of videos, without base64', { model: VIDEO }, 'request/invalid', 'model'],
    ['a private model', { model: PRIVATE_MODEL, stream: true }, 'privacy/path', 'model'],
  ] as const)('%s', async (_what, members, code, param) => {
    const entries = world.sandbox.ledger().length
    expect(
      await codeOf(
        await world.post({ model: IMAGE, prompt: 'an otter', ...members }, {}, '/v1/images/generations'),
      ),
    ).toEqual([400, code, param])
    expect(sent()).not.toContain('otter')
    expect(world.sandbox.ledger()).toHaveLength(entries)
  })
  it.each([
    ['n', '5', 'request/invalid'],
    ['n', 'x', 'request/invalid'],
    ['stream', 'on', 'proxy/invalid-request'],
    ['response_format', 'b64', 'proxy/invalid-request'],
    ['model', VIDEO, 'request/invalid'],
  ] as const)('a form with %s = %s', async (name, value, code) => {
    const body = new FormData()
    for (const [field, text] of Object.entries({ model: EDIT, prompt: 'an otter', [name]: value }))
      body.append(field, text)
    body.append('image', new File([pixel], 'pixel.png', { type: 'image/png' }))
    expect(
      await codeOf(
        await fetch(`${world.baseUrl}/images/edits`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.key}` },
          body,
        }),
      ),
    ).toEqual([400, code, name])
    expect(sent()).not.toContain('otter')
  })
  it('a model of images, as a video', async () => {
    expect(await codeOf(await world.post({ model: IMAGE, prompt: 'an otter' }, {}, '/v1/videos'))).toEqual([
      400,
      'request/invalid',
      'model',
    ])
    expect(sent()).not.toContain('otter')
  })
})

async function* endless(): AsyncGenerator<Uint8Array> {
  yield pixel
  for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024))
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(pixel)
  throw new Error('reset')
}
const media =
  (answer: () => FetchResponse): Instead =>
  (url) =>
    url.includes('/v1/media/') ? answer() : undefined
/** The service names another address for its image. */
const naming =
  (...addresses: readonly string[]): Instead =>
  (url) =>
    url.endsWith('/v1/images/generations')
      ? answering(
          'application/json',
          JSON.stringify({
            created: 1,
            data: addresses.map((address) => ({ url: address, content_type: 'image/png' })),
          }),
        )
      : undefined

describe('an image that is paid for and can’t be inlined keeps its address', () => {
  it.each<[string, Instead, string]>([
    ['expired', media(() => answering('application/json', '{"message":"gone"}', 404)), 'service/not-found'],
    ['a page', media(() => answering('text/html', '<script>')), 'service/response-invalid'],
    [
      'a page that is called an image',
      media(() => answering('image/png', '<script>')),
      'service/response-invalid',
    ],
    ['a drawing that can run', media(() => answering('image/svg+xml', '<svg/>')), 'service/response-invalid'],
    ['a video', media(() => answering('video/mp4', '\0\0\0\x18ftypisom')), 'service/response-invalid'],
    ['JSON', media(() => answering('application/json', '{}')), 'service/response-invalid'],
    ['larger than the limit', media(() => answering('image/png', endless())), 'service/response-invalid'],
    ['cut off', media(() => answering('image/png', broken())), 'service/interrupted'],
    [
      'elsewhere after a redirect',
      media(() => answering('image/png', '', 302, { location: 'http://127.0.0.1:22/' })),
      'service/failed',
    ],
    ['at another host', naming('https://example.com/a.png'), 'service/foreign-address'],
    ['on this computer', naming('http://localhost:1/a.png'), 'service/foreign-address'],
    ['in the private network', naming('http://192.168.0.1/a.png'), 'service/foreign-address'],
    ['in a file', naming('file:///etc/passwd'), 'service/foreign-address'],
  ])('%s', async (_what, answer, code) => {
    instead = answer
    for (const stream of [false, true]) {
      const response = await world.post(
        { model: IMAGE, prompt: 'an otter', response_format: 'b64_json', stream },
        {},
        '/v1/images/generations',
      )
      expect(response.status).toBe(200)
      const text = await response.text()
      const item = stream
        ? (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as Item)
        : (JSON.parse(text) as { data: Item[] }).data[0]
      expect(item).toMatchObject({
        url: expect.any(String) as string,
        sotto_error: { message: expect.any(String) as string },
      })
      expect(item).not.toHaveProperty('b64_json')
      expect(item?.sotto_error?.code).toBe(code)
      expect((await receiptOf(response.headers)).outcome).toBe('complete')
    }
  })
  it('and the others are inlined; no more than any service generates are fetched', async () => {
    const fetched: string[] = []
    const base = world.sandbox.profile.baseUrl
    instead = (url, init) => {
      if (url.includes('/v1/media/')) fetched.push(url)
      return url.includes('/v1/media/1')
        ? answering('image/png', '', 500)
        : url.includes('/v1/media/')
          ? answering('image/png', pixel)
          : naming(...Array.from({ length: 30 }, (_, at) => `${base}/v1/media/${String(at)}`))(url, init)
    }
    const response = await world.post(
      { model: IMAGE, prompt: 'an otter', response_format: 'b64_json' },
      {},
      '/v1/images/generations',
    )
    const { data } = (await response.json()) as { data: Item[] }
    expect(data).toHaveLength(30)
    expect(data.map(({ b64_json }) => b64_json !== undefined)).toEqual(
      data.map((_, at) => at < 10 && at !== 1),
    )
    expect(fetched).toHaveLength(10)
  })
  it.each([['{"created":1}'], ['[]'], ['{"data":{}}']])(
    'an answer without images is passed on: %s',
    async (text) => {
      instead = (url) =>
        url.endsWith('/v1/images/generations') ? answering('application/json', text) : undefined
      const response = await world.post(
        { model: IMAGE, prompt: 'an otter', response_format: 'b64_json' },
        {},
        '/v1/images/generations',
      )
      expect([response.status, await response.text()]).toEqual([200, text])
    },
  )
  it('ends with the caller', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    instead = (url, { signal }) => {
      if (!url.includes('/v1/media/')) return undefined
      asked.resolve(signal)
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('stopped'))),
      )
    }
    const stop = new AbortController()
    const going = openai.images.generate(
      { model: IMAGE, prompt: 'an otter', response_format: 'b64_json' },
      { signal: stop.signal },
    )
    going.catch(() => undefined)
    const signal = await asked.promise
    stop.abort()
    await expect.poll(() => signal?.aborted).toBe(true)
  })
})

describe('stream: true', () => {
  it('generates: one event for each image, and what is ignored is named', async () => {
    const { data: stream, response } = await openai.images
      .generate({
        model: IMAGE,
        prompt: 'A quiet room',
        n: 2,
        quality: 'low',
        stream: true,
        partial_images: 2,
      })
      .withResponse()
    const events = []
    for await (const event of stream) events.push(event)
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.completed',
      'image_generation.completed',
    ])
    expect(events[0]).toMatchObject({
      output_format: 'png',
      quality: 'low',
      size: 'auto',
      background: 'auto',
      created_at: expect.any(Number) as number,
      usage: { total_tokens: 0 },
    })
    expect(events.map(({ b64_json }) => typeOf(b64_json))).toEqual(['image/png', 'image/png'])
    expect(response.headers.get('x-sotto-ignored')).toBe('partial_images')
    expect(await receiptOf(response.headers)).toMatchObject({ outcome: 'complete', cost: debited() })
    expect(sent()).not.toMatch(/partial_images|"stream"/)
  })
  it('edits', async () => {
    const stream = await openai.images.edit({
      model: EDIT,
      prompt: 'Make it blue',
      image: await toFile(pixel, 'pixel.png', { type: 'image/png' }),
      stream: true,
    })
    const events = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([{ type: 'image_edit.completed', output_format: 'png' }])
    expect(typeOf(events[0]?.b64_json)).toBe('image/png')
  })
  it('a refusal is an error of the SDK', async () => {
    await expect(
      openai.images.generate({ model: IMAGE, prompt: 'x', quality: 'hd', stream: true }),
    ).rejects.toThrow(BadRequestError)
  })
})
