import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { BadRequestError, NotFoundError, toFile, type APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

/**
 * Runs the unchanged official SDK on every path except chat. The receipt must report the amount that the service's
 * ledger debited.
 */
const EMBEDDING = 'sandbox/eco-embedding-small'
const IMAGE = 'sandbox/affresco-image'
const EDIT = 'sandbox/restauro-edit'
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let world: World
let openai: OpenAI
let folder: string
beforeAll(async () => {
  world = await startWorld()
  openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
  folder = await mkdtemp(join(tmpdir(), 'sotto-sdk-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await world[Symbol.asyncDispose]()
})

interface Asked {
  headers: Headers
}

async function receiptOf({ headers }: Asked): Promise<Receipt> {
  expect(headers.get('x-sotto-privacy')).toBe('forwarded')
  expect(headers.get('x-sotto-service')).toBe('sandbox')
  expect(headers.get('server-timing')).toMatch(/sotto/)
  return (await world.call('receipts/get', { receiptId: headers.get('x-sotto-receipt') })) as Receipt
}

/** The receipt of one request: forwarded, complete, and with the amount that the ledger debited for it. */
async function paid(asked: Asked, path: string, model: string): Promise<Receipt> {
  await expect.poll(async () => (await receiptOf(asked)).outcome).toBe('complete')
  const receipt = await receiptOf(asked)
  expect(receipt).toMatchObject({
    path,
    model,
    privacy: 'forwarded',
    requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    responseDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
  expect(receipt.bytesSent).toBeGreaterThan(0)
  expect(receipt.bytesReceived).toBeGreaterThan(0)
  expect(receipt.addedMs).toBeGreaterThanOrEqual(0)
  return receipt
}
const debited = (): bigint => world.sandbox.ledger().at(-1)?.picoUsd ?? -1n

describe('embeddings', () => {
  it('of one text and of several, as numbers', async () => {
    const { data, response } = await openai.embeddings
      .create({ model: EMBEDDING, input: ['a whisper', 'a shout'], encoding_format: 'float' })
      .withResponse()
    expect(data.data.map(({ index }) => index)).toEqual([0, 1])
    expect(data.data[0]?.embedding.length).toBeGreaterThan(100)
    const receipt = await paid(response, '/v1/embeddings', EMBEDDING)
    expect(receipt.usage).toEqual({ prompt: data.usage.total_tokens, completion: 0 })
    expect(receipt.cost).toBe(debited().toString())
    expect(BigInt(receipt.estimate?.most ?? 0)).toBeGreaterThanOrEqual(debited())
    expect(BigInt(receipt.estimate?.least ?? -1)).toBeLessThanOrEqual(debited())
  })
  it('as base64, the SDK’s default, have the same numbers', async () => {
    const { data } = await openai.embeddings.create({ model: EMBEDDING, input: 'a whisper' })
    const plain = await openai.embeddings.create({
      model: EMBEDDING,
      input: 'a whisper',
      encoding_format: 'float',
    })
    expect(data[0]?.embedding.length).toBe(plain.data[0]?.embedding.length)
    data[0]?.embedding.forEach((number, at) =>
      expect(number).toBeCloseTo(plain.data[0]?.embedding[at] ?? NaN, 5),
    )
  })
  it('with members unknown to Sotto reach the service', async () => {
    const { data } = await openai.embeddings.create({
      model: 'sandbox/eco-embedding-large',
      input: 'x',
      dimensions: 8,
      encoding_format: 'float',
    })
    expect(data[0]?.embedding).toHaveLength(8)
  })
})

describe('images', () => {
  it('are generated from text', async () => {
    const { data, response } = await openai.images
      .generate({ model: IMAGE, prompt: 'A quiet room', n: 2, quality: 'low' })
      .withResponse()
    expect(data.data).toHaveLength(2)
    expect(data.data?.[0]?.url).toMatch(new RegExp(`^${world.sandbox.profile.baseUrl}/v1/media/gen_`))
    const receipt = await paid(response, '/v1/images/generations', IMAGE)
    expect(receipt.cost).toBe(debited().toString())
    // The request left the size open, and the price may depend on it.
    expect(BigInt(receipt.estimate?.least ?? -1)).toBeLessThanOrEqual(debited())
    expect(BigInt(receipt.estimate?.most ?? 0)).toBeGreaterThanOrEqual(debited())
  })
  it('are edited from a file', async () => {
    const { data, response } = await openai.images
      .edit({
        model: EDIT,
        prompt: 'Make it blue',
        image: await toFile(pixel, 'pixel.png', { type: 'image/png' }),
      })
      .withResponse()
    expect(data.data?.[0]?.url).toContain('/v1/media/gen_')
    const receipt = await paid(response, '/v1/images/edits', EDIT)
    expect(receipt.cost).toBe(debited().toString())
    expect(receipt.bytesSent).toBeGreaterThan(pixel.length)
  })
  it('are upscaled, or lose their background, with the model for it', async () => {
    for (const model of ['sandbox/lente-upscale', 'sandbox/ritaglio-background']) {
      const response = await world.post(
        { model, image_url: `data:image/png;base64,${pixel.toString('base64')}` },
        {},
        '/v1/images/generations',
      )
      expect(response.status).toBe(200)
      await response.text()
      expect((await paid(response, '/v1/images/generations', model)).cost).toBe(debited().toString())
    }
  })
})

describe('audio', () => {
  let spoken: Buffer
  it('is generated as speech', async () => {
    const response = await openai.audio.speech.create({
      model: 'deepgram_aura_2',
      voice: 'sandbox-ada-en',
      input: 'Nobody hears a whisper.',
      response_format: 'wav',
    })
    expect(response.headers.get('content-type')).toBe('audio/wav')
    spoken = Buffer.from(await response.arrayBuffer())
    expect(spoken.subarray(0, 4).toString('latin1')).toBe('RIFF')
    expect(Number(response.headers.get('content-length'))).toBe(spoken.length)
    const receipt = await paid(response, '/v1/audio/speech', 'deepgram_aura_2')
    expect(receipt.bytesReceived).toBe(spoken.length)
    expect(receipt.cost).toBe(debited().toString())
    expect(receipt.estimate).toEqual({ least: receipt.cost, most: receipt.cost })
  })
  it.each([['json'], ['text'], ['srt'], ['vtt'], ['verbose_json']] as const)(
    'is transcribed from a stream, as %s',
    async (format) => {
      const path = join(folder, 'spoken.wav')
      await writeFile(path, spoken)
      // The file comes before the model, as most clients write it.
      const { data, response } = await openai.audio.transcriptions
        .create({
          file: createReadStream(path),
          model: 'sandbox/orecchio-3',
          response_format: format as 'json',
          language: 'en',
        })
        .withResponse()
      expect(typeof data === 'string' ? data : data.text).toContain('Nobody hears a whisper.')
      const receipt = await paid(response, '/v1/audio/transcriptions', 'sandbox/orecchio-3')
      // The length of a recording is unknown here, and therefore its price too.
      expect(receipt.cost).toBeUndefined()
      expect(receipt.estimate).toBeUndefined()
      expect(receipt.bytesSent).toBeGreaterThan(spoken.length)
      expect(debited()).toBeGreaterThan(0n)
    },
  )
  it('has the voices and speech models that the service lists', async () => {
    for (const path of ['/v1/audio/voices', '/v1/audio/models', '/audio/voices']) {
      const [through, direct] = await Promise.all(
        [
          `${world.baseUrl.replace('/v1', '')}${path}`,
          `${world.sandbox.profile.baseUrl}${path.replace(/^\/audio/, '/v1/audio')}`,
        ].map(async (url) => {
          const response = await fetch(url, { headers: { authorization: `Bearer ${world.key}` } })
          return { status: response.status, body: await response.text() }
        }),
      )
      expect(through).toEqual(direct)
      expect(through?.status).toBe(200)
    }
  })
})

describe('videos', () => {
  it('are submitted, and polled until they are done', async () => {
    const submitted = await world.post(
      { model: 'sandbox/carosello-video', prompt: 'A door that closes', duration: '5' },
      {},
      '/v1/videos',
    )
    expect(submitted.status).toBe(202)
    const job = (await submitted.json()) as { id: string; status: string; estimated_cost: number }
    expect(job).toMatchObject({ id: expect.stringMatching(/^gen_/) as string, status: 'in_progress' })
    const receipt = await paid(submitted, '/v1/videos', 'sandbox/carosello-video')
    expect(receipt.cost).toBe(debited().toString())
    const receipts = ((await world.call('receipts/list', {})) as Receipt[]).length
    const poll = async (): Promise<{
      status: number
      body: { status: string; cost?: number; data?: { url: string } }
    }> => {
      const response = await fetch(`${world.baseUrl}/videos/${job.id}`, {
        headers: { authorization: `Bearer ${world.key}` },
      })
      return { status: response.status, body: (await response.json()) as { status: string } }
    }
    await expect.poll(async () => (await poll()).status).toBe(200)
    const done = await poll()
    expect(done.body).toMatchObject({ status: 'completed', cost: job.estimated_cost })
    // The signed address is passed on exactly as the service gave it.
    expect(done.body.data?.url).toMatch(new RegExp(`^${world.sandbox.profile.baseUrl}/v1/media/gen_.*[?&]`))
    expect(((await world.call('receipts/list', {})) as Receipt[]).length).toBe(receipts)
  })
  it.each([
    ['gen_unknown', 404, 'service/not-found'],
    ['..%2fkeys', 400, 'proxy/path-malformed'],
    ['x', 404, 'service/not-found'],
  ])('an unknown job is refused: %s', async (id, status, code) => {
    const response = await fetch(`${world.baseUrl}/videos/${id}`, {
      headers: { authorization: `Bearer ${world.key}` },
    })
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ])
  })
})

describe('models by type', () => {
  it.each([
    ['embedding', [EMBEDDING]],
    ['image,video', [IMAGE, 'sandbox/carosello-video']],
    ['audio', ['sandbox/orecchio-3']],
  ])('%s', async (type, some) => {
    const { data } = await openai.models.list({ query: { type } })
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(some))
    const types = new Set(data.map((model) => (model as unknown as { type: string }).type))
    expect([...types].sort()).toEqual(type.split(',').sort())
  })
  it('all', async () => {
    expect((await openai.models.list({ query: { type: 'all' } })).data.map(({ id }) => id)).toEqual(
      expect.arrayContaining([PRIVATE_MODEL, EMBEDDING, IMAGE]),
    )
  })
  it('an invalid type is refused', async () => {
    await expect(openai.models.list({ query: { type: 'a b' } })).rejects.toThrow(BadRequestError)
  })
})

describe('errors arrive as the SDK’s own classes', () => {
  it('an unlisted model, on each path', async () => {
    await expect(openai.embeddings.create({ model: 'none', input: 'x' })).rejects.toThrow(NotFoundError)
    await expect(openai.images.generate({ model: 'none', prompt: 'x' })).rejects.toThrow(NotFoundError)
    await expect(
      openai.audio.transcriptions.create({ model: 'none', file: await toFile(pixel, 'a.wav') }),
    ).rejects.toThrow(NotFoundError)
    await expect(openai.audio.speech.create({ model: 'no/ne', voice: 'x', input: 'x' })).rejects.toThrow(
      NotFoundError,
    )
  })
  it('a rejection by the service, with its message', async () => {
    const failure = await openai.images
      .generate({ model: IMAGE, prompt: 'x', quality: 'hd' })
      .catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(BadRequestError)
    expect((failure as APIError).code).toBe('service/rejected')
    expect((failure as APIError).message).toContain('quality')
  })
  it('a private model, on each path', async () => {
    const before = world.outbound.length
    const image = await toFile(pixel, 'a.png')
    for (const ask of [
      () => openai.embeddings.create({ model: PRIVATE_MODEL, input: 'x' }),
      () => openai.images.generate({ model: PRIVATE_MODEL, prompt: 'x' }),
      () => openai.images.edit({ model: PRIVATE_MODEL, prompt: 'x', image }),
      () => openai.audio.speech.create({ model: PRIVATE_MODEL, voice: 'x', input: 'x' }),
      () => openai.audio.transcriptions.create({ model: PRIVATE_MODEL, file: image }),
    ]) {
      const failure = await ask().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(failure).toBeInstanceOf(BadRequestError)
      expect((failure as APIError).code).toBe('privacy/path')
    }
    expect(world.outbound.length).toBe(before)
  })
})
