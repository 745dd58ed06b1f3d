import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job, JobMatch } from '../../../src/shared/job.ts'
import type { Fetch, FetchResponse } from '../../../src/shared/fetch.ts'
import {
  at,
  BRUSH,
  codeOf,
  get,
  make,
  sentTo,
  start,
  startStudioWorld,
  until,
  type StudioWorld,
} from './studio-world.ts'
import { windowCaller } from '../../window-caller.ts'

const ask = { kind: 'image', model: BRUSH, prompt: 'an otter' }

describe('a job paid from the balance', () => {
  let world: StudioWorld
  let trouble: ((url: string, respond: () => Promise<FetchResponse>) => Promise<FetchResponse>) | undefined
  beforeEach(async () => {
    trouble = undefined
    const fetch =
      (network: Fetch): Fetch =>
      (url, init) =>
        trouble ? trouble(url, () => network(url, init)) : network(url, init)
    world = await startStudioWorld('B', 'balance', { fetch })
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  const dead = async function* (): AsyncGenerator<Uint8Array, void> {
    yield await Promise.resolve(Buffer.from('{"da'))
    throw new Error('connection reset')
  }

  it('is unknown if its connection breaks after it was sent, can be compared with the history, and isn’t sent again', async () => {
    trouble = async (url, respond) => {
      const response = await respond()
      return url.endsWith('/generations')
        ? { ...response, headers: response.headers, body: dead() }
        : response
    }
    const job = await until(world, (await start(world, ask)).id, 'unknown')
    expect(job).toMatchObject({ failure: { code: 'studio/outcome-unknown' }, may: ['again', 'compare'] })
    expect(job.files).toEqual([])
    trouble = undefined
    const { matches, whole } = (await world.call('studio/compare', { jobId: job.id })) as {
      matches: JobMatch[]
      whole: boolean
    }
    expect([matches, whole]).toEqual([
      [{ at: expect.any(Number) as number, model: BRUSH, type: 'image_generation', cost: '11500000000' }],
      true,
    ])
    expect(sentTo(world, '/generations')).toBe(1)
    for (const path of ['pay', 'stop', 'resume', 'poll'])
      expect(codeOf(await world.call(`studio/${path}`, { jobId: job.id }))).toBe('studio/invalid-state')
    expect(
      (await until(world, ((await world.call('studio/again', { jobId: job.id })) as Job).id, 'done')).id,
    ).not.toBe(job.id)
    expect((await get(world, job.id)).state).toBe('unknown')
  })

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])(
    'has failed if no connection was established (%s)',
    async (code) => {
      trouble = (url, respond) =>
        url.endsWith('/generations')
          ? Promise.reject(
              new TypeError('fetch failed', { cause: Object.assign(new Error('no connection'), { code }) }),
            )
          : respond()
      const job = await until(world, (await start(world, ask)).id, 'failed')
      expect(job).toMatchObject({ failure: { code: 'service/unreachable' }, may: ['again'] })
    },
  )

  it('has failed if every address refused the connection, and is unknown if one accepted it', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const ends = async (errors: readonly Error[]): Promise<string> => {
      trouble = (url, respond) =>
        url.endsWith('/generations')
          ? Promise.reject(new TypeError('fetch failed', { cause: new AggregateError(errors) }))
          : respond()
      const { id } = await start(world, ask)
      await expect.poll(async () => (await get(world, id)).state).not.toBe('sending')
      return (await get(world, id)).state
    }
    expect(await ends([refused, refused])).toBe('failed')
    expect(await ends([refused, Object.assign(new Error('reset'), { code: 'ECONNRESET' })])).toBe('unknown')
    expect(await ends([])).toBe('unknown')
  })

  it('fails with the service’s code and a receipt if the service refuses it', async () => {
    ;(await world.sandbox.control()).setRouteFault('POST /v1/images/generations', { status: 402 })
    const job = await until(world, (await start(world, ask)).id, 'failed')
    expect(job).toMatchObject({ failure: { code: 'service/insufficient-balance' }, may: ['again'] })
    expect(await world.call('receipts/get', { receiptId: job.receiptId })).toMatchObject({
      outcome: 'failed',
      code: 'service/insufficient-balance',
    })
  })

  it('fetches a missing image later, from the saved answer', async () => {
    trouble = (url, respond) =>
      url.includes('/v1/media/') ? Promise.reject(new Error('no route')) : respond()
    const job = await start(world, ask)
    await expect.poll(async () => (await get(world, job.id)).files.length).toBe(1)
    expect((await get(world, job.id)).state).toBe('saving')
    trouble = undefined
    await until(world, job.id, 'done')
    expect(sentTo(world, '/generations')).toBe(1)
  })

  it('loses an image whose address expired, and keeps its cost', async () => {
    trouble = async (url, respond) =>
      url.includes('/v1/media/') ? { status: 403, headers: { get: () => null }, body: null } : respond()
    const job = await until(world, (await start(world, ask)).id, 'lost')
    expect(job).toMatchObject({
      cost: '11500000000',
      failure: { code: 'service/media-expired' },
      may: ['again', 'resume'],
    })
    trouble = undefined
    await world.call('studio/resume', { jobId: job.id })
    await until(world, job.id, 'done')
  })

  it.each([
    ['a page', 'text/html', '<script>x()</script>'],
    ['a drawing with scripts', 'image/svg+xml', '<svg onload="x()"/>'],
  ])('doesn’t save %s in place of an image', async (_, type, content) => {
    trouble = async (url, respond) => {
      if (!url.includes('/v1/media/')) return respond()
      return {
        status: 200,
        headers: { get: (name) => (name === 'content-type' ? type : null) },
        body: (async function* () {
          yield await Promise.resolve(Buffer.from(content))
        })(),
      }
    }
    const job = await until(world, (await start(world, ask)).id, 'failed')
    expect([job.failure?.code, job.files.length, job.may]).toEqual([
      'service/response-invalid',
      1,
      ['again', 'resume'],
    ])
  })

  it('offers bytes that aren’t an image only as a download, whatever their declared type', async () => {
    trouble = async (url, respond) => {
      if (!url.includes('/v1/media/')) return respond()
      return {
        status: 200,
        headers: { get: (name) => (name === 'content-type' ? 'image/png' : null) },
        body: (async function* () {
          yield await Promise.resolve(Buffer.from('<html><script>x()</script>'))
        })(),
      }
    }
    const job = await until(world, (await start(world, ask)).id, 'done')
    expect(job.files[1]).toMatchObject({ type: 'application/octet-stream', name: 'an-otter-1.bin' })
    const { path } = (await world.call('studio/link', { jobId: job.id, index: 1 })) as { path: string }
    const response = await at(world, path)
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment; filename="an-otter-1.bin"',
    ])
  })

  it('isn’t sent without an account', async () => {
    await world.call('accounts/disconnect')
    expect(codeOf(await start(world, ask))).toBe('service/no-account')
    expect(sentTo(world, '/generations')).toBe(0)
  })

  it('is reported to a watcher with each change', async () => {
    const response = await world.core.api(
      new Request('http://sotto.invalid/api/studio/watch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
      windowCaller,
    )
    const reader = response.body!.getReader()
    let seen = ''
    const reading = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        seen += Buffer.from(piece.value).toString()
    })().catch(() => undefined)
    await expect.poll(() => seen).toContain('"jobs":[]')
    const { id } = await make(world, ask)
    await expect.poll(() => seen).toContain('"state":"done"')
    expect(seen).toContain(id)
    await reader.cancel()
    await reading
  })
})

describe('a job paid per request', () => {
  it('that was paid and not delivered is delivered when resumed, and isn’t bought twice', async () => {
    await using world = await startStudioWorld('B', 'single')
    const job = await start(world, ask)
    const simulated = await world.sandbox.wallet()
    await simulated.setFault('slow')
    const paying = world.call('studio/pay', { jobId: job.id })
    await until(world, job.id, 'paying')
    const control = await world.sandbox.control()
    control.setRouteFault('POST /v1/images/generations', { status: 401 })
    await simulated.setFault(null)
    await paying
    const failed = await until(world, job.id, 'failed')
    expect(failed).toMatchObject({
      purchase: { state: 'undelivered' },
      may: ['resume'],
      paidMsat: expect.stringMatching(/^\d+$/) as string,
    })
    expect(codeOf(await world.call('studio/again', { jobId: job.id }))).toBe('studio/invalid-state')
    const before = simulated.payments().length
    control.setRouteFault('POST /v1/images/generations', null)
    await world.call('studio/resume', { jobId: job.id })
    expect(await until(world, job.id, 'done')).toMatchObject({
      purchase: { state: 'delivered' },
      files: [{ index: 0 }, { index: 1 }],
    })
    expect(simulated.payments()).toHaveLength(before)
  }, 60_000)

  it('whose invoice expired is stopped, and can be requested again', async () => {
    await using world = await startStudioWorld('B', 'single')
    const job = await start(world, ask)
    const before = (await world.sandbox.wallet()).payments().length
    world.clock.ahead += 3_600_000
    expect(codeOf(await world.call('studio/pay', { jobId: job.id }))).toBe('payment/expired')
    world.clock.ahead = 0
    expect((await world.sandbox.wallet()).payments()).toHaveLength(before)
    await world.call('studio/stop', { jobId: job.id })
    expect(await world.call('studio/again', { jobId: job.id })).toMatchObject({ state: 'ready' })
  }, 60_000)
})

describe('another account', () => {
  it('can neither resume nor compare a job of the first account', async () => {
    let broken = false
    const fetch =
      (network: Fetch): Fetch =>
      (url, init) =>
        broken && url.endsWith('/audio/speech')
          ? Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
          : network(url, init)
    await using world = await startStudioWorld('B', 'balance', { fetch })
    broken = true
    const job = await until(
      world,
      (await start(world, { kind: 'speech', text: 'The tide comes in.' })).id,
      'unknown',
    )
    expect(job.may).toEqual(['again', 'resume', 'compare'])
    broken = false
    await world.call('accounts/create', { name: 'Another' })
    const before = world.sandbox.received().length
    for (const path of ['compare', 'resume'])
      expect([path, codeOf(await world.call(`studio/${path}`, { jobId: job.id }))]).toEqual([
        path,
        'service/no-account',
      ])
    expect(world.sandbox.received()).toHaveLength(before)
    expect(await get(world, job.id)).toEqual(job)
  }, 60_000)
})
