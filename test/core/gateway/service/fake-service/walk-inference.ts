import { expect } from 'vitest'
import { PaymentRequiredError } from '../../../../../src/core/gateway/service/http/payment-required.ts'
import {
  jsonBody,
  perform,
  type PayableOptions,
  type Service,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { audioModelsRequest } from '../../../../../src/core/gateway/service/inference/audio-models.ts'
import { startChatCompletion } from '../../../../../src/core/gateway/service/inference/chat.ts'
import { listDataEndpoints } from '../../../../../src/core/gateway/service/inference/data.ts'
import { listMediaModels, listModels } from '../../../../../src/core/gateway/service/inference/models.ts'
import { listVoices } from '../../../../../src/core/gateway/service/inference/voices.ts'
import { codeOf, passed } from '../scripted.ts'
import type { FakeService } from './index.ts'
import type { MeantModel } from './meaning.ts'
import { picoOf, type Decimal } from './wire-value.ts'

/** The client's listings, a chat and data calls: what it reads is what the service means. */
export async function walkInference(fake: FakeService): Promise<void> {
  await walkListings(fake)
  await walkChat(fake)
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
    expect(await codeOf(listVoices(nobody))).toBe('service/not-offered')
    return
  }
  expect(await listVoices(nobody)).toEqual({ entries: meaning.voices, unreadable: world.unreadable })
  const { entries, unreadable } = await perform(nobody, audioModelsRequest)
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

async function walkChat({ service, world: { meaning } }: FakeService): Promise<void> {
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
    const request = {
      method,
      below: endpoint.path,
      ...(method === 'GET' ? { query: { q: 'x' } } : { body: jsonBody({ q: 'x' }) }),
    }
    const call = async (by: Service, options?: PayableOptions): Promise<unknown> => {
      const [, , text] = await passed(by, 'data', request, options)
      return JSON.parse(text)
    }
    expect(await call(service)).toEqual(created.results.at(-1))
    expect(await pay(fake, (options) => call(as({}), options))).toEqual(created.results.at(-1))
  }
  const unknown = { method: 'POST', below: '/api/nobody/knows', body: jsonBody({}) } as const
  expect(await codeOf(passed(service, 'data', unknown))).toBe('service/not-found')
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
