import { expect } from 'vitest'
import { PaymentRequiredError } from '../../../../../src/core/gateway/service/http/payment-required.ts'
import type { PayableOptions, Service } from '../../../../../src/core/gateway/service/http/perform.ts'
import { startChatCompletion } from '../../../../../src/core/gateway/service/inference/chat.ts'
import { listDataEndpoints } from '../../../../../src/core/gateway/service/inference/data.ts'
import { listMediaModels, listModels } from '../../../../../src/core/gateway/service/inference/models.ts'
import { listVoices } from '../../../../../src/core/gateway/service/inference/voices.ts'
import { bytesOf, codeOf, upload } from '../scripted.ts'
import { listAudioModels } from '../typed-client/audio-models.ts'
import { callData } from '../typed-client/data.ts'
import { createEmbeddings } from '../typed-client/embeddings.ts'
import { editImage, generateImages } from '../typed-client/images.ts'
import { downloadMedia } from '../typed-client/media.ts'
import { speak } from '../typed-client/speech.ts'
import { transcribe } from '../typed-client/transcriptions.ts'
import { readVideo, submitVideo, type VideoJob } from '../typed-client/videos.ts'
import type { FakeService } from './index.ts'
import type { MeantJob } from './inference-routes.ts'
import type { MeantModel } from './meaning.ts'
import { BASE } from './request.ts'
import { picoOf, type Decimal } from './wire-value.ts'

const REFUSED = 'service/key-refused'
const MOST_IMAGES = { A: 10, B: 4 } as const
const IMAGE = { model: 'some-model', prompt: 'a cat' }

/** The client's listings and inference calls: what it reads is what the service means. */
export async function walkInference(fake: FakeService): Promise<void> {
  await walkListings(fake)
  await walkCalls(fake)
  await walkMedia(fake)
  await walkData(fake)
}

async function walkListings({ as, world }: FakeService): Promise<void> {
  const nobody = as({})
  const { meaning } = world
  const byId = (entries: readonly { readonly id: string }[]): unknown =>
    Object.fromEntries(entries.map((entry) => [entry.id, entry]))
  const views = (...types: string[]): unknown =>
    byId(meaning.models.filter(({ type }) => types.length === 0 || types.includes(type)).map(modelView))
  const read = async (listed: ReturnType<typeof listModels>): Promise<unknown> => {
    const { entries, unreadable } = await listed
    expect(unreadable).toBe(world.unreadable)
    return byId(entries)
  }
  expect(await read(listModels(nobody))).toEqual(views())
  expect(await read(listModels(nobody, { type: 'embedding' }))).toEqual(views('embedding'))
  expect(await read(listMediaModels(nobody))).toEqual(views('image', 'video'))
  if (meaning.revision === 'A') {
    expect([await codeOf(listVoices(nobody)), await codeOf(listAudioModels(nobody))]).toEqual([
      'service/not-offered',
      'service/not-offered',
    ])
    return
  }
  expect(await listVoices(nobody)).toEqual({ entries: meaning.voices, unreadable: world.unreadable })
  const { entries, unreadable } = await listAudioModels(nobody)
  expect(byId(entries)).toEqual(
    byId(
      meaning.audioModels.map(({ id, name, provider, type, price }) => ({
        id,
        name,
        provider,
        type,
        price: { amount: pico(price), per: 'minute' },
      })),
    ),
  )
  expect(unreadable).toBe(world.unreadable)
}

async function walkCalls({ service, as, world: { meaning } }: FakeService): Promise<void> {
  const stranger = as({ apiKey: 'sk-of-nobody-at-all' })
  expect(await createEmbeddings(service, { model: 'eco', input: ['one', 'three'] })).toEqual({
    model: 'eco',
    vectors: [
      [3, 0, 0.5],
      [5, 1, 0.5],
    ],
    totalTokens: 2,
  })
  expect(await codeOf(createEmbeddings(stranger, { model: 'eco', input: 'a' }))).toBe(REFUSED)
  const speech = await speak(service, { input: 'x'.repeat(meaning.revision === 'A' ? 2000 : 5000) })
  expect([speech.contentType, (await bytesOf(speech.body)).byteLength]).toEqual([
    'audio/mpeg',
    'spoken '.length + (meaning.revision === 'A' ? 2000 : 5000),
  ])
  expect(await codeOf(speak(service, { input: 'x'.repeat(5001) }))).toBe('request/invalid')
  expect(await transcribe(service, { file: upload('a.mp3', 'audio') })).toMatchObject({ text: 'Sotto voce.' })
  expect(await codeOf(transcribe(stranger, { file: upload('a.mp3', 'audio') }))).toBe(REFUSED)
  const chat = async (model: string): Promise<number> =>
    (
      await startChatCompletion(
        service.fetch,
        service.access(),
        Buffer.from(JSON.stringify({ model, messages: [] })),
        new AbortController().signal,
      )
    ).status
  expect(await chat('large')).toBe(200)
  if (meaning.revision === 'B') expect([400, 422]).toContain(await chat('private/small'))
}

async function walkMedia(fake: FakeService): Promise<void> {
  const { service, as, world } = fake
  const { revision } = world.meaning
  const most = MOST_IMAGES[revision]
  const generated = await generateImages(service, { ...IMAGE, n: most })
  const meant = world.created.images.at(-1)!
  expect(generated).toEqual({
    model: meant.model,
    createdAt: meant.createdAt,
    cost: picoOf(meant.cost.text),
    images: meant.images.map(({ path, type }) => ({ url: `${BASE}${path}`, contentType: type })),
  })
  expect(await codeOf(generateImages(service, { ...IMAGE, n: most + 1 }))).toBe('request/invalid')
  expect(await codeOf(generateImages(as({ apiKey: 'sk-of-nobody-at-all' }), IMAGE))).toBe(REFUSED)
  const [image] = generated.images
  if (image && 'url' in image)
    expect((await bytesOf((await downloadMedia(service, image.url)).body)).toString()).toMatch(
      /^media [0-9a-f]{24}$/,
    )
  expect(await codeOf(downloadMedia(service, 'https://elsewhere.example/v1/media/a/0?sig=s'))).toBe(
    'service/foreign-address',
  )
  const edit = async (options: PayableOptions): Promise<unknown> =>
    editImage(
      as({}),
      { ...IMAGE, image: upload('a.png', 'png', 'image/png'), boundary: 'sotto-0123456789abcdef' },
      options,
    )
  expect(await (revision === 'A' ? codeOf(edit({})) : pay(fake, edit))).toEqual(
    revision === 'A' ? 'service/not-offered' : expect.objectContaining({ model: 'editor' }),
  )

  const job = await submitVideo(service, IMAGE)
  const meantJob = world.created.jobs.at(-1)!
  expect(job).toEqual({
    ...jobView(meantJob),
    state: 'pending',
    estimatedCost: picoOf(meantJob.estimate.text),
  })
  expect(await settle(service, job)).toEqual(settledView(meantJob))
  const paid = await pay(fake, (options) => submitVideo(as({}), IMAGE, options))
  expect(await settle(as({}), paid)).toEqual(settledView(world.created.jobs.at(-1)!))
  expect(await codeOf(readVideo(service, { id: 'gen_unknown' }))).toBe('service/not-found')
}

async function walkData(fake: FakeService): Promise<void> {
  const { service, as, world } = fake
  const { meaning, created } = world
  const { entries, unreadable } = await listDataEndpoints(as({}))
  expect(Object.fromEntries(entries.map(({ method, path, price }) => [`${method} ${path}`, price]))).toEqual(
    Object.fromEntries(
      meaning.endpoints.map(({ method, path, price }) => [`${method} ${path}`, price && picoOf(price.text)]),
    ),
  )
  expect([entries.length, unreadable]).toEqual([meaning.revision === 'A' ? 39 : 27, world.unreadable])
  for (const method of ['GET', 'POST'] as const) {
    const endpoint = entries.find((entry) => entry.method === method)!
    expect(await callData(service, endpoint, { q: 'x' })).toEqual(created.results.at(-1))
    expect(await pay(fake, (options) => callData(as({}), endpoint, { q: 'x' }, options))).toEqual(
      created.results.at(-1),
    )
  }
  expect(await codeOf(callData(service, { path: '/api/nobody/knows', method: 'POST' }, {}))).toBe(
    'service/not-found',
  )
  if (meaning.revision === 'B')
    expect(await codeOf(callData(service, { path: '/x/tweets/search', method: 'GET' }, {}))).toBe(
      'service/not-offered',
    )
}

/** Without a key: the challenge is read, another proof is refused, and the proof of the payment counts once it's right. */
async function pay<Result>(
  { world }: FakeService,
  call: (options: PayableOptions) => Promise<Result>,
): Promise<Result> {
  const failure = await call({ perRequest: {} }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(failure instanceof PaymentRequiredError)) throw new Error('no challenge', { cause: failure })
  const { invoice, token, preimage } = world.created.challenges.at(-1)!
  expect(failure.challenge).toMatchObject({ scheme: 'payment', invoice, token })
  expect(await codeOf(call({ perRequest: { authorization: `L402 ${token}:${'0'.repeat(64)}` } }))).toBe(
    'payment/credential-refused',
  )
  return call({ perRequest: { authorization: `L402 ${token}:${preimage}` } })
}

async function settle(service: Service, job: Pick<VideoJob, 'id' | 'statusUrl'>): Promise<VideoJob> {
  for (let poll = 0; poll < 5; poll++) {
    const read = await readVideo(service, job)
    if (read.state !== 'pending') return read
  }
  throw new Error('the job did not settle')
}

function jobView({ id, model, createdAt }: MeantJob): object {
  return { id, model, createdAt }
}

function settledView(job: MeantJob): object {
  return job.failure === null
    ? {
        ...jobView(job),
        state: 'completed',
        cost: picoOf(job.cost.text),
        result: { url: `${BASE}/v1/media/${job.id}/0?sig=s&exp=1`, contentType: 'video/mp4' },
      }
    : { ...jobView(job), state: 'failed', failure: job.failure }
}

function modelView({
  id,
  name,
  provider,
  type,
  contextLength,
  addedAt,
  input,
  output,
  averageCost,
  base,
  quality,
}: MeantModel): { readonly id: string } {
  const tables = quality
    ? [
        {
          by: 'quality',
          of: Object.fromEntries(Object.entries(quality).map(([value, price]) => [value, pico(price)])),
        },
      ]
    : []
  return {
    id,
    name,
    provider,
    type,
    private: id.startsWith('private/'),
    ...(contextLength !== undefined && { contextLength }),
    ...(addedAt !== undefined && { addedAt }),
    ...(averageCost && { averageCost: pico(averageCost) }),
    ...(input && output && { inputPerMillion: pico(input), outputPerMillion: pico(output) }),
    ...(base && { mediaPrice: { base: pico(base), tables } }),
  } as { readonly id: string }
}

function pico(price: Decimal): string {
  return picoOf(price.text).toString()
}
