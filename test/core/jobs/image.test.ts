import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Job, JobEstimate, PayWay, Upload } from '../../../src/shared/job.ts'
import { png } from './image-bytes.ts'
import {
  at,
  BRUSH,
  bytesOf,
  codeOf,
  get,
  make,
  PAINTER,
  sentTo,
  start,
  startStudioWorld,
  upload,
  uploaded,
  UPSCALER,
  type StudioWorld,
} from './studio-world.ts'

const GENERATIONS = '/v1/images/generations'

describe.each([
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const)('images, Revision %s, %s', (revision, pay: PayWay) => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld(revision, pay)
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    world.clock.ahead = 0
  })

  it('are generated from a prompt, with the price before and the cost after, and each one is saved', async () => {
    const { cost } = (await world.call('studio/estimate', {
      ask: { kind: 'image', model: BRUSH, prompt: 'two otters', n: 2 },
    })) as JobEstimate
    expect(cost).toEqual({ least: '23000000000', most: '23000000000' })
    const job = await make(world, { kind: 'image', model: BRUSH, prompt: 'two otters', n: 2 })
    expect(job).toMatchObject({
      kind: 'image',
      state: 'done',
      pay,
      estimate: cost,
      caller: { kind: 'window' },
      may: ['again'],
    })
    expect(job.files).toMatchObject([
      { index: 0, role: 'answer' },
      {
        index: 1,
        role: 'made',
        type: 'image/png',
        name: 'two-otters-1.png',
        width: expect.any(Number) as number,
      },
      { index: 2 },
    ])
    if (pay === 'balance') expect(job.cost).toBe('23000000000')
    else expect(BigInt(job.paidMsat ?? 0)).toBeGreaterThan(0n)
    expect(await world.call('receipts/get', { receiptId: job.receiptId })).toMatchObject({
      privacy: 'forwarded',
      outcome: 'complete',
      model: BRUSH,
    })
    for (const { index, bytes } of job.files.slice(1))
      expect((await bytesOf(world, job.id, index)).length).toBe(bytes)
  })

  it('are served at separate links, in ranges, with headers that prevent scripts', async () => {
    const job = await make(world, { kind: 'image', model: BRUSH, prompt: 'an otter' })
    const whole = await bytesOf(world, job.id, 1)
    const { path } = (await world.call('studio/link', { jobId: job.id, index: 1 })) as { path: string }
    const response = await at(world, path, { headers: { range: 'bytes=10-19' } })
    expect([
      response.status,
      response.headers.get('content-range'),
      response.headers.get('content-type'),
      response.headers.get('content-length'),
    ]).toEqual([206, `bytes 10-19/${whole.length}`, 'image/png', '10'])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(whole.subarray(10, 20))
    expect([
      response.headers.get('content-security-policy'),
      response.headers.get('x-content-type-options'),
      response.headers.get('content-disposition'),
    ]).toEqual(["default-src 'none'; sandbox", 'nosniff', 'inline; filename="an-otter-1.png"'])
    expect(
      Buffer.from(await (await at(world, path, { headers: { range: 'bytes=-5' } })).arrayBuffer()),
    ).toEqual(whole.subarray(-5))
    expect((await at(world, path, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416)
    expect((await at(world, path, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(whole.length),
    )
    // Nothing else is behind it, and it ends.
    for (const other of [`${path}x`, path.slice(0, -1), '/media/', `/media/${'A'.repeat(43)}`])
      expect((await at(world, other)).status).toBe(404)
    expect((await at(world, path, { method: 'POST' })).status).toBe(404)
    world.clock.ahead += 16 * 60_000
    expect((await at(world, path)).status).toBe(404)
    const { path: saving } = (await world.call('studio/link', {
      jobId: job.id,
      index: 0,
      download: true,
    })) as { path: string }
    expect((await at(world, saving)).headers.get('content-disposition')).toMatch(/^attachment/)
    expect(codeOf(await world.call('studio/link', { jobId: job.id, index: 9 }))).toBe('studio/unknown')
  })

  it('are generated from an upload without its metadata, and from an earlier image', async () => {
    const secret = 'GPS 47.3769 N 8.5417 E'
    const source = await uploaded(world, 'holiday.png', png(40, 30, secret))
    world.outbound.length = 0
    const larger = await make(world, {
      kind: 'image',
      model: UPSCALER,
      image: source,
      ...(revision === 'A' && { prompt: 'larger' }),
    })
    expect(Buffer.concat(world.outbound).includes(Buffer.from(secret))).toBe(false)
    expect(
      Buffer.concat(world.outbound)
        .toString()
        .replaceAll(/[^A-Za-z0-9+/]/g, ' ')
        .split(' ')
        .some((word) => Buffer.from(word, 'base64').includes(secret)),
    ).toBe(false)
    expect(larger.files.find(({ role }) => role === 'made')).toMatchObject({ width: 80, height: 60 })
    expect(
      (await bytesOf(world, larger.id, larger.files.find(({ role }) => role === 'given')!.index)).includes(
        secret,
      ),
    ).toBe(false)
    const again = await make(world, {
      kind: 'image',
      model: UPSCALER,
      image: { jobId: larger.id, index: 1 },
      ...(revision === 'A' && { prompt: 'larger' }),
    })
    expect(again.files.find(({ role }) => role === 'made')).toMatchObject({ width: 160, height: 120 })
    // The upload was used up by the first.
    expect(codeOf(await start(world, { kind: 'image', model: UPSCALER, image: source, prompt: 'x' }))).toBe(
      'studio/upload-unknown',
    )
  })

  it('are sent with metadata if the request allows it', async () => {
    const source = await uploaded(world, 'a.png', png(8, 8, 'kept on purpose'))
    const job = await make(world, {
      kind: 'image',
      model: UPSCALER,
      image: source,
      keepMetadata: true,
      ...(revision === 'A' && { prompt: 'x' }),
    })
    expect((await bytesOf(world, job.id, 10_000)).includes('kept on purpose')).toBe(true)
  })

  it('are edited with the form only in Revision B', async () => {
    const ask = async (): Promise<object> => ({
      kind: 'image',
      model: 'sandbox/restauro-edit',
      prompt: 'with a hat',
      form: true,
      image: await uploaded(world, 'a.png', png(16, 16)),
    })
    if (revision === 'A') return expect(codeOf(await start(world, await ask()))).toBe('service/not-offered')
    const before = sentTo(world, '/v1/images/edits')
    expect(await make(world, await ask())).toMatchObject({ state: 'done' })
    expect(sentTo(world, '/v1/images/edits')).toBe(before + (pay === 'single' ? 2 : 1))
  })

  it('have the parameters of the revision, and more in the advanced field', async () => {
    const most = revision === 'A' ? 10 : 4
    expect(
      (
        await make(world, {
          kind: 'image',
          model: BRUSH,
          prompt: 'x',
          n: most,
          extra: { seed2: 5, nested: { a: [1] } },
        })
      ).files.filter(({ role }) => role === 'made'),
    ).toHaveLength(most)
    expect(Buffer.concat(world.outbound).toString()).toContain('"seed2":5')
    const before = sentTo(world, GENERATIONS)
    const refused = async (ask: object): Promise<string> =>
      codeOf(await start(world, { kind: 'image', model: BRUSH, ...ask }))
    expect(await refused({ prompt: 'x', n: most + 1 })).toBe(most === 10 ? 'not refused' : 'request/invalid')
    expect(await refused({})).toBe('request/invalid')
    expect(await refused({ prompt: 'x', extra: { n: 3 } })).toBe('studio/parameter-clash')
    expect(await refused({ prompt: 'x', extra: { Model: 'private/x' } })).toBe('studio/parameter-clash')
    expect(await refused({ prompt: 'x', extra: { fallback_models: ['private/x'] } })).toBe('privacy/path')
    expect(await refused({ model: 'private/x', prompt: 'x' })).toBe('privacy/path')
    expect(await refused({ model: 'sandbox/none', prompt: 'x' })).toBe('model/unknown')
    if (revision === 'A')
      for (const more of [{ resolution: '1K' }, { negativePrompt: 'x' }, { outputFormat: 'png' }])
        expect(await refused({ model: PAINTER, prompt: 'x', ...more })).toBe('service/not-offered')
    else
      expect(
        await make(world, {
          kind: 'image',
          model: PAINTER,
          prompt: 'x',
          quality: 'low',
          size: '1:1',
          resolution: '1K',
          negativePrompt: 'rain',
          outputFormat: 'webp',
          seed: 7,
        }),
      ).toMatchObject({ files: [{}, { type: 'image/webp' }] })
    expect(sentTo(world, GENERATIONS)).toBe(before + (revision === 'A' ? 0 : pay === 'single' ? 2 : 1))
  })

  it('save and send nothing if a file is invalid', async () => {
    const sent = sentTo(world, GENERATIONS)
    const listed = ((await world.call('studio/list', {})) as { jobs: Job[] }).jobs.length
    const from = async (name: string, bytes: Buffer): Promise<string> => {
      const uploadResult = await upload(world, name, bytes)
      return 'code' in uploadResult
        ? uploadResult.code
        : codeOf(
            await start(world, {
              kind: 'image',
              model: UPSCALER,
              prompt: 'x',
              image: { uploadId: uploadResult.uploadId },
            }),
          )
    }
    expect(await from('empty.png', Buffer.alloc(0))).toBe('studio/file-empty')
    expect(await from('words.png', Buffer.from('these are words'))).toBe('studio/image-type')
    expect(await from('page.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(
      'studio/image-type',
    )
    expect(await from('animation.png', Buffer.from('GIF89a\x01\x00\x01\x00'))).toBe('studio/image-type')
    expect(await from('large.png', png(20_000, 10))).toBe('studio/image-too-large')
    expect(await from('cut.png', png(8, 8).subarray(0, 40))).toBe('studio/image-malformed')
    expect(await from('head.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]))).toBe(
      'studio/image-malformed',
    )
    expect(await from('heavy.png', Buffer.concat([png(8, 8), Buffer.alloc(26_000_000)]))).toBe(
      'studio/file-too-large',
    )
    expect(codeOf(await world.call('studio/upload/begin', { name: 'film.png', size: 2 ** 30 }))).toBe(
      'studio/file-too-large',
    )
    expect(sentTo(world, GENERATIONS)).toBe(sent)
    expect(((await world.call('studio/list', {})) as { jobs: Job[] }).jobs).toHaveLength(listed)
  })

  it('are refused above the cost cap of their owner', async () => {
    const ask = { kind: 'image', model: BRUSH, prompt: 'x', n: 2 }
    expect(codeOf(await start(world, ask, { most: '22999999999' }))).toBe('studio/above-cap')
    const job = await start(world, ask, { most: '23000000000' })
    expect(codeOf(job)).toBe('not refused')
    if (pay === 'single')
      expect(await world.call('studio/stop', { jobId: job.id })).toMatchObject({
        state: 'stopped',
        purchase: { state: 'declined' },
        may: ['again'],
      })
  })

  it('are found, listed page by page, and renamed', async () => {
    const job = await make(world, { kind: 'image', model: BRUSH, prompt: 'Ein Zaunkönig im Schnee' })
    const find = async (text: string): Promise<string[]> =>
      ((await world.call('studio/list', { text })) as { jobs: Job[] }).jobs.map(({ id }) => id)
    expect(await find('ZAUNKONIG schnee')).toEqual([job.id])
    expect(await find('Zaunkönig Regen')).toEqual([])
    expect(await world.call('studio/rename', { jobId: job.id, title: ' Vogel ' })).toMatchObject({
      title: 'Vogel',
    })
    expect(await find('vogel')).toEqual([job.id])
    const first = (await world.call('studio/list', { limit: 2 })) as { jobs: Job[]; next: string }
    const second = (await world.call('studio/list', { limit: 2, before: first.next })) as { jobs: Job[] }
    expect(new Set([...first.jobs, ...second.jobs].map(({ id }) => id)).size).toBe(4)
  })

  it('are still available a day later, when every signed address has expired', async () => {
    const job = await make(world, { kind: 'image', model: BRUSH, prompt: 'tomorrow' })
    const before = await bytesOf(world, job.id, 1)
    world.clock.ahead += 24 * 3_600_000 + 60_000
    expect((await bytesOf(world, job.id, 1)).equals(before)).toBe(true)
    expect((await get(world, job.id)).state).toBe('done')
  })

  it('are generated again as another job, after their price is shown', async () => {
    const job = await make(world, {
      kind: 'image',
      model: UPSCALER,
      prompt: 'x',
      image: await uploaded(world, 'a.png', png(10, 10)),
    })
    const again = (await world.call('studio/again', { jobId: job.id })) as Job
    expect(again.id).not.toBe(job.id)
    if (pay === 'single') await world.call('studio/pay', { jobId: again.id })
    await expect.poll(async () => (await get(world, again.id)).state).toBe('done')
    expect((await get(world, again.id)).files.find(({ role }) => role === 'made')).toMatchObject({
      width: 20,
    })
  })
})

describe('an upload', () => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld('B', 'balance')
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  const begin = async (size: number): Promise<{ uploadId: string; path: string }> =>
    (await world.call('studio/upload/begin', { name: 'a.png', size })) as { uploadId: string; path: string }
  const put = async (path: string, bytes: Buffer): Promise<[number, unknown]> => {
    const response = await at(world, path, { method: 'PUT', body: new Uint8Array(bytes) })
    return [response.status, await response.json()]
  }

  it('has the type of its bytes, and is accepted once', async () => {
    const { uploadId, path } = await begin(png(7, 9).length)
    expect(await put(path, png(7, 9))).toEqual([
      200,
      { uploadId, bytes: png(7, 9).length, type: 'image/png', width: 7, height: 9 } satisfies Upload,
    ])
    expect(await put(path, png(7, 9))).toMatchObject([422, { code: 'studio/upload-unknown' }])
  })
  it.each([[-1], [1]])('whose length differs from the declared one is discarded: %d', async (difference) => {
    const { uploadId, path } = await begin(png(7, 9).length + difference)
    expect(await put(path, png(7, 9))).toMatchObject([422, { code: 'studio/upload-incomplete' }])
    expect(codeOf(await start(world, { kind: 'image', model: UPSCALER, image: { uploadId } }))).toBe(
      'studio/upload-unknown',
    )
  })
  it('expires after ten minutes, and is refused at an unknown address', async () => {
    const { path } = await begin(10)
    world.clock.ahead += 10 * 60_000
    expect(await put(path, Buffer.alloc(10))).toMatchObject([422, { code: 'studio/upload-unknown' }])
    expect(await put(`/upload/${'A'.repeat(43)}`, Buffer.alloc(10))).toMatchObject([
      422,
      { code: 'studio/upload-unknown' },
    ])
    expect((await at(world, '/upload/', { method: 'PUT', body: 'x' })).status).toBe(404)
    expect((await at(world, (await begin(10)).path)).status).toBe(404)
  })
})
