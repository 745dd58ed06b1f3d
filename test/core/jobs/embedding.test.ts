import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobEstimate } from '../../../src/shared/job.ts'
import type { VectorPage } from '../../../src/shared/job-rows.ts'
import type { Fetch, FetchResponse } from '../../../src/shared/fetch.ts'
import {
  at,
  bytesOf,
  codeOf,
  get,
  sentTo,
  start,
  startStudioWorld,
  until,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'

const SMALL = 'sandbox/eco-embedding-small'
const LARGE = 'sandbox/eco-embedding-large'
const lines = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, index) => `otter number ${String(index)}`).join('\n'))
const ofLines = (file: object, more: object = {}) => ({
  kind: 'embedding',
  model: SMALL,
  source: { form: 'lines', file },
  ...more,
})
const vectors = async (world: StudioWorld, jobId: string, more: object = {}) =>
  (await world.call('studio/vectors', { jobId, ...more })) as VectorPage
const floats = (page: VectorPage) =>
  new Float32Array(Uint8Array.from(Buffer.from(page.vectors, 'base64')).buffer)

async function began(world: StudioWorld, ask: object): Promise<string> {
  const job = await start(world, ask)
  if (codeOf(job) !== 'not refused') throw new Error(codeOf(job))
  return job.id
}

async function results(world: StudioWorld, jobId: string, format: string): Promise<Buffer> {
  const { path } = (await world.call('studio/results', { jobId, format })) as { path: string }
  return Buffer.from(await (await at(world, path)).arrayBuffer())
}

describe.each(['A', 'B'] as const)('embedding texts, Revision %s', (revision) => {
  let world: StudioWorld
  beforeEach(async () => {
    world = await startStudioWorld(revision, 'balance')
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  it('sends them in parts, at their price, and returns the vectors in order', async () => {
    const file = await uploaded(
      world,
      'texts.txt',
      Buffer.concat([lines(300), Buffer.from('\r\n\n  the last otter  \n')]),
    )
    const ask = ofLines(file)
    const { cost, counted } = (await world.call('studio/estimate', { ask })) as JobEstimate
    expect(counted).toEqual({ of: 301, unusable: 0, requests: 2 })
    expect(sentTo(world, '/embeddings')).toBe(0)
    const job = await until(world, await began(world, ask), 'done')
    expect(job).toMatchObject({
      parts: { of: 301, done: 301 },
      vectors: { count: 301, dimensions: 512 },
      files: [{ role: 'given' }, { role: 'made', bytes: 301 * 512 * 4 }],
    })
    expect(BigInt(job.cost ?? 0)).toBeGreaterThanOrEqual(BigInt(cost?.least ?? 0))
    expect(BigInt(job.cost ?? 0)).toBeLessThanOrEqual(BigInt(cost?.most ?? 0))
    expect(sentTo(world, '/embeddings')).toBe(2)
    const page = await vectors(world, job.id, { from: 299, limit: 10 })
    expect([page.total, page.labels]).toEqual([301, ['otter number 299', 'the last otter']])
    const whole = await bytesOf(world, job.id, 1)
    expect(Buffer.from(page.vectors, 'base64')).toEqual(whole.subarray(299 * 512 * 4))
    // The same text has the same vector at every position.
    const again = await until(
      world,
      await began(world, ofLines(await uploaded(world, 'one.txt', Buffer.from('the last otter')))),
      'done',
    )
    expect(floats(await vectors(world, again.id))).toEqual(
      floats(await vectors(world, job.id, { from: 300 })),
    )
  }, 60_000)

  it('reads a column, files or JSON Lines, and sets the dimensions if the model supports it', async () => {
    const csv = await uploaded(
      world,
      'people.csv',
      Buffer.from('name;about\nAda;"swims; dives"\nBea;\nCyd;builds\n'),
    )
    const column = await until(
      world,
      await began(world, {
        kind: 'embedding',
        model: LARGE,
        dimensions: 64,
        source: { form: 'csv', file: csv, column: 1 },
      }),
      'done',
    )
    expect(await vectors(world, column.id)).toMatchObject({
      total: 2,
      dimensions: 64,
      labels: ['swims; dives', 'builds'],
    })
    const files = [
      await uploaded(world, 'a.txt', Buffer.from('one\ntext')),
      await uploaded(world, 'b.md', Buffer.from('another')),
    ]
    const each = await until(
      world,
      await began(world, { kind: 'embedding', model: SMALL, source: { form: 'files', files } }),
      'done',
    )
    expect((await vectors(world, each.id)).labels).toEqual(['a.txt', 'b.md'])
    const jsonl = await uploaded(
      world,
      'x.jsonl',
      Buffer.from('"plain"\n{"text":"with a label","label":"L"}\n'),
    )
    const listed = await until(
      world,
      await began(world, { kind: 'embedding', model: SMALL, source: { form: 'jsonl', file: jsonl } }),
      'done',
    )
    expect((await vectors(world, listed.id)).labels).toEqual(['plain', 'L'])
    const { id } = (await world.call('studio/again', { jobId: each.id })) as { id: string }
    await until(world, id, 'done')
    expect((await vectors(world, id)).vectors).toBe((await vectors(world, each.id)).vectors)
  }, 60_000)

  it('exports CSV, JSON, NPY and Parquet with the same numbers', async () => {
    const id = await began(world, {
      kind: 'embedding',
      model: LARGE,
      dimensions: 8,
      source: {
        form: 'lines',
        file: await uploaded(world, 'texts.txt', Buffer.from('=1+1\notters, two\n"beaver"')),
      },
    })
    await until(world, id, 'done')
    const expected = floats(await vectors(world, id))
    const csv = (await results(world, id, 'csv')).toString().trim().split('\r\n')
    expect(csv[0]).toBe('label,text,v0,v1,v2,v3,v4,v5,v6,v7')
    expect(csv[1]).toMatch(/^'=1\+1,'=1\+1,/)
    expect(Float32Array.from(csv[1]?.split(',').slice(2).map(Number) ?? [])).toEqual(expected.subarray(0, 8))
    const json = JSON.parse((await results(world, id, 'json')).toString()) as {
      data: { text: string; embedding: number[] }[]
    }
    expect(json.data.map(({ text }) => text)).toEqual(['=1+1', 'otters, two', '"beaver"'])
    expect(Float32Array.from(json.data.flatMap(({ embedding }) => embedding))).toEqual(expected)
    const npy = await results(world, id, 'npy')
    expect([npy.subarray(0, 8).toString('latin1'), (10 + npy.readUInt16LE(8)) % 64]).toEqual([
      '\x93NUMPY\x01\x00',
      0,
    ])
    expect(npy.subarray(10, 10 + npy.readUInt16LE(8)).toString()).toContain("'shape': (3, 8)")
    expect(npy.subarray(10 + npy.readUInt16LE(8))).toEqual(await bytesOf(world, id, 1))
    const parquet = await results(world, id, 'parquet')
    const rows = (await parquetReadObjects({ file: Uint8Array.from(parquet).buffer })) as {
      label: string
      text: string
      embedding: number[]
    }[]
    expect(rows.map(({ text }) => text)).toEqual(['=1+1', 'otters, two', '"beaver"'])
    expect(Float32Array.from(rows.flatMap(({ embedding }) => embedding))).toEqual(expected)
  }, 60_000)
})

describe('interrupted embedding', () => {
  let world: StudioWorld
  let trouble: ((respond: () => Promise<FetchResponse>) => Promise<FetchResponse>) | undefined
  beforeEach(async () => {
    trouble = undefined
    const fetch =
      (network: Fetch): Fetch =>
      (url, init) =>
        trouble && url.endsWith('/embeddings') ? trouble(() => network(url, init)) : network(url, init)
    world = await startStudioWorld('B', 'balance', { fetch })
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  const broken = async (respond: () => Promise<FetchResponse>): Promise<FetchResponse> => {
    const response = await respond()
    return {
      ...response,
      headers: response.headers,
      body: (async function* () {
        yield await Promise.resolve(Buffer.from('{'))
        throw new Error('connection reset')
      })(),
    }
  }

  it('saves finished parts, and resends none of them when its owner resumes', async () => {
    let asked = 0
    trouble = (respond) => (asked++ === 1 ? broken(respond) : respond())
    const id = await began(world, ofLines(await uploaded(world, 'texts.txt', lines(700))))
    expect(await until(world, id, 'unknown')).toMatchObject({
      parts: { of: 700, done: 256 },
      vectors: { count: 256, dimensions: 512 },
      may: ['again', 'resume', 'compare'],
    })
    expect((await vectors(world, id, { from: 255 })).labels).toEqual(['otter number 255'])
    expect((await results(world, id, 'npy')).byteLength % (512 * 4)).toBe(128)
    await world.call('studio/resume', { jobId: id })
    expect(await until(world, id, 'done')).toMatchObject({ vectors: { count: 700 } })
    expect(sentTo(world, '/embeddings')).toBe(4)
  }, 60_000)

  it.each([
    ['pause', 'paused'],
    ['stop', 'stopped'],
  ] as const)(
    '%s sends no further part, and the job can be resumed',
    async (how, state) => {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let left = 0
      trouble = async (respond) => {
        left += 1
        await released
        return respond()
      }
      const id = await began(world, ofLines(await uploaded(world, 'texts.txt', lines(600))))
      await expect.poll(() => left).toBe(1)
      await world.call(`studio/${how}`, { jobId: id })
      release()
      expect(await until(world, id, state)).toMatchObject({
        parts: { of: 600, done: 256 },
        may: ['again', 'resume'],
      })
      await world.call('studio/resume', { jobId: id })
      await until(world, id, 'done')
      expect(sentTo(world, '/embeddings')).toBe(3)
    },
    60_000,
  )

  it('a response without a vector, or with different lengths, is refused', async () => {
    for (const data of [
      [{ index: 0, embedding: [1] }],
      [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] },
      ],
      [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [2, 3] },
      ],
      [
        { index: 0, embedding: [1e300] },
        { index: 1, embedding: [1] },
      ],
    ]) {
      trouble = () =>
        Promise.resolve({
          status: 200,
          headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
          body: (async function* () {
            yield await Promise.resolve(Buffer.from(JSON.stringify({ data, usage: { total_tokens: 2 } })))
          })(),
        })
      const id = await began(world, ofLines(await uploaded(world, 'texts.txt', lines(2))))
      expect((await until(world, id, 'failed')).failure?.code).toBe('service/response-invalid')
      expect((await get(world, id)).vectors).toBeUndefined()
    }
  })

  it.each([
    ['bytes that are no text', Buffer.from([0x50, 0xff, 0xfe, 0x00]), 'studio/text-encoding'],
    ['nothing but empty lines', Buffer.from('\n \n\n'), 'studio/no-texts'],
    ['100,001 texts', Buffer.from('x\n'.repeat(100_001)), 'studio/too-many-texts'],
    ['a text that no model takes', Buffer.from('x'.repeat(8191 * 8 + 1)), 'studio/text-too-long'],
  ])(
    '%s is refused before anything is sent',
    async (_, bytes, code) => {
      expect(codeOf(await start(world, ofLines(await uploaded(world, 'texts.txt', bytes))))).toBe(code)
      expect(sentTo(world, '/embeddings')).toBe(0)
    },
    60_000,
  )

  it('can only be paid from the balance, and accepts no private model', async () => {
    const ask = ofLines(await uploaded(world, 'texts.txt', lines(2)))
    expect(codeOf(await start(world, ask, { pay: 'single' }))).toBe('studio/balance-only')
    expect(codeOf(await start(world, { ...ask, model: 'private/x' }))).toBe('privacy/path')
    expect(codeOf(await start(world, { ...ask, extra: { input: 'x' } }))).toBe('studio/parameter-clash')
    expect(codeOf(await start(world, ask, { most: '1' }))).toBe('studio/above-cap')
  })
})
