import { randomBytes } from 'node:crypto'
import { assessEvidence, knownAnswersHold as verifierHolds, makeProof, MAX_EVIDENCE_BYTES, readRoots, type Assessment } from '../attestation/index.ts'
import { KEY_CONFIG_PROBLEM, knownAnswersHold as sealingHolds } from '../ehbp/index.ts'
import type { AttestationCode } from '../../shared/attestation-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { Proof } from '../../shared/proof.ts'
import type { TrustSet } from '../../shared/trust.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { createAmdListLookup, type CollateralMemory } from './amd-list-lookup.ts'
import { fetchEvidence } from './evidence.ts'
import type { Patience } from './exchange-guard.ts'
import { fetchFresh, type FreshSource } from './fresh-evidence.ts'
import { judgeRelease, type ReleaseMemory } from './release-memory.ts'
import { exchangeSealed, type SealedRequest, type SealedResponse, type UnsealedAnswer } from './sealed-exchange.ts'
import type { SetupPreparer } from './setup-stock.ts'
import { delay, VerdictKeeper, type Attempt } from './verdict-keeper.ts'

/** A request is sent once more after the enclave didn’t know the key (EHBP, SPEC 5.4). */
const MAX_SENDS = 2
/** Delays before each attempt to get evidence with another key, because the service caches evidence for minutes. */
const KEY_RETRY_DELAYS_MS = [0, 1_000, 4_000] as const
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

export interface ChannelOptions {
  readonly fetch: Fetch
  readonly now: () => number
  readonly monotonic?: () => number
  /** `{base}{privatePath}`. */
  readonly privateUrl: string
  /** Read anew for each attempt: the user may narrow it meanwhile. Throws a SottoError where nothing is left of it. */
  readonly policy: () => AttestationPolicy
  /** Where fresh evidence is asked for under a policy with rules for it. Read for each attempt, because the user can change it. Nowhere by default. */
  readonly freshSource?: (policy: AttestationPolicy) => FreshSource
  /** Settles once its roots are there; the sandbox mints its own. */
  readonly trust: () => Promise<TrustSet>
  readonly releases: ReleaseMemory
  readonly collateral: CollateralMemory
  /** Whether AMD's revocation lists are downloaded from its key server when none is known. */
  readonly downloadsLists: boolean
  readonly patience: Patience
  /** Resolves after a time, or when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called once there is a key to prepare for; a thread of its own by default. */
  readonly startPreparer?: () => SetupPreparer
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
  /** Does ahead what a first verdict takes beside its evidence: the known answers, and the roots read. Never throws. */
  prepare(): Promise<void>
  /** Ends the verdict in force, and begins an attempt in flight anew: after sleep, or where the policy was narrowed. */
  invalidate(): void
  /**
   * Seals and sends to the enclave that a good verdict names; nothing leaves without one.
   * Throws what `verify` throws; attestation/failed, attestation/older-release, attestation/not-yet-trusted for a refused verdict;
   * channel/key-rotated if the enclave refused the key of two verdicts in turn, or three attempts got no evidence with another key; the
   * signal's reason; and what exchangeSealed throws.
   */
  send(request: SealedRequest): Promise<SealedResponse>
  /** Ends what it started beside the requests. */
  close(): void
}

/** The only way to the enclave: proof first, then the attested key, then the sealed body. Nothing is fetched before it is asked for. */
export function openEnclaveChannel(options: ChannelOptions): EnclaveChannel {
  const { fetch, now, monotonic = () => performance.now(), pause = delay, privateUrl, releases, collateral } = options
  const lists = options.downloadsLists ? createAmdListLookup({ fetch, memory: collateral, now, monotonic }) : null
  const keeper = new VerdictKeeper({ attest: () => attest(), now, monotonic, startPreparer: options.startPreparer })

  async function rootsRead(): Promise<TrustSet> {
    const trust = await options.trust()
    readRoots(trust)
    return trust
  }

  async function attest(round = 1): Promise<Attempt> {
    const policy = options.policy()
    // Of the platforms only Nitro's evidence can be bound to a question; the others' is the same for everybody who asks.
    const nonce = policy.nitro ? randomBytes(NONCE_BYTES) : undefined
    const url = `${privateUrl}/attestation${nonce ? `?nonce=${nonce.toString('hex')}` : ''}`
    const [evidence, fresh, trust] = await Promise.all([
      fetchEvidence(fetch, url, MAX_EVIDENCE_BYTES),
      // Beside the service's evidence, so that it takes no time of its own.
      policy.nonceBound ? fetchFresh(fetch, options.freshSource?.(policy) ?? { from: 'never' }) : undefined,
      rootsRead(),
      proveCryptography(policy),
    ])
    const assess = (): Assessment => assessEvidence({ evidence, trust, policy, now: now(), ...(nonce && { nonce }), ...(fresh && { fresh }), known: collateral.newest() })
    let assessment = assess()
    if (await listArrives(assessment, trust)) assessment = assess()
    const verdict = judgeRelease(assessment.verdict, releases)
    if (round < MAX_ROUNDS && verdict.failure && OTHER_SERVER.has(verdict.failure.code)) return attest(round + 1)
    const proof = makeProof({ evidence, ...(nonce && { nonce }), ...(fresh && { fresh }), trust, policy, verdict, collateral: assessment.collateral })
    return {
      verdict,
      proof,
      remember: () => {
        // Also those of a refused verdict: older ones must not make the same evidence good later.
        collateral.record(assessment.collateral)
        if (verdict.good) releases.record(verdict, proof)
      },
    }
  }

  /**
   * Downloads AMD's list if none is in force, or the one in force ends soon. Only the former is waited for, for a few seconds. A list that
   * arrives later is used by a verdict of its own.
   *
   * @returns whether a newer list arrived in time
   */
  async function listArrives({ verdict, amdList }: Assessment, { amd }: TrustSet): Promise<boolean> {
    const left = (amdList?.ends ?? -Infinity) - now()
    if (!lists || !verdict.good || !amdList || left >= RENEW_LIST_AHEAD_MS) return false
    const arriving = lists.refresh(amdList.product, amd)
    const waiting = new AbortController()
    const inTime = left < 0 && await Promise.race([arriving, pause(LIST_WAIT_MS, waiting.signal).then(() => false)])
    waiting.abort()
    if (!inTime) void arriving.then((newer) => (newer ? keeper.verifyAgain() : undefined))
    return inTime
  }

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
      await Promise.allSettled([rootsRead(), (async () => proveCryptography(options.policy()))()])
    },
    invalidate: () => keeper.invalidate(),
    async send(request) {
      let refusedKey: string | undefined
      for (let sends = 0; sends < MAX_SENDS; sends++) {
        const verdict = refusedKey === undefined ? await keeper.good() : await goodVerdictWithout(refusedKey, request.signal)
        request.signal.throwIfAborted()
        request.onProven?.()
        const answer = await exchangeSealed({
          fetch, request, verdict, setups: keeper.setups, patience: options.patience, refusesKey,
          url: `${privateUrl}${request.path}`, headers: { 'x-tinfoil-enclave-url': `https://${verdict.enclaveHost}` },
        })
        if (!answer.keyRefused) return answer
        request.onUnread?.()
        refusedKey = verdict.hpkePublicKey
      }
      throw new SottoError('channel/key-rotated')
    },
    close() {
      lists?.close()
      keeper.close()
    },
  }
}

/** What two servers of one enclave name, or an enclave that just changed its keys, look like. */
const OTHER_SERVER: ReadonlySet<AttestationCode> = new Set(['keys/differ-from-service', 'release/differs-from-service'])

/**
 * Neither a verdict nor a seal counts that comes of a runtime which gives wrong answers. Right ones are given once in a process, while the
 * evidence is on its way. Throws channel/crypto-unavailable.
 */
async function proveCryptography(policy: AttestationPolicy): Promise<void> {
  if (!await verifierHolds(policy) || !sealingHolds()) throw new SottoError('channel/crypto-unavailable')
}

/** EHBP, section 5.2. An unauthenticated signal, acted on only by verifying the enclave again. */
function refusesKey({ status, contentType, body }: UnsealedAnswer): boolean {
  if (status !== 422 || !contentType?.startsWith('application/problem+json')) return false
  try {
    const problem: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof problem === 'object' && problem !== null && 'type' in problem && problem.type === KEY_CONFIG_PROBLEM
  } catch {
    return false
  }
}
