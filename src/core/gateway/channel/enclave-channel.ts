import { randomBytes } from 'node:crypto'
import { assessEvidence, MAX_EVIDENCE_BYTES, type Assessment } from '../../../verifier/index.ts'
import { makeProof } from './proof.ts'
import type { AttestationCode } from '../../../verifier/types.ts'
import type { AttestationPolicy } from '../../../shared/policy/attestation-policy.ts'
import { delay } from '../../../shared/sleep.ts'
import type { TrustSet } from '../../../shared/trust.ts'
import { createAmdListLookup, type CollateralMemory } from './amd-list-lookup.ts'
import { fetchEvidence } from './evidence.ts'
import { fetchFresh, type FreshSource } from './fresh-evidence.ts'
import { attemptOf, compareRelease, type ReleaseMemory } from './release-memory.ts'
import {
  createSealedChannel,
  proveCryptography,
  rootsRead,
  type EnclaveChannel,
  type SealedChannelOptions,
} from './sealed-channel.ts'
import type { Attempt } from './verdict-keeper.ts'

const NONCE_BYTES = 32
/**
 * An enclave's name can lead to several servers, each with its own keys. Evidence is fetched this often until the service's and the
 * fresh one are from the same server.
 */
const MAX_ROUNDS = 3
/** A known revocation list this close to its end is renewed. */
const RENEW_LIST_AHEAD_MS = 24 * 3600_000
/** The longest that a verdict waits for a revocation list if none is in force. */
const LIST_WAIT_MS = 3_000

export interface ChannelOptions extends SealedChannelOptions {
  /** `{base}{privatePath}`. */
  readonly privateUrl: string
  /**
   * The source of fresh evidence under a policy with rules for it. Read for each attempt, because the user
   * can change it. None by default.
   */
  readonly freshSource?: (policy: AttestationPolicy) => FreshSource
  readonly releases: ReleaseMemory
  readonly collateral: CollateralMemory
  /** Whether AMD's revocation lists are downloaded from its key server when none is known. */
  readonly downloadsLists: boolean
}

/**
 * The only connection to an enclave behind a service: first the evidence, then the attested key, then the
 * sealed body. Nothing is fetched before a call needs it.
 */
export function createEnclaveChannel(options: ChannelOptions): EnclaveChannel {
  const {
    fetch,
    now,
    monotonic = () => performance.now(),
    pause = delay,
    privateUrl,
    releases,
    collateral,
  } = options
  const lists = options.downloadsLists
    ? createAmdListLookup({ fetch, memory: collateral, now, monotonic })
    : null

  async function attest(verifyAgain: () => Promise<void>, round = 1): Promise<Attempt> {
    const policy = options.policy()
    // Only Nitro evidence can be bound to a nonce. The evidence of other platforms is the same for every
    // caller.
    const nonce = policy.nitro ? randomBytes(NONCE_BYTES) : undefined
    const url = `${privateUrl}/attestation${nonce ? `?nonce=${nonce.toString('hex')}` : ''}`
    const [evidence, fresh, trust] = await Promise.all([
      fetchEvidence(fetch, url, MAX_EVIDENCE_BYTES),
      // Fetched in parallel with the service's evidence, so that it takes no extra time.
      policy.nonceBound ? fetchFresh(fetch, options.freshSource?.(policy) ?? { from: 'never' }) : undefined,
      rootsRead(options.trust),
      proveCryptography(policy),
    ])
    const assess = (): Assessment =>
      assessEvidence({
        evidence,
        trust,
        policy,
        now: now(),
        ...(nonce && { nonce }),
        ...(fresh && { fresh }),
        known: collateral.newest(),
      })
    let assessment = assess()
    if (await listArrives(assessment, trust, verifyAgain)) assessment = assess()
    const verdict = compareRelease(assessment.verdict, releases)
    if (round < MAX_ROUNDS && verdict.failure && OTHER_SERVER.has(verdict.failure.code))
      return attest(verifyAgain, round + 1)
    const proof = makeProof({
      evidence,
      ...(nonce && { nonce }),
      ...(fresh && { fresh }),
      trust,
      policy,
      verdict,
      collateral: assessment.collateral,
    })
    return attemptOf({ verdict, proof, used: assessment.collateral, collateral, releases })
  }

  /**
   * Downloads AMD's list if none is in force, or the one in force expires soon. The verdict waits only in the
   * first case, for a few seconds. A list that arrives later triggers another verdict.
   * @returns whether a newer list arrived in time
   */
  async function listArrives(
    { verdict, amdList }: Assessment,
    { amd }: TrustSet,
    verifyAgain: () => Promise<void>,
  ): Promise<boolean> {
    const left = (amdList?.ends ?? -Infinity) - now()
    if (!lists || !verdict.good || !amdList || left >= RENEW_LIST_AHEAD_MS) return false
    const arriving = lists.refresh(amdList.product, amd)
    const waiting = new AbortController()
    const inTime =
      left < 0 && (await Promise.race([arriving, pause(LIST_WAIT_MS, waiting.signal).then(() => false)]))
    waiting.abort()
    if (!inTime) void arriving.then((newer) => (newer ? verifyAgain() : undefined))
    return inTime
  }

  return createSealedChannel(options, {
    attest,
    address: (path, { enclaveHost }) => ({
      url: `${privateUrl}${path}`,
      headers: { 'x-tinfoil-enclave-url': `https://${enclaveHost}` },
    }),
    close: () => lists?.close(),
  })
}

/**
 * Failures that occur when two servers of one enclave answered, or when the enclave has just changed its
 * keys.
 */
const OTHER_SERVER: ReadonlySet<AttestationCode> = new Set([
  'keys/differ-from-service',
  'release/differs-from-service',
])
