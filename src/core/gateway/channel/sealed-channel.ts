import { knownAnswersHold as verifierHolds, readRoots } from '../../../verifier/index.ts'
import { KEY_CONFIG_PROBLEM, knownAnswersHold as sealingHolds } from '../../../ehbp/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { AttestationPolicy } from '../../../shared/policy/attestation-policy.ts'
import type { Proof } from '../../../shared/proof.ts'
import { delay } from '../../../shared/sleep.ts'
import { isRecord, tryParseJson } from '../../../shared/strict-json.ts'
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
import { VerdictKeeper, type Attempt } from './verdict-keeper.ts'

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
  /** Resolves when the roots are available. The sandbox creates its own. */
  readonly trust: () => Promise<TrustSet>
  readonly timeouts: Timeouts
  /** Resolves after a time, or when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when there is a key to prepare for. By default it starts a thread. */
  readonly startPreparer?: () => SetupPreparer
}

/** The difference between an enclave behind a service and one with a direct connection. */
export interface EvidenceWay {
  /** Fetches and verifies evidence. `verifyAgain` makes a separate verdict after this attempt. */
  attest(verifyAgain: () => Promise<void>): Promise<Attempt>
  /**
   * The URL of a sealed request, additional headers (lowercase names), and the TLS key that the connection
   * must have.
   */
  address(
    path: string,
    verdict: Verdict,
  ): { readonly url: string; readonly headers?: Record<string, string>; readonly tlsKey?: string }
  close?(): void
}

export interface EnclaveChannel {
  /**
   * Returns the verdict in force, or the last one; null before the first. A verdict that is no longer in
   * force has its end in the past.
   */
  current(): Verdict | null
  /** Returns that verdict with the evidence and its other inputs. */
  proof(): Proof | null
  /**
   * Fetches and verifies evidence now, or joins an attempt in progress. A refused verdict is returned, not
   * thrown.
   * @throws {SottoError} attestation/unreachable, attestation/evidence-too-large, channel/crypto-unavailable;
   * the errors of `policy`; store/… – a good verdict can't be stored, so that it isn't used
   */
  verify(): Promise<Verdict>
  /** Further enclaves with separate verdicts, if some models have their own enclave. */
  readonly others?: readonly EnclaveChannel[]
  /** Runs the known-answer tests and parses the roots before the first verdict needs them. Never throws. */
  prepare(): Promise<void>
  /**
   * Ends the verdict in force and restarts an attempt in progress: after sleep, or because the policy was
   * narrowed.
   */
  invalidate(): void
  /**
   * Seals the request and sends it to the enclave that a good verdict names. Without such a verdict nothing
   * is sent.
   * @throws {SottoError} the errors of `verify` and `exchangeSealed`; attestation/failed,
   * attestation/older-release, attestation/release-not-approved – a refused verdict; channel/key-rotated –
   * the enclave refused the keys of two consecutive verdicts, or three attempts got no evidence with another
   * key; channel/tls-key-differs – the connections for two consecutive verdicts had another TLS key; the
   * signal's reason
   */
  send(request: SealedRequest): Promise<SealedResponse>
  /** Stops the background work. */
  close(): void
}

/**
 * Combines a source of evidence with the parts that all enclaves share: the lease, the retry after a refused
 * key, and sealing.
 */
export function createSealedChannel(options: SealedChannelOptions, way: EvidenceWay): EnclaveChannel {
  const { fetch, now, monotonic = () => performance.now(), pause = delay } = options
  const keeper: VerdictKeeper = new VerdictKeeper({
    attest: () => way.attest(() => keeper.verifyAgain()),
    now,
    monotonic,
    startPreparer: options.startPreparer,
  })

  /**
   * Returns a good verdict for another key than the refused one. The refusal isn't authenticated, so nothing
   * is sealed to the refused key again. Otherwise an attacker on the network could have each request charged
   * twice.
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
      // If one of these fails, the verdict that needs it reports the failure.
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

/** Returns the roots, after parsing them once in this process. */
export async function rootsRead(trust: () => Promise<TrustSet>): Promise<TrustSet> {
  const roots = await trust()
  readRoots(roots)
  return roots
}

/**
 * Tests the cryptography of this runtime with known answers, because neither a verdict nor a seal is valid if
 * it computes wrongly. The test runs once in a process, while the evidence is fetched.
 * @throws {SottoError} channel/crypto-unavailable
 */
export async function proveCryptography(policy: AttestationPolicy): Promise<void> {
  if (!(await verifierHolds(policy)) || !sealingHolds()) throw new SottoError('channel/crypto-unavailable')
}

/** EHBP, section 5.2. An unauthenticated signal, which only causes the enclave to be verified again. */
function refusesKey({ status, contentType, body }: UnsealedAnswer): boolean {
  if (status !== 422 || !contentType?.startsWith('application/problem+json')) return false
  const problem = tryParseJson(Buffer.from(body).toString('utf8'))
  return isRecord(problem) && problem['type'] === KEY_CONFIG_PROBLEM
}
