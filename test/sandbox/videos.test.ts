import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { paidRequest } from './paid-request.ts'
import { bearer, dollar, startService, type Service } from './service-client.ts'

interface Job {
  readonly id: string
  readonly status: string
  readonly status_url?: string
  readonly field?: string
  readonly data?: { readonly url: string; readonly content_type: string }
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.control.setBalance(service.account.creditId, 20n * dollar))
afterAll(() => service[Symbol.asyncDispose]())

const model = 'sandbox/carosello-video'
const wait = () => {
  service.clock.now += 60_000
}
async function submit(body: object): Promise<{ status: number; job: Job }> {
  const answer = await service.call('POST', '/v1/videos', { body, headers: bearer(service.account.apiKey) })
  return { status: answer.status, job: answer.body as unknown as Job }
}
async function poll(id: string, apiKey = service.account.apiKey): Promise<[number, Job]> {
  const answer = await service.call('GET', `/v1/videos/${id}`, { headers: bearer(apiKey) })
  return [answer.status, answer.body as unknown as Job]
}

/** The boxes of an MP4 file, of one level only. */
function boxes(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
    found.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + bytes.readUInt32BE(at)))
  return found
}

test('a job is pending with 202 and completed with 200, with the fields of the specification', async () => {
  const created = Math.floor(service.clock.now / 1000)
  const { status, job } = await submit({ model, prompt: 'waves', duration: '5', quality: '480p' })
  expect([status, job]).toEqual([
    202,
    {
      id: expect.stringMatching(/^gen_[A-Za-z0-9]+$/) as string,
      model,
      status: 'pending',
      created,
      estimated_cost: 0.20125,
    },
  ])
  expect(await poll(job.id)).toEqual([202, { id: job.id, model, status: 'pending', created }])
  wait()
  const [done, { data, ...rest }] = await poll(job.id)
  expect([done, rest, data?.content_type]).toEqual([
    200,
    { id: job.id, model, status: 'completed', created, cost: 0.20125 },
    'video/mp4',
  ])
  expect(service.control.records().at(-1)).toMatchObject({
    model,
    type: 'video_generation',
    picoUsd: 201_250_000_000n,
  })
})

test('the video is an MP4 file with a correct index, whole and in ranges', async () => {
  const { job } = await submit({
    model,
    prompt: 'waves',
    duration: '5',
    quality: '480p',
    aspect_ratio: '9:16',
  })
  wait()
  const url = (await poll(job.id))[1].data!.url
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.headers.get('content-type'), answer.headers.get('accept-ranges')]).toEqual([
    'video/mp4',
    'bytes',
  ])
  const top = boxes(bytes)
  expect([...top.keys()]).toEqual(['ftyp', 'moov', 'mdat'])
  const moov = top.get('moov')!
  const entry = moov.indexOf('avc1')
  expect([moov.readUInt16BE(entry + 28), moov.readUInt16BE(entry + 30)]).toEqual([480, 854])
  const sizes = Buffer.from(moov.subarray(moov.indexOf('stsz') + 12))
  const count = sizes.readUInt32BE(0)
  const offset = moov.readUInt32BE(moov.indexOf('stco') + 12)
  let at = offset
  for (let sample = 0; sample < count; sample += 1) {
    const size = sizes.readUInt32BE(4 + sample * 4)
    // Each sample has one unit. The first is a key frame (0x65), and the others are predicted from it (0x41).
    expect([bytes.readUInt32BE(at), bytes.readUInt8(at + 4)]).toEqual([size - 4, sample === 0 ? 0x65 : 0x41])
    at += size
  }
  expect([count, at]).toEqual([20, bytes.length])
  const part = await fetch(url, { headers: { range: 'bytes=4-7' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    `bytes 4-7/${bytes.length}`,
    'ftyp',
  ])
  const end = await fetch(url, { headers: { range: 'bytes=-10' } })
  expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes.subarray(-10))
  expect((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
})

test('the cost depends on duration and quality', async () => {
  const costs: unknown[] = []
  for (const asked of [{}, { duration: '10' }, { quality: '1080p' }])
    costs.push(
      ((await submit({ model, prompt: 'x', ...asked })).job as unknown as { estimated_cost: number })
        .estimated_cost,
    )
  expect(costs).toEqual([0.4025, 0.805, 0.805])
})

test('a failed job reports an error, and costs nothing', async () => {
  const { job } = await submit({ model, prompt: 'waves' })
  expect(service.control.failVideo(job.id)).toBe('failed')
  expect(await poll(job.id)).toEqual([
    200,
    {
      id: job.id,
      model,
      created: expect.any(Number) as number,
      status: 'failed',
      error: { message: 'Simulated failure of the sandbox' },
    },
  ])
  expect(service.control.records().at(-1)).toMatchObject({ picoUsd: 0n, errorCode: 'upstream_error' })
  expect([
    service.control.failVideo(job.id),
    service.control.failVideo('gen_none'),
    service.control.unbalanced(),
  ]).toEqual(['done', 'unknown', []])
})

test('a job paid per request is polled with its signed URL, without a key', async () => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'paid', quality: '480p' }),
  }
  const { answer } = await paidRequest(service, `${service.sandbox.baseUrl}/v1/videos`, init)
  const job = (await answer.json()) as Job
  expect([answer.status, job.status]).toEqual([202, 'pending'])
  expect((await fetch(job.status_url!)).status).toBe(202)
  wait()
  const done = await fetch(job.status_url!)
  expect([done.status, ((await done.json()) as Job).status]).toEqual([200, 'completed'])
  for (const change of [/\?.*/, /sig=./, /exp=\d+/])
    expect((await fetch(job.status_url!.replace(change, ''))).status).toBe(401)
  const { now } = service.clock
  service.clock.now += 24 * 3_600_000
  expect((await fetch(job.status_url!)).status).toBe(401)
  service.clock.now = now
  expect((await poll(job.id))[0]).toBe(404)
})

test('a failed job paid by invoice reports an error, and its record preserves the paid amount', async () => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'paid, and failing', quality: '480p' }),
  }
  const { answer } = await paidRequest(service, `${service.sandbox.baseUrl}/v1/videos`, init)
  const job = (await answer.json()) as Job
  const { picoUsd } = service.control.records().at(-1)!
  expect([service.control.failVideo(job.id), picoUsd > 0n]).toEqual(['failed', true])
  expect(await (await fetch(job.status_url!)).json()).toMatchObject({
    status: 'failed',
    error: { message: 'Simulated failure of the sandbox' },
  })
  expect(service.control.records().at(-1)).toMatchObject({
    creditId: null,
    picoUsd,
    errorCode: 'upstream_error',
  })
  expect(service.control.unbalanced()).toEqual([])
})

test('a job is visible only to its account', async () => {
  const { job } = await submit({ model, prompt: 'mine' })
  expect((await poll(job.id, service.control.createAccount(0n).apiKey))[0]).toBe(404)
  expect((await poll('gen_unknown'))[0]).toBe(404)
  expect((await service.call('GET', `/v1/videos/${job.id}`)).status).toBe(401)
})

test('a model that starts from an image needs one, and has a fixed duration', async () => {
  const fromImage = { model: 'sandbox/giostra-image-to-video', prompt: 'x' }
  expect(await submit(fromImage)).toMatchObject({ status: 400, job: { field: 'image_url' } })
  expect(await submit({ ...fromImage, image_url: 'https://example.org/a.png', duration: '5' })).toMatchObject(
    { status: 400, job: { field: 'duration' } },
  )
  expect((await submit({ ...fromImage, image_url: 'https://example.org/a.png', duration: '8' })).status).toBe(
    202,
  )
})

test.each([
  ['model', { prompt: 'x' }, 400],
  ['model', { model: 'no/such', prompt: 'x' }, 404],
  ['prompt', { model }, 400],
  ['prompt', { model, prompt: ' ' }, 400],
  ['aspect_ratio', { model, prompt: 'x', aspect_ratio: '5:4' }, 400],
  ['duration', { model, prompt: 'x', duration: '7' }, 400],
  ['duration', { model, prompt: 'x', duration: 5 }, 400],
  ['quality', { model, prompt: 'x', quality: '8K' }, 400],
  ['image_url', { model, prompt: 'x', image_url: 'nowhere' }, 400],
])(
  'a request with an invalid %s (%j) is refused with status %i, and nothing is debited',
  async (field, body, status) => {
    const before = service.control.records().length
    expect(await submit(body)).toMatchObject({ status, job: { field } })
    expect(service.control.records()).toHaveLength(before)
  },
)
