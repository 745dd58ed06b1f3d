import { createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEnclaveChannel } from '../../../../src/core/gateway/channel/index.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import { bootEnclave, rawX25519, type EnclaveKeys } from '../../../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../../../src/sandbox/world/rekor.ts'
import { loadRoots, type Roots } from '../../../../src/sandbox/world/roots.ts'
import { mintDocument } from '../../../../src/sandbox/world/v3/document.ts'
import { createMintingWorld } from '../../../../src/sandbox/world/v3/document-desk.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { AttestationPolicy } from '../../../../src/shared/policy/attestation-policy.ts'
import type { Verdict } from '../../../../src/shared/verdict.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const URL_OF_SERVICE = 'http://127.0.0.1:1'
const [ownEnclave, other] = [bootEnclave(), bootEnclave()]
let roots: Roots
let evidence: string
beforeAll(async () => {
  roots = await loadRoots(await sandboxFolder(), () => true)
  const rekor = new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey)
  evidence = JSON.stringify(
    await mintEvidence({
      platform: 'sev-snp',
      roots,
      rekor,
      keys: ownEnclave,
      faults: new Set(),
      nonce: null,
      now: Date.now(),
    }),
  )
})

function policyOf(required: boolean): AttestationPolicy {
  const { policy } = sandboxProfile(URL_OF_SERVICE)
  if (!policy?.nonceBound) throw new Error('the sandbox has rules for document v3')
  return { ...policy, nonceBound: { ...policy.nonceBound, required } }
}

interface Outcome {
  readonly verdict: Verdict
  /** How often each kind of evidence was asked for, and each nonce. */
  readonly asked: { readonly service: number; readonly nonces: readonly string[] }
}

/** @param keysOf each document's keys in turn; undefined if there is no answer */
async function verify(
  keysOf: (round: number) => EnclaveKeys | undefined,
  { required = false, source = true } = {},
): Promise<Outcome> {
  const nonces: string[] = []
  let service = 0
  const fetch: Fetch = (url) => {
    const { pathname, searchParams } = new URL(url)
    const nonce = searchParams.get('nonce') ?? ''
    let body = evidence
    if (pathname === '/.well-known/tinfoil-attestation') {
      nonces.push(nonce)
      const keys = keysOf(nonces.length)
      if (!keys) return Promise.reject(new Error('no connection'))
      body = JSON.stringify(
        mintDocument(createMintingWorld({ roots, keys }), { nonce: Buffer.from(nonce, 'hex') }),
      )
    } else service++
    return Promise.resolve({
      status: 200,
      headers: { get: () => null },
      body: (async function* () {
        yield await Promise.resolve(Buffer.from(body))
      })(),
    })
  }
  const channel = createEnclaveChannel({
    fetch,
    now: () => Date.now(),
    privateUrl: `${URL_OF_SERVICE}/private`,
    policy: () => policyOf(required),
    ...(source && {
      freshSource: ({ nonceBound }: AttestationPolicy) =>
        nonceBound ? { from: 'direct' as const, policy: nonceBound } : { from: 'never' as const },
    }),
    trust: () => Promise.resolve(roots.trust),
    releases: {
      newest: () => null,
      olderAccepted: () => false,
      asksBeforeNew: () => false,
      trusted: () => false,
      record: () => undefined,
    },
    collateral: { newest: () => [], record: () => undefined },
    downloadsLists: false,
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
  const verdict = await channel.verify()
  expect(channel.current()).toEqual(verdict)
  channel.close()
  return { verdict, asked: { service, nonces } }
}

const freshSteps = ({ steps }: Verdict) => steps.filter(({ id }) => id.startsWith('v3/'))

describe('a verdict with fresh evidence', () => {
  it('is bound to the nonce, and names the machine', async () => {
    const { verdict, asked } = await verify(() => ownEnclave)
    expect(verdict).toMatchObject({
      good: true,
      freshness: { kind: 'nonce-bound' },
      machine: { identity: roots.chipId.toString('hex'), policy: 'sandbox-genoa' },
      hpkePublicKey: rawX25519(ownEnclave.hpke.publicKey).toString('hex'),
    })
    expect([asked.service, asked.nonces.length]).toEqual([1, 1])
  })

  it('is good in the second round, if the first was of another server', async () => {
    const { verdict, asked } = await verify((round) => (round === 1 ? other : ownEnclave))
    expect(verdict).toMatchObject({ good: true, freshness: { kind: 'nonce-bound' } })
    expect([asked.service, new Set(asked.nonces).size]).toEqual([2, 2])
  })

  it('is refused after three rounds of another server, and never for its key', async () => {
    const { verdict, asked } = await verify(() => other)
    expect(verdict).toMatchObject({
      good: false,
      failure: { step: 'v3/same-enclave', code: 'keys/differ-from-service' },
    })
    expect(verdict.validUntil).toBeLessThanOrEqual(verdict.verifiedAt)
    expect(verdict.hpkePublicKey).not.toBe(rawX25519(other.hpke.publicKey).toString('hex'))
    expect([asked.service, new Set(asked.nonces).size]).toEqual([3, 3])
  })
})

describe('a verdict without fresh evidence', () => {
  it.each([
    ['unreachable', true],
    ['off', false],
  ])('is the service’s if the evidence isn’t required: %s', async (_, source) => {
    const { verdict, asked } = await verify(() => undefined, { source })
    expect(verdict.good).toBe(true)
    expect(freshSteps(verdict).map(({ id, outcome, required }) => [id, outcome, required])).toEqual([
      ['v3/document', 'not-checked', false],
    ])
    expect(verdict).not.toHaveProperty('machine')
    expect(verdict.freshness).toMatchObject({ kind: 'at-least-as-new-as' })
    expect([asked.service, asked.nonces.length]).toEqual([1, source ? 1 : 0])
  })

  it.each([
    ['unreachable', true],
    ['off', false],
  ])('is refused if it’s required: %s', async (_, source) => {
    const { verdict, asked } = await verify(() => undefined, { required: true, source })
    expect(verdict).toMatchObject({
      good: false,
      failure: { step: 'v3/document', code: 'freshness/unavailable' },
    })
    expect(verdict.validUntil).toBeLessThanOrEqual(verdict.verifiedAt)
    expect(asked.service).toBe(1)
  })

  it('is good if it’s required and there', async () => {
    expect((await verify(() => ownEnclave, { required: true })).verdict.good).toBe(true)
  })
})
