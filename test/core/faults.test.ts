import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../src/shared/error-codes.ts'
import { sandboxFaults, type SandboxFault } from '../../src/shared/sandbox-faults.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import { chatRequests, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

/** What each fault is noticed as: the error, and the verdict's code where the proof is what is spoiled. */
const expected: Record<SandboxFault, { code: ErrorCode; status: number; verdict?: string }> = {
  'other-measurement': { code: 'attestation/failed', status: 502, verdict: 'measurement/mismatch' },
  'swapped-key': { code: 'attestation/failed', status: 502, verdict: 'binding/hpke-key' },
  'debug-guest': { code: 'attestation/failed', status: 502, verdict: 'report/debug-guest' },
  'old-tcb': { code: 'attestation/failed', status: 502, verdict: 'report/tcb-below-floor' },
  'expired-certificate': { code: 'attestation/failed', status: 502, verdict: 'vcek/expired' },
  'wrong-repository': { code: 'attestation/failed', status: 502, verdict: 'sigstore/repository-mismatch' },
  'other-host': { code: 'attestation/failed', status: 502, verdict: 'binding/host' },
  'older-release': { code: 'attestation/older-release', status: 502, verdict: 'release/older' },
  'oversized-evidence': { code: 'attestation/evidence-too-large', status: 502 },
  'gzip-bomb': { code: 'attestation/failed', status: 502, verdict: 'evidence/too-large' },
  'key-rotation': { code: 'channel/key-rotated', status: 502 },
  'plaintext-200': { code: 'channel/plaintext-response', status: 502 },
  'cut-inside-frame': { code: 'channel/response-truncated', status: 502 },
  'cut-on-frame-boundary': { code: 'channel/response-truncated', status: 502 },
  'stalled-stream': { code: 'service/stalled', status: 504 },
  'status-401': { code: 'service/key-refused', status: 401 },
  'status-402': { code: 'service/balance', status: 402 },
  'status-429': { code: 'service/rate-limited', status: 429 },
  'status-500-html': { code: 'service/failed', status: 502 },
}
const PROOF_FAULTS = Object.entries(expected).filter(([, { verdict, code }]) => verdict !== undefined || code.startsWith('attestation/')).map(([fault]) => fault as SandboxFault)
const ANSWER_FAULTS = (Object.keys(expected) as SandboxFault[]).filter((fault) => !PROOF_FAULTS.includes(fault))
const SECRET = 'the-otter-sleeps-at-noon'

let world: World
beforeAll(async () => {
  world = await startWorld({ idleMs: 300 })
})
afterAll(() => world[Symbol.asyncDispose]())

async function withFault<T>(fault: SandboxFault, work: () => Promise<T>): Promise<T> {
  world.core.invalidateVerdict()
  // A verdict of the sound enclave comes first: a rollback is noticed by memory, a rotation by the key in use.
  const sound = await world.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })
  expect(sound.status).toBe(200)
  await sound.arrayBuffer()
  if (PROOF_FAULTS.includes(fault)) world.core.invalidateVerdict()
  world.sandbox.setFault(fault, true)
  world.sandbox.clearReceived()
  try {
    return await work()
  } finally {
    world.sandbox.setFault(fault, false)
  }
}

function ask(stream: boolean): Promise<Response> {
  return world.post({ model: PRIVATE_MODEL, stream, messages: [{ role: 'user', content: SECRET }] })
}

interface Refusal { error: { code: string; message: string; step?: string } }

async function failureOf(response: Response): Promise<Refusal> {
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('text/event-stream') ? /data: (\{"error".*)\n/.exec(text)?.[1] : text
  return JSON.parse(json ?? 'null') as Refusal
}

it('covers every switch', () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(sandboxFaults).sort())
})

describe('a spoiled proof: nothing is sent', () => {
  it.each(PROOF_FAULTS)('%s', async (fault) => {
    await withFault(fault, async () => {
      for (const stream of [false, true]) {
        const response = await ask(stream)
        const { error } = await failureOf(response)
        expect({ status: response.status, code: error.code }).toEqual({ status: expected[fault].status, code: expected[fault].code })
        expect(response.headers.get('x-sotto-privacy')).toBe('refused')
        // The words a person reads: what happened, that nothing was sent, and what to do.
        expect(error.message).toContain(errorCodes[expected[fault].code].says)
        expect(error.message).toMatch(/nothing was sent/i)
        expect(error.message).toContain(errorCodes[expected[fault].code].remedy)
        if (expected[fault].verdict) expect(error.step).toContain(expected[fault].verdict)
      }
      expect(chatRequests(world.sandbox)).toEqual([])
    })
  })

  it.each(PROOF_FAULTS.filter((fault) => expected[fault].verdict))('%s stands in the verdict, step by step', async (fault) => {
    await withFault(fault, async () => {
      const verdict = await world.call('privacy/verify') as Verdict
      expect(verdict).toMatchObject({ good: false, failure: { code: expected[fault].verdict } })
      expect(verdict.failure!.says.length).toBeGreaterThan(20)
      const failed = verdict.steps.filter(({ outcome }) => outcome === 'failed')
      expect(failed).toHaveLength(1)
      expect(failed[0]).toMatchObject({ id: verdict.failure!.step, code: expected[fault].verdict })
      expect(failed[0]!.expected).not.toBe('')
      expect(failed[0]!.observed).not.toBe('')
    })
  })
})

describe('a spoiled answer: only ciphertext was sent, and the failure is told', () => {
  it.each(ANSWER_FAULTS.flatMap((fault) => [[fault, true], [fault, false]] as const))('%s, streamed: %s', async (fault, stream) => {
    await withFault(fault, async () => {
      const response = await ask(stream)
      const { error } = await failureOf(response)
      expect(error.code).toBe(expected[fault].code)
      expect(error.message).toContain(errorCodes[expected[fault].code].says)
      expect(error.message).toContain(errorCodes[expected[fault].code].remedy)
      // Once a stream has begun its status has been told; the failure then stands in the stream.
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) expect(response.status).toBe(expected[fault].status)
      expect(chatRequests(world.sandbox).length).toBeGreaterThan(0)
      expect(chatRequests(world.sandbox).every(({ sealed }) => sealed)).toBe(true)
      expect(Buffer.concat(world.outbound).includes(SECRET)).toBe(false)
    })
  })
})

it('a key that rotated once is proven anew, and the request goes through', async () => {
  const first = await ask(false)
  await first.arrayBuffer()
  world.sandbox.rotateKey()
  world.sandbox.clearReceived()
  const second = await ask(false)
  expect(second.status).toBe(200)
  expect(chatRequests(world.sandbox)).toHaveLength(2)
  expect(world.sandbox.received().filter(({ path }) => path.endsWith('/attestation'))).toHaveLength(1)
})

it('many callers at once make one attestation', async () => {
  world.core.invalidateVerdict()
  world.sandbox.clearReceived()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(false)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(world.sandbox.received().filter(({ path }) => path.endsWith('/attestation'))).toHaveLength(1)
})

it('a renewal that is refused drops the verdict that was in force', async () => {
  await (await ask(false)).arrayBuffer()
  world.sandbox.setFault('debug-guest', true)
  try {
    expect(await world.call('privacy/verify')).toMatchObject({ good: false })
    expect((await ask(false)).status).toBe(502)
  } finally {
    world.sandbox.setFault('debug-guest', false)
  }
})

it('a renewal that cannot be fetched leaves it in force until it ends', async () => {
  await (await ask(false)).arrayBuffer()
  world.sandbox.setFault('status-401', false)
  const unreachable = { on: true }
  await using other = await startWorld({ fetch: (fetch) => (url, init) => (url.endsWith('/attestation') && unreachable.on ? Promise.reject(new Error('offline')) : fetch(url, init)) })
  unreachable.on = false
  expect((await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
  unreachable.on = true
  expect(await other.call('privacy/verify')).toMatchObject({ data: { code: 'attestation/unreachable' } })
  expect((await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
  other.core.invalidateVerdict()
  const refused = await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })
  expect([refused.status, (await failureOf(refused)).error.code]).toEqual([502, 'attestation/unreachable'])
})
