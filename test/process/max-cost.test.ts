import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Failure } from '../../src/shared/contract/failure.ts'
import type { Job } from '../../src/shared/job.ts'
import { BRUSH, learnRate, PAINTER } from '../core/jobs/studio-world.ts'
import { parseStdout, startOwnedWorld, type OwnedWorld } from './owned-world.ts'

interface Answer {
  readonly job: Job
  readonly error?: Failure
}

/**
 * `--max-cost` of automatic payments per request (402), after the service has reported the value of a
 * satoshi. An image has a list price of $0.0115, a row of $0.023.
 */
let world: OwnedWorld
let folder: string
beforeAll(async () => {
  world = await startOwnedWorld('B', 'single')
  await learnRate(world)
  folder = await mkdtemp(join(tmpdir(), 'sotto-max-cost-'))
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
const single = ['--pay', 'single', '--yes', '--json']
const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length

it.each([
  ['by the listing', '0.0114'],
  ['by what the service asks for, in whole satoshis', '0.0115'],
])(
  'above it nothing is paid: %s',
  async (_how, most) => {
    const before = await payments()
    const refused = await world.sotto(['image', 'an otter', '--model', BRUSH, ...single, '--max-cost', most])
    expect([refused.code, (parseStdout(refused) as Answer).error?.code]).toEqual([1, 'studio/above-cap'])
    expect(await payments()).toBe(before)
    expect(parseStdout(await world.sotto(['jobs', 'list', '--kind', 'image', '--json']))).toEqual({
      jobs: [],
    })
  },
  60_000,
)

it('within it is paid, once; and asked for again within another', async () => {
  const before = await payments()
  const result = await world.sotto([
    'image',
    'a heron',
    '--model',
    PAINTER,
    '--quality',
    'low',
    ...single,
    '--max-cost',
    '0.5',
  ])
  const { job } = parseStdout(result) as Answer
  expect([result.code, job.state, job.purchase?.state]).toEqual([0, 'done', 'delivered'])
  expect(job.purchase).toMatchObject({ worthUsd: expect.stringMatching(/^0\.\d*[1-9]/) as string })
  expect(await payments()).toBe(before + 1)
  const refused = await world.sotto(['image', '--again', job.id, ...single, '--max-cost', '0.0001'])
  expect([refused.code, (parseStdout(refused) as Answer).error?.code, await payments()]).toEqual([
    1,
    'studio/above-cap',
    before + 1,
  ])
  const again = await world.sotto(['image', '--again', job.id, ...single, '--max-cost', '0.5'])
  expect([again.code, (parseStdout(again) as Answer).job.state, await payments()]).toEqual([
    0,
    'done',
    before + 2,
  ])
}, 60_000)

it('of a table is for all of its rows; it is asked for again within another', async () => {
  const table = join(folder, 'rows.csv')
  await writeFile(table, 'name\notter\nheron\nfox\n')
  const before = await payments()
  const ask = ['data', '/api/people/people-search', '--batch', table, '--map', 'q_keywords=name', ...single]
  const refused = await world.sotto([...ask, '--max-cost', '0.068'])
  expect([refused.code, (parseStdout(refused) as Answer).error?.code, await payments()]).toEqual([
    1,
    'studio/above-cap',
    before,
  ])
  // By list price, all three rows fit. After rounding to whole satoshis, two of them do.
  const ran = await world.sotto([...ask, '--max-cost', '0.069'])
  const { job, error } = parseStdout(ran) as Answer
  expect([ran.code, job.state, job.rows, error?.code]).toEqual([
    1,
    'paused',
    { done: 2, failed: 0, unknown: 0 },
    'studio/cap-reached',
  ])
  expect(await payments()).toBe(before + 2)
  const less = await world.sotto(['data', '--again', job.id, ...single, '--max-cost', '0.03'])
  expect([less.code, (parseStdout(less) as Answer).error?.code, await payments()]).toEqual([
    1,
    'studio/above-cap',
    before + 2,
  ])
  const again = await world.sotto(['data', '--again', job.id, ...single, '--max-cost', '0.08'])
  expect([again.code, (parseStdout(again) as Answer).job.rows, await payments()]).toEqual([
    0,
    { done: 3, failed: 0, unknown: 0 },
    before + 5,
  ])
}, 60_000)
