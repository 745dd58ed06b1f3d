import { describe, expect, it } from 'vitest'
import { namedIn, readJob } from '../../../src/core/payments/read-answer.ts'

const ADDRESS = 'https://service.example/v1/videos/gen_1?sig=x'
const bytes = (json: unknown) => Buffer.from(JSON.stringify(json))
const bodyOf = (json: unknown) => ReadableStream.from([bytes(json)])

/** The address is the only way to query a paid video, so the address survives any other content of the answer. */
describe('a video that was begun', () => {
  it.each([
    ['pending', 'pending'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['queued', 'pending'],
    ['processing', 'pending'],
    ['in_progress', 'pending'],
    ['a word that nobody knows', 'pending'],
    [7, 'pending'],
    [undefined, 'pending'],
  ])('%s is %s', (status, expected) => {
    expect(namedIn('videos', bytes({ id: 'gen_1', status, status_url: ADDRESS }))).toEqual({
      images: [],
      job: { id: 'gen_1', status: expected },
      statusUrl: ADDRESS,
    })
  })
})

describe('a video that is asked about', () => {
  const ask = (json: unknown, status = 200) => readJob({ status, body: bodyOf(json) })
  it.each([
    ['pending', 'pending'],
    ['queued', 'pending'],
    ['RUNNING', 'pending'],
    ['in_progress', 'pending'],
    ['failed', 'failed'],
    ['Canceled', 'failed'],
    ['Succeeded', 'completed'],
  ])('%s is %s', async (status, expected) => {
    expect(await ask({ id: 'gen_1', status })).toMatchObject({ status: expected })
    expect(await ask({ data: { id: 'gen_1', status } })).toMatchObject({ status: expected })
  })
  it('completed names its clip', async () => {
    for (const data of [{ url: 'https://service.example/clip' }, [{ url: 'https://service.example/clip' }]])
      expect(await ask({ status: 'completed', data })).toEqual({
        status: 'completed',
        url: 'https://service.example/clip',
      })
  })
  it.each([
    [{ id: 'gen_1', status: 'running', progress: 40 }],
    [{ message: 'Still processing' }],
    [{ status: 'failed' }],
    ['text'],
  ])('is pending by status 202, whatever the body is: %j', async (json) => {
    expect(await ask(json, 202)).toMatchObject({ status: 'pending' })
  })
  it('is pending by status 202 without a body', async () => {
    expect(await readJob({ status: 202, body: ReadableStream.from([]) })).toEqual({ status: 'pending' })
  })
  it.each([[{ status: 'a word that is unknown' }], [{}], [[]], ['text']])(
    'is not read from %j',
    async (json) => {
      expect(await ask(json)).toBeUndefined()
      for (const status of [408, 425, 429, 500, 503, 301])
        expect(await ask({ status: 'failed' }, status)).toBeUndefined()
    },
  )
  it.each([400, 401, 404, 410, 422])('has failed if the service answers %i', async (status) => {
    expect(await ask({ error: { message: 'No such job' } }, status)).toMatchObject({
      status: 'failed',
      says: 'No such job',
    })
  })
})
