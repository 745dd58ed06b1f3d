import { afterAll, beforeAll, expect, test } from 'vitest'
import { hum, writeWave } from '../../src/sandbox/audio/wave.ts'
import { bearer, question, startService, type Service } from './service-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
function form(fields: Record<string, string>, file: [field: string, name: string, bytes: Buffer]): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  const [field, name, bytes] = file
  data.set(field, new Blob([new Uint8Array(bytes)]), name)
  return data
}

/** Everything that is sold, as the history calls it. */
test.each<[type: string, path: string, body: () => object]>([
  ['chat_completion', '/v1/chat/completions', () => question],
  ['chat_completion', '/chat/completions', () => ({ ...question, stream: true })],
  ['chat_completion', '/v1/chat/completions', () => ({ ...question, plugins: [{ id: 'web' }] })],
  ['embedding', '/v1/embeddings', () => ({ model: 'sandbox/eco-embedding-small', input: ['a', 'b'] })],
  [
    'image_generation',
    '/v1/images/generations',
    () => ({ model: 'sandbox/bozzetto-image', prompt: 'x', n: 2 }),
  ],
  [
    'image_edit',
    '/v1/images/edits',
    () => form({ model: 'sandbox/restauro-edit', prompt: 'x' }, ['image', 'a.png', png]),
  ],
  ['video_generation', '/v1/videos', () => ({ model: 'sandbox/carosello-video', prompt: 'x' })],
  ['speech', '/v1/audio/speech', () => ({ input: 'The tide comes in.' })],
  [
    'transcription',
    '/v1/audio/transcriptions',
    () => form({}, ['file', 'a.wav', writeWave(hum('The tide comes in.', 180), 'The tide comes in.')]),
  ],
  ['data_enrichment', '/v1/data/api/websearch/search', () => ({ query: 'x' })],
  ['data_enrichment', '/v1/data/api/people/people-search', () => ({ q_keywords: 'x' })],
])(
  '%s at %s: priced, debited and recorded, in the balance, the key and the history alike',
  async (type, path, body) => {
    const { account, control, sandbox } = service
    const [known, before] = [control.records().length, await spent()]
    const sent = body()
    const answer = await fetch(sandbox.baseUrl + path, {
      method: 'POST',
      headers: {
        ...bearer(account.apiKey),
        ...(sent instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: sent instanceof FormData ? sent : JSON.stringify(sent),
    })
    await answer.arrayBuffer()
    expect(answer.ok).toBe(true)
    const added = control.records().slice(known)
    expect(added).toMatchObject([{ type, creditId: account.creditId }])
    const price = added[0]!.picoUsd
    expect(price > 0n).toBe(true)
    const after = await spent()
    expect([before.balance - after.balance, after.byKey - before.byKey]).toEqual([price, price])
    const { data } = (
      await service.call('GET', '/queries/history?page_count=1', { headers: bearer(account.apiKey) })
    ).body as unknown as { data: { query_type: string; price_in_usd: number }[] }
    expect([data[0]?.query_type, pico(data[0]?.price_in_usd)]).toEqual([type, price])
    expect(control.unbalanced()).toEqual([])
  },
)

const pico = (usd: number | undefined) => BigInt(Math.round((usd ?? 0) * 1e12))

async function spent(): Promise<{ balance: bigint; byKey: bigint }> {
  const { account } = service
  const { balance } = (
    await service.call('POST', '/credits/balance', { body: { credit_id: account.creditId } })
  ).body
  const { data } = (await service.call('GET', '/keys', { headers: { 'x-credit-id': account.creditId } })).body
  return { balance: pico(balance), byKey: pico(data[0]?.total_usage_all_time_usd) }
}
