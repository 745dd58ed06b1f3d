import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fetch } from '../../../src/shared/fetch.ts'
import type { Job } from '../../../src/shared/job.ts'
import {
  BRUSH,
  codeOf,
  get,
  learnRate,
  make,
  sentTo,
  start,
  startStudioWorld,
  until,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'

const ask = { kind: 'image', model: BRUSH, prompt: 'an otter' }
const LISTED = '11500000000'
const TABLE = 'who\nOtter 0\nOtter 1\nOtter 2\n'
const batch = (uploadId: { uploadId: string }, more: object = {}): object => ({
  kind: 'batch',
  method: 'POST',
  path: '/api/people/people-search',
  file: uploadId,
  columns: { q_keywords: { column: 0 } },
  concurrency: 1,
  ...more,
})

describe('a repeated job', () => {
  let world: StudioWorld
  /** The factor by which the prices in the media listing are raised. */
  let dearer = 1
  beforeEach(async () => {
    dearer = 1
    world = await startStudioWorld('B', 'balance', {
      fetch: (network) => (url, init) =>
        dearer === 1 ? network(url, init) : raised(network, dearer)(url, init),
    })
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  it('never costs more than its cap, even if the price has risen', async () => {
    const { id } = await make(world, ask)
    const again = (most: string): Promise<unknown> => world.call('studio/again', { jobId: id, most })
    expect(codeOf(await again(String(BigInt(LISTED) - 1n)))).toBe('studio/above-cap')
    dearer = 10
    // The cached listing has expired and is fetched again.
    world.clock.ahead += 600_000
    expect(codeOf(await again(LISTED))).toBe('studio/above-cap')
    expect(sentTo(world, '/generations')).toBe(1)
    dearer = 1
    world.clock.ahead += 600_000
    expect(await until(world, ((await again(LISTED)) as Job).id, 'done')).toMatchObject({ cost: LISTED })
  })

  it('has the new cap for a batch, or the earlier one', async () => {
    const file = await uploaded(world, 'people.csv', Buffer.from(TABLE))
    const { id } = await start(world, batch(file, { most: '1000000000000' }))
    await until(world, id, 'done')
    const price = BigInt((await get(world, id)).cost ?? 0) / 3n
    expect(codeOf(await world.call('studio/again', { jobId: id, most: (price * 3n - 1n).toString() }))).toBe(
      'studio/above-cap',
    )
    const capped = (await world.call('studio/again', { jobId: id, most: (price * 3n).toString() })) as Job
    expect(await until(world, capped.id, 'done')).toMatchObject({
      rows: { done: 3, failed: 0, unknown: 0 },
      ask: { most: (price * 3n).toString() },
    })
    expect(await world.call('studio/again', { jobId: id })).toMatchObject({ ask: { most: '1000000000000' } })
  })
})

/** The service's answers, with the prices of its models multiplied. */
function raised(network: Fetch, times: number): Fetch {
  return async (url, init) => {
    const response = await network(url, init)
    if (!/\/v1\/models\?/.test(url)) return response
    const parts: Uint8Array[] = []
    for await (const part of response.body ?? []) parts.push(part)
    const text = Buffer.concat(parts)
      .toString()
      .replaceAll(
        /("base_price":\s*"?)([\d.]+)/g,
        (_, name: string, number: string) => `${name}${String(Number(number) * times)}`,
      )
    async function* body(): AsyncGenerator<Uint8Array, void> {
      yield await Promise.resolve(Buffer.from(text))
    }
    return {
      status: response.status,
      headers: {
        get: (name) => (name.toLowerCase() === 'content-length' ? null : response.headers.get(name)),
      },
      body: body(),
    }
  }
}

describe('a job that is paid per request', () => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld('B', 'single')
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length

  it('pays for no row of a batch with a cap while the exchange rate is unknown', async () => {
    const before = await payments()
    const { id } = await start(
      world,
      batch(await uploaded(world, 'people.csv', Buffer.from(TABLE)), { most: '1000000000000' }),
    )
    await world.call('studio/pay', { jobId: id })
    expect(await until(world, id, 'paused')).toMatchObject({
      failure: { code: 'studio/price-unknown' },
      rows: { done: 0, failed: 0, unknown: 0 },
    })
    expect(await payments()).toBe(before)
  }, 60_000)

  it('compares the quote with its cap before paying, once the rate is known', async () => {
    await learnRate(world)
    const before = await payments()
    const dear = String(BigInt(LISTED) - 1n)
    expect(codeOf(await start(world, ask, { most: dear }))).toBe('studio/above-cap')
    // By the listing it is within the cap, but in whole satoshis it costs slightly more.
    const quoted = await start(world, ask, { most: LISTED })
    expect(codeOf(quoted)).toBe('studio/above-cap')
    expect(await payments()).toBe(before)
    const { jobs } = (await world.call('studio/list', { kinds: ['image'] })) as { jobs: Job[] }
    expect(jobs).toEqual([])
    const job = await start(world, ask, { most: String(BigInt(LISTED) * 2n) })
    expect(BigInt(job.purchase?.worth ?? 0)).toBeGreaterThan(BigInt(LISTED))
    await world.call('studio/pay', { jobId: job.id })
    await until(world, job.id, 'done')
    expect(await payments()).toBe(before + 1)
  }, 60_000)

  it('pays for as many rows of a batch as the cap allows', async () => {
    const before = await payments()
    const { id, estimate } = await start(
      world,
      batch(await uploaded(world, 'people.csv', Buffer.from(TABLE)), { most: '50000000000' }),
    )
    expect(estimate).toMatchObject({ most: '69000000000' })
    await world.call('studio/pay', { jobId: id })
    expect(await until(world, id, 'paused')).toMatchObject({
      failure: { code: 'studio/cap-reached' },
      rows: { done: 2, failed: 0, unknown: 0 },
    })
    expect(await payments()).toBe(before + 2)
  }, 60_000)
})
