import { describe, expect, it } from 'vitest'
import { namedIn, readJob } from '../../../src/core/payment/read-answer.ts'

const ADDRESS = 'https://service.example/v1/videos/gen_1?sig=x'
const bytes = (json: unknown) => Buffer.from(JSON.stringify(json))
const bodyOf = (json: unknown) => ReadableStream.from([bytes(json)])

/** A video that is paid for can be asked about by its address alone: whatever else the answer says, that is not lost. */
describe('a video that was begun', () => {
  it.each([
    ['pending', 'pending'], ['completed', 'completed'], ['failed', 'failed'],
    ['queued', 'pending'], ['processing', 'pending'], ['in_progress', 'pending'],
    ['a word that nobody knows', 'pending'], [7, 'pending'], [undefined, 'pending'],
  ])('%s is %s', (status, expected) => {
    expect(namedIn('videos', bytes({ id: 'gen_1', status, status_url: ADDRESS }))).toEqual({ images: [], job: { id: 'gen_1', status: expected }, statusUrl: ADDRESS })
  })
})

describe('a video that is asked about', () => {
  it.each([['pending', 'pending'], ['queued', 'pending'], ['processing', 'pending'], ['in_progress', 'pending'], ['failed', 'failed']])('%s is %s', async (status, expected) => {
    expect(await readJob(bodyOf({ id: 'gen_1', status }))).toEqual({ status: expected })
  })
  it('completed names its clip', async () => {
    expect(await readJob(bodyOf({ status: 'completed', data: { url: 'https://service.example/clip' } }))).toEqual({ status: 'completed', clip: 'https://service.example/clip' })
    expect(await readJob(bodyOf({ status: 'completed', data: [{ url: 'https://service.example/clip' }] }))).toEqual({ status: 'completed', clip: 'https://service.example/clip' })
  })
  it.each([[{ status: 'a word that nobody knows' }], [{}], [[]], ['text']])('is no state where it says %j', async (json) => {
    await expect(readJob(bodyOf(json))).rejects.toMatchObject({ code: 'service/response-invalid' })
  })
})
