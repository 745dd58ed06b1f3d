import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobEstimate, PayWay } from '../../../src/shared/job.ts'
import type { BatchRow, BatchRows, CsvTable } from '../../../src/shared/job-rows.ts'
import type { Fetch, FetchResponse } from '../../../src/shared/fetch.ts'
import {
  at,
  codeOf,
  get,
  learnRate,
  start,
  startStudioWorld,
  until,
  upload,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'

const PRICE = 23_000_000_000n
const CSV =
  'who,town,how many\n"Otter, Ada",Basel; Bern,2\n,,\nBea Beaver,Chur,many\n"=HYPERLINK(""x"")",Chur,3\n'
const ask = (file: object, more: object = {}) => ({
  kind: 'batch',
  method: 'POST',
  path: '/api/people/people-search',
  file,
  columns: {
    q_keywords: { column: 0 },
    person_locations: { column: 1, as: 'list' },
    per_page: { column: 2, as: 'number' },
  },
  ...more,
})
const rowsOf = async (world: StudioWorld, jobId: string, more: object = {}) =>
  (await world.call('studio/rows', { jobId, ...more })) as BatchRows
const sent = (world: StudioWorld) =>
  world.sandbox.received().filter(({ path }) => path.endsWith('/people-search')).length
const many = (count: number) =>
  Buffer.from(`who\n${Array.from({ length: count }, (_, index) => `Otter ${String(index)}`).join('\n')}\n`)
const simple = (file: object, more: object = {}) => ({
  kind: 'batch',
  method: 'POST',
  path: '/api/people/people-search',
  file,
  columns: { q_keywords: { column: 0 } },
  ...more,
})

async function began(world: StudioWorld, asked: object): Promise<string> {
  const job = await start(world, asked)
  if (codeOf(job) !== 'not refused') throw new Error(codeOf(job))
  if (world.pay === 'single') {
    expect(job).toMatchObject({ state: 'ready', may: ['pay', 'stop'] })
    await world.call('studio/pay', { jobId: job.id })
  }
  return job.id
}

async function results(world: StudioWorld, jobId: string, format: string): Promise<string> {
  const { path } = (await world.call('studio/results', { jobId, format })) as { path: string }
  const response = await at(world, path)
  expect(response.status).toBe(200)
  return response.text()
}

describe.each([
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const)('a batch, Revision %s, %s', (revision, pay: PayWay) => {
  let world: StudioWorld
  beforeEach(async () => {
    world = await startStudioWorld(revision, pay)
    // A cap is in dollars: what is asked for in satoshis is held to it by a rate.
    if (pay === 'single') await learnRate(world)
  }, 60_000)
  /** So many rows and no more; an invoice is of whole satoshis, and so worth a little more than the price. */
  const budgetFor = (rows: bigint): string => String(PRICE * rows + (pay === 'single' ? PRICE / 2n : 1n))
  afterEach(() => world[Symbol.asyncDispose]())

  it('is estimated, runs row by row with a cost for each row, and is exported', async () => {
    const file = await uploaded(world, 'people.csv', Buffer.from(CSV))
    expect(await world.call('studio/table', { file })).toMatchObject({
      columns: ['who', 'town', 'how many'],
      rows: 4,
      delimiter: ',',
      encoding: 'utf-8',
    } satisfies Partial<CsvTable>)
    expect(await world.call('studio/estimate', { ask: ask(file) })).toEqual({
      cost: { least: String(PRICE * 2n), most: String(PRICE * 2n) },
      unknown: [],
      counted: { of: 4, unusable: 2, requests: 2 },
    } satisfies JobEstimate)
    expect(sent(world)).toBe(0)
    const id = await began(world, ask(file, { most: budgetFor(2n) }))
    const job = await until(world, id, 'failed')
    expect(job).toMatchObject({
      failure: { code: 'studio/rows-failed' },
      parts: { of: 4, done: 2 },
      rows: { done: 2, failed: 2, unknown: 0 },
      ...(pay === 'balance' ? { cost: String(PRICE * 2n) } : { paidMsat: expect.any(String) as string }),
    })
    const { columns, total, rows } = await rowsOf(world, id)
    expect([columns, total, rows.map(({ state }) => state)]).toEqual([
      ['who', 'town', 'how many'],
      4,
      ['done', 'failed', 'failed', 'done'],
    ])
    expect(rows[0]).toMatchObject({
      cells: ['Otter, Ada', 'Basel; Bern', '2'],
      ...(pay === 'balance'
        ? { cost: String(PRICE) }
        : { paidMsat: expect.stringMatching(/^\d+$/) as string, purchaseId: expect.any(String) as string }),
    })
    expect(rows[2]?.failure?.code).toBe('studio/invalid-cell')
    expect((await rowsOf(world, id, { states: ['failed'], from: 1 })).rows.map(({ index }) => index)).toEqual(
      [2],
    )
    expect(
      JSON.parse(((await world.call('studio/row', { jobId: id, index: 0 })) as BatchRow).answer ?? ''),
    ).toBeTypeOf('object')
    const csv = await results(world, id, 'csv')
    expect(csv).toMatch(/^who,town,how many,state,cost_usd,/)
    expect(csv).toContain(`"'=HYPERLINK(""x"")",Chur,3,done,${pay === 'balance' ? '0.023' : ''},`)
    expect(JSON.parse(await results(world, id, 'json'))).toMatchObject([
      { row: 1, cells: { who: 'Otter, Ada' }, state: 'done' },
      { state: 'failed' },
      { error: { code: 'studio/invalid-cell' } },
      { state: 'done' },
    ])
    expect(sent(world)).toBe(pay === 'balance' ? 2 : 4)
  }, 60_000)

  it('never costs more than its cap, resumes with a higher cap, and pays for no row twice', async () => {
    const file = await uploaded(world, 'people.csv', many(9))
    const id = await began(world, simple(file, { most: budgetFor(4n), concurrency: 8 }))
    const job = await until(world, id, 'paused')
    expect(job).toMatchObject({
      failure: { code: 'studio/cap-reached' },
      rows: { done: 4, failed: 0, unknown: 0 },
    })
    expect(job.may).toContain('resume')
    await world.call('studio/resume', { jobId: id, most: budgetFor(9n) })
    expect(await until(world, id, 'done')).toMatchObject({
      parts: { of: 9, done: 9 },
      ...(pay === 'balance' && { cost: String(PRICE * 9n) }),
    })
    const { rows } = await rowsOf(world, id)
    expect(new Set(rows.map(({ receiptId }) => receiptId)).size).toBe(9)
    if (pay === 'balance') expect(sent(world)).toBe(9)
    else
      expect(
        ((await world.call('purchases/list')) as { state: string }[]).filter(
          ({ state }) => state === 'delivered',
        ),
      ).toHaveLength(9)
  }, 60_000)
})

describe('a batch with failures', () => {
  let world: StudioWorld
  let trouble: ((url: string, respond: () => Promise<FetchResponse>) => Promise<FetchResponse>) | undefined
  beforeEach(async () => {
    trouble = undefined
    const fetch =
      (network: Fetch): Fetch =>
      (url, init) =>
        trouble && url.endsWith('/people-search')
          ? trouble(url, () => network(url, init))
          : network(url, init)
    world = await startStudioWorld('B', 'balance', { fetch })
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  it.each([
    ['300,000 rows', many(300_000), 'studio/csv-rows'],
    ['broken text', Buffer.concat([many(5), Buffer.from([0xff, 0xfe, 0xfd])]), 'studio/text-encoding'],
    [
      'something that is no text',
      Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(64)]),
      'studio/text-encoding',
    ],
    ['an open quote', Buffer.from('who\n"Otter\nBeaver\n'), 'studio/csv-malformed'],
    ['rows of other lengths', Buffer.from('who,where\nOtter,Basel\nBeaver\n'), 'studio/csv-malformed'],
    ['names alone', Buffer.from('who\n'), 'studio/csv-empty'],
  ])(
    '%s is refused before anything is sent',
    async (_, bytes, code) => {
      const file = await uploaded(world, 'people.csv', bytes)
      for (const refused of [
        await world.call('studio/table', { file }),
        await world.call('studio/estimate', { ask: simple(file) }),
        await start(world, simple(file)),
      ])
        expect(codeOf(refused)).toBe(code)
      expect(sent(world)).toBe(0)
      expect(((await world.call('studio/list', {})) as { jobs: unknown[] }).jobs).toEqual([])
    },
    60_000,
  )

  it('an empty file, an unknown column, a field that is set twice and a private model are refused', async () => {
    expect(await upload(world, 'people.csv', new Uint8Array(0))).toEqual({ code: 'studio/file-empty' })
    const file = await uploaded(world, 'people.csv', many(2))
    expect(codeOf(await start(world, simple(file, { columns: { q_keywords: { column: 1 } } })))).toBe(
      'studio/csv-column',
    )
    expect(codeOf(await start(world, simple(file, { input: { Q_keywords: 'x' } })))).toBe(
      'studio/parameter-clash',
    )
    expect(codeOf(await start(world, simple(file, { input: { model: 'private/x' } })))).toBe('privacy/path')
    expect(codeOf(await start(world, simple(file, { path: '/../keys' })))).toBe('proxy/path-unknown')
    expect(
      codeOf(await start(world, simple(file, { method: 'GET', columns: { a: { column: 0, as: 'list' } } }))),
    ).toBe('request/invalid')
    expect(sent(world)).toBe(0)
  })

  it('UTF-16 with a byte order mark and other delimiters are read', async () => {
    const file = await uploaded(
      world,
      'people.csv',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('who;wo\r\n"Ötter";Zürich\r\n', 'utf16le')]),
    )
    expect(await world.call('studio/table', { file })).toEqual({
      columns: ['who', 'wo'],
      rows: 1,
      sample: [['Ötter', 'Zürich']],
      delimiter: ';',
      encoding: 'utf-16le',
    } satisfies CsvTable)
  })

  it('pauses after the requests in progress, and resumes', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    trouble = async (_, respond) => {
      await released
      return respond()
    }
    const id = await began(world, simple(await uploaded(world, 'people.csv', many(6)), { concurrency: 2 }))
    await expect.poll(async () => (await rowsOf(world, id, { states: ['sending'] })).total).toBe(2)
    expect((await get(world, id)).may).toEqual(['stop', 'pause'])
    await world.call('studio/pause', { jobId: id })
    release()
    const paused = await until(world, id, 'paused')
    expect(paused).toMatchObject({ rows: { done: 2, failed: 0, unknown: 0 }, may: ['again', 'resume'] })
    expect(paused.failure).toBeUndefined()
    expect((await rowsOf(world, id, { states: ['ready'] })).rows.map(({ index }) => index)).toEqual([
      2, 3, 4, 5,
    ])
    await world.call('studio/resume', { jobId: id })
    await until(world, id, 'done')
    expect(sent(world)).toBe(6)
  })

  it('a row whose connection breaks is unknown, and isn’t sent again until its owner resumes it', async () => {
    let broken = 0
    trouble = async (_, respond) => {
      const response = await respond()
      if (broken++ !== 1) return response
      return {
        ...response,
        headers: response.headers,
        body: (async function* () {
          yield await Promise.resolve(Buffer.from('{'))
          throw new Error('connection reset')
        })(),
      }
    }
    const id = await began(world, simple(await uploaded(world, 'people.csv', many(4)), { concurrency: 1 }))
    expect(await until(world, id, 'failed')).toMatchObject({
      failure: { code: 'studio/rows-failed' },
      rows: { done: 3, failed: 0, unknown: 1 },
    })
    expect((await get(world, id)).may).toEqual(['again', 'resume', 'compare'])
    await world.call('studio/resume', { jobId: id })
    await until(world, id, 'failed')
    expect(sent(world)).toBe(4)
    await world.call('studio/resume', { jobId: id, rows: ['unknown'] })
    expect(await until(world, id, 'done')).toMatchObject({ rows: { done: 4, failed: 0, unknown: 0 } })
    expect(sent(world)).toBe(5)
  })

  it('pauses if the service refuses every request, with the row unsent, and waits if it limits the rate', async () => {
    const control = await world.sandbox.control()
    control.setRouteFault('POST /v1/data/api/people/people-search', { status: 402 })
    const id = await began(world, simple(await uploaded(world, 'people.csv', many(3)), { concurrency: 1 }))
    expect(await until(world, id, 'paused')).toMatchObject({
      failure: { code: 'service/insufficient-balance' },
      rows: { done: 0, failed: 0, unknown: 0 },
    })
    expect((await rowsOf(world, id, { states: ['ready'] })).total).toBe(3)
    control.setRouteFault('POST /v1/data/api/people/people-search', null)
    let late = 0
    trouble = (_, respond) =>
      late++ === 0
        ? Promise.resolve({
            status: 429,
            headers: { get: (name) => (name.toLowerCase() === 'retry-after' ? '0' : null) },
            body: null,
          })
        : respond()
    await world.call('studio/resume', { jobId: id })
    await until(world, id, 'done')
    expect(late).toBe(4)
  })

  it('another account pays for none of its rows', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    trouble = async (_, respond) => {
      await released
      return respond()
    }
    const id = await began(world, simple(await uploaded(world, 'people.csv', many(3)), { concurrency: 1 }))
    await expect.poll(async () => (await rowsOf(world, id, { states: ['sending'] })).total).toBe(1)
    await world.call('accounts/disconnect')
    release()
    expect(await until(world, id, 'paused')).toMatchObject({ failure: { code: 'service/no-account' } })
    expect(sent(world)).toBeLessThanOrEqual(1)
  })

  it('can be repeated as a new batch with the saved rows', async () => {
    const id = await began(world, simple(await uploaded(world, 'people.csv', many(3))))
    await until(world, id, 'done')
    const { id: again } = (await world.call('studio/again', { jobId: id })) as { id: string }
    expect(await until(world, again, 'done')).toMatchObject({ parts: { of: 3, done: 3 } })
    expect(sent(world)).toBe(6)
    await world.call('studio/remove', { jobIds: [id] })
    expect((await rowsOf(world, again)).rows.map(({ cells }) => cells)).toEqual([
      ['Otter 0'],
      ['Otter 1'],
      ['Otter 2'],
    ])
  })
})
