/* oxlint-disable typescript/no-deprecated -- tools still send what OpenAI deprecates */
import Anthropic, { NotFoundError as AnthropicNotFound } from '@anthropic-ai/sdk'
import OpenAI, { NotFoundError, toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../../world.ts'

/** Paths of the OpenAI and Anthropic APIs that the service doesn't have. */
const PATHS = [
  'files',
  'files/file-1',
  'files/file-1/content',
  'uploads',
  'uploads/upload-1/parts',
  'batches',
  'batches/batch-1/cancel',
  'fine_tuning/jobs',
  'vector_stores',
  'vector_stores/vs-1/files',
  'assistants',
  'threads',
  'threads/t-1/runs',
  'moderations',
  'realtime',
  'realtime/client_secrets',
  'audio/translations',
  'images/variations',
  'containers',
  'conversations',
  'evals',
] as const
const BODIES = [
  ['application/json', '{}'],
  ['multipart/form-data; boundary=b', '--b--\r\n'],
  ['text/plain; charset=latin1', 'x'],
  ['', 'x'],
] as const

let world: World
let reached: string
beforeAll(async () => {
  const opened = Promise.withResolvers<string>()
  world = await startWorld({
    remoteAddress: { host: '127.0.0.2', port: 0, tls: 'none-in-container' },
    onRemoteAccess: ({ baseUrl }) => opened.resolve(baseUrl),
  })
  reached = await opened.promise
})
afterAll(() => world[Symbol.asyncDispose]())

async function refusal(
  url: string,
  method: string,
  type: string,
  body: string,
  headers: Record<string, string>,
): Promise<[number, string, boolean]> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': type },
    ...(method === 'POST' && { body: Buffer.from(body) }),
  })
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, /The service has no API for [\w/]+\./.test(error.message)]
}

describe.each(PATHS)('/v1/%s', (path) => {
  it('is a 404 that states it, whatever the method and the body', async () => {
    const key = { authorization: `Bearer ${world.key}` }
    for (const base of [world.baseUrl, world.baseUrl.replace('/v1', ''), reached]) {
      for (const [type, body] of BODIES)
        expect([base, type, ...(await refusal(`${base}/${path}`, 'POST', type, body, key))]).toEqual([
          base,
          type,
          404,
          'proxy/path-unknown',
          true,
        ])
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'])
        expect([
          base,
          method,
          ...(await refusal(`${base}/${path}`, method, 'application/json', '', key)),
        ]).toEqual([base, method, 404, 'proxy/path-unknown', true])
    }
    // On this computer, the path comes before the key; beyond it, the key comes first (decision 0022).
    expect((await refusal(`${world.baseUrl}/${path}`, 'POST', 'multipart/form-data', '', {}))[0]).toBe(404)
    expect((await refusal(`${reached}/${path}`, 'POST', 'multipart/form-data', '', {}))[0]).toBe(401)
  })
})

describe('the official SDKs get their own class', () => {
  it('of OpenAI, also with a large file', async () => {
    const openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
    const file = await toFile(Buffer.alloc(4 * 1024 * 1024, 'otter'), 'a.jsonl')
    for (const ask of [
      () => openai.files.create({ file, purpose: 'batch' }),
      () => openai.files.list(),
      () => openai.uploads.create({ bytes: 1, filename: 'a', mime_type: 'text/plain', purpose: 'batch' }),
      () => openai.audio.translations.create({ file, model: 'whisper-1' }),
      () => openai.images.createVariation({ image: file }),
      () =>
        openai.batches.create({
          input_file_id: 'file-1',
          endpoint: '/v1/embeddings',
          completion_window: '24h',
        }),
      () => openai.fineTuning.jobs.create({ model: 'x', training_file: 'file-1' }),
      () => openai.vectorStores.create({}),
      () => openai.beta.assistants.create({ model: 'x' }),
      () => openai.moderations.create({ input: 'x' }),
    ])
      await expect(ask()).rejects.toThrow(NotFoundError)
  })
  it('of Anthropic', async () => {
    const anthropic = new Anthropic({
      baseURL: world.baseUrl.replace('/v1', ''),
      apiKey: world.key,
      maxRetries: 0,
    })
    const failure = await anthropic.beta.files
      .upload({ file: await toFile(Buffer.from('otter'), 'a.txt') })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(failure).toBeInstanceOf(AnthropicNotFound)
    expect((failure as AnthropicNotFound).error).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
    })
  })
})

it('a model’s name in an unserved path is still a path that isn’t served', async () => {
  expect(
    await refusal(`${world.baseUrl}/filesystem`, 'POST', 'application/json', '{}', {
      authorization: `Bearer ${world.key}`,
    }),
  ).toEqual([404, 'proxy/path-unknown', false])
})
