import { randomBytes } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { assessDirect, MAX_V3_BYTES } from '../../../verifier/index.ts'
import { makeProof } from './proof.ts'
import type { AttestationPolicy } from '../../../shared/policy/attestation-policy.ts'
import type { CollateralMemory } from './amd-list-lookup.ts'
import { fetchEvidence } from './evidence.ts'
import { attemptOf, compareRelease, type ReleaseMemory } from './release-memory.ts'
import {
  createSealedChannel,
  proveCryptography,
  rootsRead,
  type EnclaveChannel,
  type SealedChannelOptions,
} from './sealed-channel.ts'

const NONCE_BYTES = 32

export interface DirectEnclave {
  /** `https://HOST`, without a trailing slash. */
  readonly origin: string
  /** Model IDs without `private/`. The first enclave takes each model that no other names. */
  readonly models: readonly string[]
  /** Read for each attempt, because the user can narrow it. Throws a SottoError if nothing is left of it. */
  readonly policy: () => AttestationPolicy
}

export interface DirectChannelOptions extends Omit<SealedChannelOptions, 'policy'> {
  /** The router first. */
  readonly enclaves: readonly [DirectEnclave, ...DirectEnclave[]]
  readonly releases: ReleaseMemory
  readonly collateral: CollateralMemory
}

/**
 * The only connection to enclaves without a service. Each enclave is verified separately, with a new nonce
 * for each verdict (attestation document v3). A verdict on one never authorizes a request to another.
 * `current`, `proof` and `verify` are about the named enclave, or the router.
 */
export function createDirectChannel({ enclaves, ...options }: DirectChannelOptions): EnclaveChannel {
  const [router, ...others] = enclaves.map((enclave) => ({
    ...enclave,
    channel: createSingleChannel(enclave, options),
  }))
  if (!router) throw new Error('a direct profile has a router')
  const all = [router, ...others]
  return {
    current: () => router.channel.current(),
    proof: () => router.channel.proof(),
    verify: () => router.channel.verify(),
    others: others.map(({ channel }) => channel),
    prepare: () => router.channel.prepare(),
    invalidate: () => {
      for (const { channel } of all) channel.invalidate()
    },
    send: (request) => {
      const { model } = request
      const named = model === undefined ? undefined : others.find(({ models }) => models.includes(model))
      return (named ?? router).channel.send(request)
    },
    close: () => {
      for (const { channel } of all) channel.close()
    },
  }
}

function createSingleChannel(
  { origin, policy }: DirectEnclave,
  options: Omit<DirectChannelOptions, 'enclaves'>,
): EnclaveChannel {
  const { fetch, now, releases, collateral } = options
  return createSealedChannel(
    { ...options, policy },
    {
      async attest() {
        const rules = policy()
        const nonce = randomBytes(NONCE_BYTES)
        const [evidence, trust] = await Promise.all([
          fetchEvidence(
            fetch,
            `${origin}/.well-known/tinfoil-attestation?nonce=${nonce.toString('hex')}`,
            MAX_V3_BYTES,
          ),
          rootsRead(options.trust),
          proveCryptography(rules),
        ])
        const assessment = assessDirect({
          evidence,
          nonce,
          trust,
          policy: rules,
          now: now(),
          known: collateral.newest(),
        })
        const verdict = compareRelease(assessment.verdict, releases)
        const proof = makeProof({
          evidence,
          nonce,
          trust,
          policy: rules,
          verdict,
          collateral: assessment.collateral,
        })
        return attemptOf({ verdict, proof, used: assessment.collateral, collateral, releases })
      },
      address: (path, verdict) => ({ url: `${origin}${path}`, ...requiredTlsKey(origin, verdict) }),
    },
  )
}

/**
 * The TLS key that a connection to an enclave must have. Behind a service it's undefined, because the
 * connection ends at the service.
 * @param address of the enclave. Only on loopback it has no TLS (`profileSchema`), and so no key to compare.
 * @throws {SottoError} attestation/failed – a verdict without a TLS key
 */
function requiredTlsKey(
  address: string,
  { tlsKeyFingerprint }: Pick<Verdict, 'tlsKeyFingerprint'>,
): { readonly tlsKey?: string } {
  if (new URL(address).protocol !== 'https:') return {}
  if (tlsKeyFingerprint === undefined) throw new SottoError('attestation/failed')
  return { tlsKey: tlsKeyFingerprint }
}
