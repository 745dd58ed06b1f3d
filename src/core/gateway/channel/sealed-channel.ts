import { knownAnswersHold as verifierHolds, readRoots } from '../../../verifier/index.ts'
import { KEY_CONFIG_PROBLEM, knownAnswersHold as sealingHolds } from '../../../ehbp/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { AttestationPolicy } from '../../../shared/policy/attestation-policy.ts'
import type { Proof } from '../../../shared/proof.ts'
import type { TrustSet } from '../../../shared/trust.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import type { Timeouts } from '../request-timeout.ts'
import {
  exchangeSealed,
  isOtherTlsKey,
  type SealedRequest,
  type SealedResponse,
  type UnsealedAnswer,
} from './sealed-exchange.ts'
import type { SetupPreparer } from './hpke-context-pool.ts'
import { delay, VerdictKeeper, type Attempt } from './verdict-keeper.ts'

/** A request is sent once more after the enclave didn’t know the key (EHBP, SPEC 5.4), or the connection had another TLS key than the attested one. */
const MAX_SENDS = 2
/** Delays before each attempt to get evidence with another key, because evidence may be cached for minutes. */
const KEY_RETRY_DELAYS_MS = [0, 1_000, 4_000] as const

export interface SealedChannelOptions {
  readonly fetch: Fetch
  readonly now: () => number
  readonly monotonic?: () => number
  /** Read for each attempt, because the user can narrow it. Throws a SottoError if nothing is left of it. */
  readonly policy: () => AttestationPolicy
  /** Settles once its roots are there; the sandbox mints its own. */
  readonly trust: () => Promise<TrustSet>
  readonly timeouts: Timeouts
  /** Resolves after a time, or when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called once there is a key to prepare for; a thread of its own by default. */
  readonly startPreparer?: () => SetupPreparer
}

/** What differs between an enclave behind a service and one that is reached directly. */
export interface EvidenceWay {
  /** Fetches evidence and judges it. `verifyAgain` makes a verdict of its own after this attempt. */
  attest(verifyAgain: () => Promise<void>): Promise<Attempt>
  /** Where a sealed request goes, headers beside its own (lowercase names), and the TLS key that the connection must have. */
  address(
    path: string,
    verdict: Verdict,
  ): { readonly url: string; readonly headers?: Record<string, string>; readonly tlsKey?: string }
  close?(): void
}

export interface EnclaveChannel {
  /** The verdict in force, or the last one made; null before the first. One that is not relied on any more has its end in the past. */
  current(): Verdict | null
  /** That verdict with the evidence and everything else that it came from. */
  proof(): Proof | null
  /**
   * Fetches evidence and judges it now; joins an attempt that is under way. A refused verdict is returned, not thrown. Throws
   * attestation/unreachable, attestation/evidence-too-large, channel/crypto-unavailable, what `policy` throws, and store/… where a good
   * verdict cannot be remembered: it is then not relied on.
   */
  verify(): Promise<Verdict>
  /** Further enclaves, each with verdicts of its own, if models are reached at enclaves of their own. */
  readonly others?: readonly EnclaveChannel[]
  /** Does ahead what a first verdict takes beside its evidence: the known answers, and the roots read. Never throws. */
  prepare(): Promise<void>
  /** Ends the verdict in force, and starts an attempt in flight again: after sleep, or because the policy was narrowed. */
  invalidate(): void
  /**
   * Seals and sends to the enclave that a good verdict names; nothing leaves without one.
   * Throws what `verify` throws; attestation/failed, attestation/older-release, attestation/release-not-approved for a refused verdict;
   * channel/key-rotated if the enclave refused the key of two verdicts in turn, or three attempts got no evidence with another key;
   * channel/tls-key-differs if the connections for two verdicts in turn ended at another TLS key; the signal's reason; and what exchangeSealed throws.
   */
  send(request: SealedRequest): Promise<SealedResponse>
  /** Stops the work that runs beside the requests. */
  close(): void
}

/** Joins a way to evidence with the parts that all enclaves share: the lease, the retry after a refused key, the seal. */
export function createSealedChannel(options: SealedChannelOptions, way: EvidenceWay): EnclaveChannel {
  const { fetch, now, monotonic = () => performance.now(), pause = delay } = options
  const keeper: VerdictKeeper = new VerdictKeeper({
    attest: () => way.attest(() => keeper.verifyAgain()),
    now,
    monotonic,
    startPreparer: options.startPreparer,
  })

  /**
   * A good verdict for another key than the refused one. The refusal isn't authenticated, so nothing is sealed to the refused key again.
   * Otherwise an attacker on the network could have each request charged twice.
   */
  async function goodVerdictWithout(refusedKey: string, signal: AbortSignal): Promise<Verdict> {
    // Another caller may have renewed the verdict since.
    let verdict = await keeper.good()
    for (const ms of KEY_RETRY_DELAYS_MS) {
      if (verdict.hpkePublicKey !== refusedKey) return verdict
      signal.throwIfAborted()
      await pause(ms, signal)
      signal.throwIfAborted()
      // An attempt in flight may return evidence from before the refusal. The next one starts a new fetch.
      verdict = await keeper.goodAgain()
    }
    if (verdict.hpkePublicKey !== refusedKey) return verdict
    throw new SottoError('channel/key-rotated')
  }

  return {
    current: () => keeper.current(),
    proof: () => keeper.proof(),
    verify: () => keeper.verify(),
    async prepare() {
      // Whatever fails here is said by the verdict that it fails for.
      await Promise.allSettled([
        rootsRead(options.trust),
        (async () => proveCryptography(options.policy()))(),
      ])
    },
    invalidate: () => keeper.invalidate(),
    async send(request) {
      let refusedKey: string | undefined
      for (let sends = 0; sends < MAX_SENDS; sends++) {
        const verdict =
          refusedKey === undefined
            ? await keeper.good()
            : await goodVerdictWithout(refusedKey, request.signal)
        request.signal.throwIfAborted()
        request.onProven?.()
        const exchange = {
          fetch,
          request,
          verdict,
          setups: keeper.setups,
          timeouts: options.timeouts,
          refusesKey,
          ...way.address(request.path, verdict),
        }
        const answer = await exchangeSealed(exchange).catch(async (failure: unknown) => {
          // The enclave may have restarted with other keys, or the connection led to another server of its name.
          if (!isOtherTlsKey(failure) || sends + 1 === MAX_SENDS) throw failure
          await keeper.goodAgain()
          return null
        })
        if (answer === null) continue
        if (!answer.keyRefused) return answer
        request.onUnread?.()
        refusedKey = verdict.hpkePublicKey
      }
      throw new SottoError('channel/key-rotated')
    },
    close() {
      way.close?.()
      keeper.close()
    },
  }
}

/** The roots, parsed once in this process. */
export async function rootsRead(trust: () => Promise<TrustSet>): Promise<TrustSet> {
  const roots = await trust()
  readRoots(roots)
  return roots
}

/**
 * Neither a verdict nor a seal counts that comes of a runtime which gives wrong answers. Right ones are given once in a process, while the
 * evidence is on its way. Throws channel/crypto-unavailable.
 */
export async function proveCryptography(policy: AttestationPolicy): Promise<void> {
  if (!(await verifierHolds(policy)) || !sealingHolds()) throw new SottoError('channel/crypto-unavailable')
}

/** EHBP, section 5.2. An unauthenticated signal, acted on only by verifying the enclave again. */
function refusesKey({ status, contentType, body }: UnsealedAnswer): boolean {
  if (status !== 422 || !contentType?.startsWith('application/problem+json')) return false
  try {
    const problem: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return (
      typeof problem === 'object' &&
      problem !== null &&
      'type' in problem &&
      problem.type === KEY_CONFIG_PROBLEM
    )
  } catch {
    return false
  }
}
