/* oxlint-disable typescript/no-deprecated -- tools still send what OpenAI deprecates */
import OpenAI, { BadRequestError, NotFoundError, toFile, type APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { videoModels } from '../../../../../src/sandbox/video/models.ts'
import { sniffMedia } from '../../../../../src/shared/sniff-media.ts'
import type { Receipt } from '../../../../../src/shared/receipt.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../../../../world.ts'
import { answering, type Instead } from './answering.ts'

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
/** The fields of the last video request that the service received. */
const submitted = (): Record<string, string> =>
  JSON.parse(
    /\{.*$/s.exec(sent().slice(sent().lastIndexOf('POST ')).split('\n').slice(2).join('\n'))?.[0] ?? '{}',
  ) as Record<string, string>

function form(entries: readonly (readonly [string, string | File])[]): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of entries) body.append(name, value)
  return fetch(`${world.baseUrl}/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body,
  })
}
const codeOf = async (response: Response): Promise<[number, string, string | null]> => {
  const { error } = (await response.json()) as { error: { code: string; param: string | null } }
  return [response.status, error.code, error.param]
}

describe('the SDK', () => {
  it('creates a video with a form, retrieves it until it is done, and downloads it', async () => {
    const { data: created, response } = await openai.videos
      .create({ model: VIDEO, prompt: 'A door that closes', seconds: '5' as '4', size: '1280x720' })
      .withResponse()
    expect(created).toMatchObject({
      object: 'video',
      status: 'in_progress',
      progress: 0,
      model: VIDEO,
      prompt: 'A door that closes',
      seconds: '5',
      size: '1280x720',
      error: null,
      created_at: expect.any(Number) as number,
    })
    // The service's own names, and its members in addition to OpenAI's.
    expect(submitted()).toEqual({
      model: VIDEO,
      prompt: 'A door that closes',
      duration: '5',
      aspect_ratio: '16:9',
      quality: '720p',
    })
    expect(created).toHaveProperty('estimated_cost')
    const receipt = (await world.call('receipts/get', {
      receiptId: response.headers.get('x-sotto-receipt'),
    })) as Receipt
    expect(receipt).toMatchObject({
      path: '/v1/videos',
      model: VIDEO,
      outcome: 'complete',
      cost: world.sandbox.ledger().at(-1)?.picoUsd.toString(),
    })
    expect(receipt.estimate).toEqual({ least: receipt.cost, most: receipt.cost })
    await expect.poll(async () => (await openai.videos.retrieve(created.id)).status).toBe('completed')
    expect(await openai.videos.retrieve(created.id)).toMatchObject({
      object: 'video',
      progress: 100,
      error: null,
      data: { content_type: 'video/mp4' },
    })
    const content = await openai.videos.downloadContent(created.id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(sniffMedia(new Uint8Array(await content.arrayBuffer()))).toBe('video/mp4')
    await expect(openai.videos.downloadContent(created.id, { variant: 'thumbnail' })).rejects.toThrow(
      BadRequestError,
    )
  })
  it('sends an image as a file, as its address, and not as the ID of a stored file', async () => {
    const model = videoModels.find(({ fromImage }) => fromImage)?.id ?? ''
    await openai.videos.create({
      model,
      prompt: 'A door',
      input_reference: await toFile(pixel, 'a.png', { type: 'text/html' }),
    })
    expect(submitted()).toEqual({
      model,
      prompt: 'A door',
      image_url: `data:image/png;base64,${pixel.toString('base64')}`,
    })
    const address = `data:image/png;base64,${pixel.toString('base64')}`
    await openai.videos.create({ model, prompt: 'A door', input_reference: { image_url: address } })
    expect(submitted()).toEqual({ model, prompt: 'A door', image_url: address })
    world.outbound.length = 0
    const failure = await openai.videos
      .create({ model, prompt: 'A door', input_reference: { file_id: 'file-1' } })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect((failure as APIError).param).toBe('input_reference.file_id')
    expect(sent()).not.toContain('A door')
  })
  it('reads why a video failed', async () => {
    instead = (url) =>
      url.includes('/v1/videos/gen_')
        ? answering('application/json', '{"id":"gen_1","status":"failed","created":1,"error":"moderated"}')
        : undefined
    expect(await openai.videos.retrieve('gen_1')).toMatchObject({
      status: 'failed',
      error: { code: 'video_generation_failed', message: 'moderated' },
      progress: 0,
    })
    await expect(openai.videos.downloadContent('gen_1')).rejects.toThrow(NotFoundError)
  })
})

it('a video that isn’t finished has no content', async () => {
  instead = (url) =>
    url.includes('/v1/videos/gen_')
      ? answering('application/json', '{"id":"gen_1","status":"pending","created":1}', 202)
      : undefined
  expect((await openai.videos.retrieve('gen_1')).status).toBe('in_progress')
  await expect(openai.videos.downloadContent('gen_1')).rejects.toThrow(/not finished/)
})

describe('is refused before anything is sent', () => {
  it.each<[string, readonly (readonly [string, string | File])[], string, string | null]>([
    ['a size of another shape', [['size', '1024x1792']], 'proxy/invalid-request', 'size'],
    ['a size that is none', [['size', 'large']], 'proxy/invalid-request', 'size'],
    ['seconds that are none', [['seconds', '4.5']], 'proxy/invalid-request', 'seconds'],
    [
      'seconds in both words',
      [
        ['seconds', '5'],
        ['duration', '10'],
      ],
      'proxy/invalid-request',
      'duration',
    ],
    [
      'a size in both words',
      [
        ['size', '1280x720'],
        ['quality', '480p'],
      ],
      'proxy/invalid-request',
      'quality',
    ],
    [
      'a file that is no image',
      [['input_reference', new File(['<svg/>'], 'a.svg', { type: 'image/png' })]],
      'proxy/invalid-request',
      'input_reference',
    ],
    [
      'two images',
      [
        ['input_reference', new File([pixel], 'a.png')],
        ['input_reference[image_url]', 'https://example.com/a.png'],
      ],
      'proxy/invalid-request',
      'input_reference',
    ],
    ['another file', [['video', new File([pixel], 'a.mp4')]], 'proxy/invalid-request', 'video'],
    ['a list', [['model[]', VIDEO]], 'proxy/invalid-request', 'model[]'],
    ['two models', [['Model', VIDEO]], 'proxy/duplicate-member', 'Model'],
    ['a private model', [['fallback_model', PRIVATE_MODEL]], 'privacy/path', 'model'],
  ])('%s', async (_what, entries, code, param) => {
    expect(await codeOf(await form([['model', VIDEO], ['prompt', 'an otter'], ...entries]))).toEqual([
      400,
      code,
      param,
    ])
    expect(sent()).not.toContain('otter')
  })
  it('a body that is neither JSON nor a form', async () => {
    const response = await fetch(`${world.baseUrl}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'text/plain' },
      body: '{}',
    })
    expect(await codeOf(response)).toEqual([415, 'proxy/content-type', null])
  })
})

it('HEAD on the content is answered at its first byte, and ends the download', async () => {
  let ended = false
  async function* download(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
      await new Promise(() => undefined)
    } finally {
      ended = true
    }
  }
  instead = (url) =>
    url.includes('/v1/media/')
      ? answering('video/mp4', download())
      : answering(
          'application/json',
          JSON.stringify({ id: 'gen_1', status: 'completed', data: { url: '/v1/media/gen_1/0' } }),
        )
  const response = await fetch(`${world.baseUrl}/videos/gen_1/content`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${world.key}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  await expect.poll(() => ended).toBe(true)
})

describe('the content of a video', () => {
  const done =
    (address: string): Instead =>
    (url) =>
      url.includes('/v1/videos/gen_')
        ? answering(
            'application/json',
            JSON.stringify({ id: 'gen_1', status: 'completed', data: { url: address } }),
          )
        : undefined
  it.each<[string, Instead, string]>([
    ['of another host', done('https://example.com/a.mp4'), 'service/foreign-address'],
    ['of this computer', done('http://localhost:1/a.mp4'), 'service/foreign-address'],
    [
      'that is a page',
      (url, init) =>
        url.includes('/v1/media/')
          ? answering('text/html', '<script>')
          : done('/v1/media/gen_1/0')(url, init),
      'service/response-invalid',
    ],
    [
      'that is an image',
      (url, init) =>
        url.includes('/v1/media/') ? answering('image/png', pixel) : done('/v1/media/gen_1/0')(url, init),
      'service/response-invalid',
    ],
    [
      'without an address',
      (url) =>
        url.includes('/v1/videos/gen_')
          ? answering('application/json', '{"id":"gen_1","status":"completed"}')
          : undefined,
      'service/response-invalid',
    ],
  ])('isn’t passed on: %s', async (_what, answer, code) => {
    instead = answer
    expect(
      (
        await codeOf(
          await fetch(`${world.baseUrl}/videos/gen_1/content`, {
            headers: { authorization: `Bearer ${world.key}` },
          }),
        )
      ).slice(0, 2),
    ).toEqual([502, code])
  })
})
