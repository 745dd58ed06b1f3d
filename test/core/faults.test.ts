import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { attestationCodes, type AttestationCode } from '../../src/verifier/types.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import {
  faultsOn,
  sandboxFaultNames,
  sandboxPlatforms,
  serviceEnclaveFaultNames,
  type SandboxFault,
  type SandboxPlatform,
} from '../../src/shared/sandbox-faults.ts'
import { toolTextOf } from '../../src/shared/tool-texts.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import { chatRequests, PRIVATE_MODEL, startWorld, type World } from '../world.ts'
import { renderEnglish } from '../../src/shared/localized-text.ts'

/** The step of the verdict that refuses each spoiled proof, on every platform that the fault applies to. */
const atProof: Partial<
  Record<SandboxFault, Partial<Record<SandboxPlatform, AttestationCode | 'before any step'>>>
> = {
  'other-measurement': {
    'sev-snp': 'measurement/mismatch',
    tdx: 'measurement/mismatch',
    nitro: 'nitro/image-not-accepted',
  },
  'swapped-key': { 'sev-snp': 'binding/hpke-key', tdx: 'binding/hpke-key', nitro: 'nitro/signature-invalid' },
  'debug-guest': { 'sev-snp': 'report/debug-guest', tdx: 'td/debug', nitro: 'nitro/debug-enclave' },
  'old-tcb': { 'sev-snp': 'report/tcb-below-floor', tdx: 'td/tcb-below-floor' },
  'expired-certificate': {
    'sev-snp': 'vcek/expired',
    tdx: 'pck/expired',
    nitro: 'nitro/certificate-not-valid-then',
  },
  'revoked-certificate': { 'sev-snp': 'amd/intermediate-revoked', tdx: 'pck/revoked' },
  'expired-collateral': { 'sev-snp': 'amd/crl-expired', tdx: 'intel/tcb-info-expired' },
  'missing-collateral': { tdx: 'intel/collateral-missing' },
  'tcb-out-of-date': { tdx: 'intel/tcb-out-of-date' },
  'rtmr3-not-zero': { tdx: 'td/rtmr3-set' },
  'other-hardware': { tdx: 'hardware/mismatch' },
  'forged-hardware-list': { tdx: 'hardware/statement-invalid' },
  'wrong-nonce': { nitro: 'nitro/nonce-mismatch' },
  'wrong-repository': { 'sev-snp': 'sigstore/repository-mismatch', tdx: 'sigstore/repository-mismatch' },
  'other-host': { 'sev-snp': 'binding/host', tdx: 'binding/host', nitro: 'binding/host' },
  'older-release': { 'sev-snp': 'release/older', tdx: 'release/older' },
  'oversized-evidence': { 'sev-snp': 'before any step', tdx: 'before any step', nitro: 'before any step' },
  'v3-other-nonce': { 'sev-snp': 'envelope/nonce-mismatch', tdx: 'envelope/nonce-mismatch' },
  'v3-other-key': { 'sev-snp': 'keys/differ-from-service', tdx: 'keys/differ-from-service' },
  'v3-stale-witness': { 'sev-snp': 'freshness/stale', tdx: 'freshness/stale' },
  'v3-machine-unknown': { 'sev-snp': 'policy/machine-not-endorsed', tdx: 'policy/machine-not-endorsed' },
  // The policy doesn't require document v3: test/core/gateway/fresh-evidence.test.ts.
  'v3-unavailable': {},
  'gzip-bomb': { 'sev-snp': 'evidence/too-large', tdx: 'evidence/too-large', nitro: 'evidence/too-large' },
}
/** The error that each spoiled answer is reported as. */
const atAnswer: Partial<Record<SandboxFault, { code: ErrorCode; status: number }>> = {
  'key-rotation': { code: 'channel/key-rotated', status: 502 },
  'plaintext-200': { code: 'channel/plaintext-response', status: 502 },
  'cut-inside-frame': { code: 'channel/response-truncated', status: 502 },
  'cut-on-frame-boundary': { code: 'channel/response-truncated', status: 502 },
  'stalled-stream': { code: 'service/timeout', status: 504 },
  'status-401': { code: 'service/key-refused', status: 401 },
  'status-402': { code: 'service/insufficient-balance', status: 402 },
  'status-429': { code: 'service/rate-limited', status: 429 },
  'status-500-html': { code: 'service/failed', status: 502 },
  'error-inside-answer': { code: 'service/failed', status: 502 },
}
const PLATFORMS = Object.keys(sandboxPlatforms) as SandboxPlatform[]
const PROOF_FAULTS = PLATFORMS.flatMap((platform) =>
  faultsOn(platform).flatMap((fault) => {
    const step = atProof[fault]?.[platform]
    return step === undefined ? [] : [[platform, fault, step] as const]
  }),
)
const ANSWER_FAULTS = PLATFORMS.flatMap((platform) =>
  faultsOn(platform).flatMap((fault) => {
    const expected = atAnswer[fault]
    return expected === undefined ? [] : [[platform, fault, expected] as const]
  }),
)
const SECRET = 'the-otter-sleeps-at-noon'

let world: World
beforeAll(async () => {
  world = await startWorld({ idleMs: 300 })
})
afterAll(() => world[Symbol.asyncDispose]())

afterEach(() => world.sandbox.setPlatform('sev-snp'))

async function withFault<T>(
  platform: SandboxPlatform,
  fault: SandboxFault,
  work: () => Promise<T>,
): Promise<T> {
  world.sandbox.setPlatform(platform)
  world.core.invalidateVerdict()
  // The sound enclave is verified first: a rollback is detected from memory, and a rotation from the key in use.
  const sound = await world.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })
  expect(sound.status).toBe(200)
  await sound.arrayBuffer()
  if (atProof[fault]) world.core.invalidateVerdict()
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

interface Refusal {
  error: { code: string; message: string; step?: string }
}

async function failureOf(response: Response): Promise<Refusal> {
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? /data: (\{"error".*)\n/.exec(text)?.[1]
    : text
  return JSON.parse(json ?? 'null') as Refusal
}

it('covers every fault on each of its platforms', () => {
  // Faults of the service's own enclave don't spoil private requests: test/sandbox/service-enclave.
  const ofPrivateModels = sandboxFaultNames.filter(
    (fault) => !serviceEnclaveFaultNames.some((other) => other === fault),
  )
  expect([...Object.keys(atProof), ...Object.keys(atAnswer)].sort()).toEqual(ofPrivateModels.sort())
  for (const platform of PLATFORMS) {
    const covered = [...PROOF_FAULTS, ...ANSWER_FAULTS].flatMap(([on, fault]) =>
      on === platform ? [fault] : [],
    )
    expect(covered.sort()).toEqual(faultsOn(platform).sort())
  }
})

it.each(PLATFORMS)('%s without a fault is verified and sealed', async (platform) => {
  world.sandbox.setPlatform(platform)
  world.core.invalidateVerdict()
  world.sandbox.clearReceived()
  const response = await ask(false)
  expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
  await response.arrayBuffer()
  expect(chatRequests(world.sandbox)).toMatchObject([{ sealed: true }])
  const verdict = (await world.call('privacy/current')) as Verdict
  expect(verdict).toMatchObject({ good: true, trust: 'sandbox' })
  expect(verdict.freshness?.kind).toBe('nonce-bound')
})

describe('faulty evidence: nothing is sent', () => {
  it.each(PROOF_FAULTS)('%s, %s: %s', async (platform, fault, step) => {
    const code =
      fault === 'older-release'
        ? 'attestation/older-release'
        : fault === 'oversized-evidence'
          ? 'attestation/evidence-too-large'
          : 'attestation/failed'
    await withFault(platform, fault, async () => {
      for (const stream of [false, true]) {
        const response = await ask(stream)
        const { error } = await failureOf(response)
        expect({ status: response.status, code: error.code }).toEqual({ status: 502, code })
        expect(response.headers.get('x-sotto-privacy')).toBe('refused')
        // The text for a tool: what happened, that nothing was sent, and what to do.
        expect(error.message).toContain(toolTextOf(code).says)
        expect(error.message).toMatch(/nothing was sent/i)
        expect(error.message).toContain(toolTextOf(code).remedy)
        if (step !== 'before any step') expect(error.step).toContain(step)
      }
      expect(chatRequests(world.sandbox)).toEqual([])
      expect(world.sandbox.received().every(({ bodyBytes }) => bodyBytes === 0)).toBe(true)
      if (step === 'before any step') return
      const verdict = (await world.call('privacy/current')) as Verdict
      expect(verdict).toMatchObject({ good: false, failure: { code: step } })
      expect(verdict.failure!.says).toBe(attestationCodes[step])
      const failed = verdict.steps.filter(({ outcome }) => outcome === 'failed')
      expect(failed).toHaveLength(1)
      expect(failed[0]).toMatchObject({ id: verdict.failure!.step, code: step })
      expect(renderEnglish(failed[0]!.expected)).not.toBe('')
      expect(renderEnglish(failed[0]!.observed)).not.toBe('')
    })
  })
})

describe('a faulty reply: only ciphertext was sent, and the failure is reported', () => {
  // The framing of an answer is the same on every platform, so one platform is enough for streams.
  it.each(
    ANSWER_FAULTS.flatMap((each) => [
      ...(each[0] === 'sev-snp' ? [[...each, true] as const] : []),
      [...each, false] as const,
    ]),
  )('%s, %s: %j, streamed: %s', async (platform, fault, expected, stream) => {
    await withFault(platform, fault, async () => {
      const response = await ask(stream)
      const { error } = await failureOf(response)
      expect(error.code).toBe(expected.code)
      expect(error.message).toContain(toolTextOf(expected.code).says)
      expect(error.message).toContain(toolTextOf(expected.code).remedy)
      // After a stream has begun, its status is already sent, so the failure is reported in the stream.
      if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
        expect(response.status).toBe(expected.status)
      expect(chatRequests(world.sandbox).length).toBeGreaterThan(0)
      expect(chatRequests(world.sandbox).every(({ sealed }) => sealed)).toBe(true)
      expect(Buffer.concat(world.outbound).includes(SECRET)).toBe(false)
    })
  })
})

it('a key that rotated once is verified again, and the request succeeds', async () => {
  const first = await ask(false)
  await first.arrayBuffer()
  world.sandbox.rotateKey()
  world.sandbox.clearReceived()
  const second = await ask(false)
  expect(second.status).toBe(200)
  expect(chatRequests(world.sandbox)).toHaveLength(2)
  expect(world.sandbox.received().filter(({ path }) => path.endsWith('/attestation'))).toHaveLength(1)
})

it('many concurrent callers cause one attestation', async () => {
  world.core.invalidateVerdict()
  world.sandbox.clearReceived()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(false)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(world.sandbox.received().filter(({ path }) => path.endsWith('/attestation'))).toHaveLength(1)
})

it('a refused renewal discards the verdict in force', async () => {
  await (await ask(false)).arrayBuffer()
  world.sandbox.setFault('debug-guest', true)
  try {
    expect(await world.call('privacy/verify')).toMatchObject({ good: false })
    expect((await ask(false)).status).toBe(502)
  } finally {
    world.sandbox.setFault('debug-guest', false)
  }
})

it('a renewal that can’t be fetched leaves the verdict in force until it expires', async () => {
  await (await ask(false)).arrayBuffer()
  world.sandbox.setFault('status-401', false)
  const unreachable = { on: true }
  await using other = await startWorld({
    fetch: (fetch) => (url, init) =>
      new URL(url).pathname.endsWith('/attestation') && unreachable.on
        ? Promise.reject(new Error('offline'))
        : fetch(url, init),
  })
  unreachable.on = false
  expect(
    (await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })).status,
  ).toBe(200)
  unreachable.on = true
  expect(await other.call('privacy/verify')).toMatchObject({ data: { code: 'attestation/unreachable' } })
  expect(
    (await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })).status,
  ).toBe(200)
  other.core.invalidateVerdict()
  const refused = await other.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'x' }] })
  expect([refused.status, (await failureOf(refused)).error.code]).toEqual([502, 'attestation/unreachable'])
})
