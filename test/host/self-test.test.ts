import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { attempt } from '../../src/host/self-test/attempt.ts'
import { createSelfTests } from '../../src/host/self-test/self-tests.ts'
import { runSelfTest } from '../../src/host/self-test/run-self-test.ts'
import type { Stage } from '../../src/host/self-test/stage.ts'
import { createOutboundFetch, type OutboundFetch } from '../../src/host/outbound-fetch.ts'
import type { SelfTestEvent } from '../../src/shared/self-test.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../world.ts'

let world: World
let network: OutboundFetch
let leaks = false
beforeAll(async () => {
  world = await startWorld({ idleMs: 300 })
  network = createOutboundFetch({})
})
afterEach(() => {
  leaks = false
})
afterAll(async () => {
  await network.close()
  await world[Symbol.asyncDispose]()
})

/** A stage over the test's world, with parts of its sandbox replaced. */
function stage(sandbox: Partial<World['sandbox']> = {}): Stage {
  return {
    sandbox: { ...world.sandbox, ...sandbox },
    core: world.core,
    fetch: network.fetch,
    leaked: () => leaks,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

const never = new AbortController().signal
const play = (
  on: Stage,
  fault: Parameters<typeof attempt>[2]['fault'],
  platform: Parameters<typeof attempt>[2]['platform'] = 'sev-snp',
) => attempt(on, PRIVATE_MODEL, { platform, fault }, never)

describe('the result of one test', () => {
  it('is a pass if the control request is answered over a sealed body', async () => {
    expect(await play(stage(), null)).toMatchObject({
      held: true,
      refusal: null,
      expected: null,
      received: { sealed: true },
    })
  })

  it('is a pass with the step and its code if the request is refused and nothing arrived', async () => {
    expect(await play(stage(), 'rtmr3-not-zero', 'tdx')).toMatchObject({
      held: true,
      expected: 'td/rtmr3-set',
      refusal: {
        code: 'attestation/failed',
        says: 'Something was loaded into the enclave after it was measured.',
        step: { id: 'td/rtmr3', code: 'td/rtmr3-set' },
      },
      received: { bodyBytes: 0 },
    })
  })

  it('is a failure if the attack succeeds', async () => {
    const result = await play(stage({ setFault: () => undefined }), 'debug-guest')
    expect(result).toMatchObject({ held: false, refusal: null, expected: 'report/debug-guest' })
    expect(result.received.bodyBytes).toBeGreaterThan(0)
  })

  it('is a failure if the request is refused for another reason', async () => {
    const other = stage({ setFault: (_fault, on) => world.sandbox.setFault('other-host', on) })
    expect(await play(other, 'debug-guest')).toMatchObject({
      held: false,
      refusal: { step: { code: 'binding/host' } },
      received: { bodyBytes: 0 },
    })
  })

  it('is a failure if a body arrived before the refusal', async () => {
    const received = () => [
      {
        method: 'POST',
        path: '/private/v1/chat/completions',
        at: 0,
        bodyBytes: 7,
        sealed: true,
        apiKeyPresent: true,
        aborted: false,
      },
    ]
    expect(await play(stage({ received }), 'debug-guest')).toMatchObject({
      held: false,
      refusal: { step: { code: 'report/debug-guest' } },
      received: { bodyBytes: 7 },
    })
  })

  it('is a failure if the request was sent in plaintext', async () => {
    leaks = true
    expect(await play(stage(), null)).toMatchObject({
      held: false,
      refusal: null,
      received: { sealed: false },
    })
    expect(await play(stage(), 'status-429')).toMatchObject({
      held: false,
      refusal: { code: 'service/rate-limited' },
      received: { sealed: false },
    })
  })

  it('is a failure if the request was never answered', async () => {
    const silent: Stage = { ...stage(), fetch: () => Promise.reject(new Error('connection reset')) }
    expect(await play(silent, null)).toMatchObject({ held: false, refusal: { code: 'status 0' } })
  })

  it('leaves no fault turned on', () => {
    expect(world.sandbox.faults()).toEqual([])
  })
})

describe('a self-test', () => {
  it('runs its plan in order, and can be stopped during a test', async () => {
    const stop = new AbortController()
    const events: SelfTestEvent[] = []
    let closed = false
    const open = () =>
      Promise.resolve({ ...stage(), [Symbol.asyncDispose]: () => Promise.resolve(void (closed = true)) })
    await expect(
      (async () => {
        for await (const event of runSelfTest(stop.signal, open)) {
          events.push(event)
          if (event.type === 'started' && event.index === 2) stop.abort()
        }
      })(),
    ).rejects.toThrow(/abort/i)
    expect(
      events.map((event) => ('index' in event ? `${event.type} ${String(event.index)}` : event.type)),
    ).toEqual(['planned', 'started 0', 'finished 0', 'started 1', 'finished 1', 'started 2'])
    expect([closed, world.sandbox.faults()]).toEqual([true, []])
  })

  it('closes its stage if the reader stops early', async () => {
    let closed = false
    const open = () =>
      Promise.resolve({ ...stage(), [Symbol.asyncDispose]: () => Promise.resolve(void (closed = true)) })
    for await (const event of runSelfTest(never, open)) if (event.type === 'finished') break
    expect(closed).toBe(true)
  })

  let temporary: string
  const before = process.env['TMPDIR']
  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'sotto-self-test-'))
    process.env['TMPDIR'] = temporary
  })
  afterAll(async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(temporary, { recursive: true, force: true })
  })

  it('sends its plan first, can be stopped while its roots are created, and leaves no files', async () => {
    const stop = new AbortController()
    const events: SelfTestEvent[] = []
    await expect(
      (async () => {
        for await (const event of runSelfTest(stop.signal)) {
          events.push(event)
          setTimeout(() => stop.abort())
        }
      })(),
    ).rejects.toThrow(/abort/i)
    expect(events.map(({ type }) => type)).toEqual(['planned'])
    await expect.poll(() => readdir(temporary)).toEqual([])
  })

  it('refuses a second run until it has ended, and stops with the host', async () => {
    const selfTests = createSelfTests()
    const first = selfTests.run(never)
    expect((await first.next()).value).toMatchObject({ type: 'planned' })
    await expect(selfTests.run(never).next()).rejects.toMatchObject({ code: 'self-test/unavailable' })
    selfTests.stop()
    await expect(first.next()).rejects.toThrow(/abort/i)
    await expect(selfTests.run(never).next()).resolves.toMatchObject({ value: { type: 'planned' } })
    expect(await world.call('privacy/selfTest')).toMatchObject({ data: { code: 'self-test/unavailable' } })
  })
})
