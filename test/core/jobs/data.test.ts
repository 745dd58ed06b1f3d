import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobEstimate, PayWay } from '../../../src/shared/job.ts'
import { bytesOf, codeOf, make, start, startStudioWorld, type StudioWorld } from './studio-world.ts'

describe.each([
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const)('data, Revision %s, %s', (revision, pay: PayWay) => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld(revision, pay)
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it('is requested at its listed price, and its answer is saved unchanged', async () => {
    const ask = {
      kind: 'data',
      method: 'POST',
      path: '/api/people/people-search',
      input: { q_keywords: 'otter keeper', person_locations: ['Basel'], per_page: 3 },
    }
    const { cost } = (await world.call('studio/estimate', { ask })) as JobEstimate
    expect(cost).toEqual({ least: '23000000000', most: '23000000000' })
    const job = await make(world, ask)
    expect(job).toMatchObject({
      kind: 'data',
      files: [{ index: 0, role: 'answer', type: 'application/json' }],
      ...(pay === 'balance' && { cost: '23000000000' }),
    })
    expect(JSON.parse((await bytesOf(world, job.id, 0)).toString())).toBeTypeOf('object')
    expect(
      ((await world.call('studio/list', { text: 'basel keeper' })) as { jobs: { id: string }[] }).jobs.map(
        ({ id }) => id,
      ),
    ).toEqual([job.id])
  })
  it('is requested with a query if the endpoint is a GET', async () => {
    const job = await make(world, {
      kind: 'data',
      method: 'GET',
      path: '/api/maps/place-details/partial',
      input: { placeId: 'abc' },
    })
    expect(world.sandbox.received().some(({ path }) => path.includes('place-details/partial'))).toBe(true)
    expect(job.state).toBe('done')
    expect(
      codeOf(
        await start(world, {
          kind: 'data',
          method: 'GET',
          path: '/api/maps/place-details/partial',
          input: { a: { b: 1 } },
        }),
      ),
    ).toBe('proxy/invalid-request')
  })
  it('has the microblog group only in Revision A', async () => {
    const ask = { kind: 'data', method: 'GET', path: '/x/tweets/search', input: { query: 'otters' } }
    if (revision === 'A') expect((await make(world, ask)).state).toBe('done')
    else expect(codeOf(await start(world, ask))).toBe('proxy/path-unknown')
  })
  it('is refused for a private model and for a path outside the data endpoints', async () => {
    expect(
      codeOf(
        await start(world, {
          kind: 'data',
          method: 'POST',
          path: '/api/websearch/search',
          input: { model: 'private/x' },
        }),
      ),
    ).toBe('privacy/path')
    expect(codeOf(await start(world, { kind: 'data', method: 'POST', path: '/../keys', input: {} }))).toBe(
      'proxy/path-unknown',
    )
  })
})
