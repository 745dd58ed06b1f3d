import { randomBytes } from 'node:crypto'
import {
  assessServiceEnclave,
  verifyRoutingReceipt,
  knownAnswersOf,
  MAX_ANSWER_BYTES,
  MAX_RECORD_BYTES,
  RoutingReceiptReader,
  routingReceiptsOfHeaders,
  verifyImageProvenance,
  writeAcceptance,
  type ImageAcceptance,
  type ImageProvenanceResult,
  type ImageRecord,
} from '../../../verifier/index.ts'
import { makeProof } from './proof.ts'
import { knownAnswersHold as sealingHolds } from '../../../ehbp/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { ServiceEnclavePolicy } from '../../../shared/policy/service-enclave.ts'
import type { Proof } from '../../../shared/proof.ts'
import type { Routing } from '../../../shared/routing.ts'
import type { TrustSet } from '../../../shared/trust.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { fetchEvidence } from './evidence.ts'
import type { Timeouts } from '../request-timeout.ts'
import {
  exchangeSealed,
  type SealedRequest,
  type SealedResponse,
  type UnsealedAnswer,
} from './sealed-exchange.ts'
import type { SetupPreparer } from './hpke-context-pool.ts'
import { rootsRead } from './sealed-channel.ts'
import { VerdictKeeper, type Attempt } from './verdict-keeper.ts'

const NONCE_BYTES = 32
const REQUEST_ID_BYTES = 16
/** The same for every installation: the service sees it. */
const USER_AGENT = 'Sotto'
/** Evidence must not wait longer for a record on another server. */
const RECORD_TIMEOUT_MS = 8_000
/** A record that can't be fetched again is used for this long. */
const RECORD_LIFE_MS = 7 * 24 * 3600_000
/** A new verdict is for another certificate only after a renewal, so that few are in use at once. */
const MAX_TLS_KEYS = 4

/** A record of the service's images as it was received, and when (Unix ms). */
export interface StoredRecord {
  readonly text: string
  /** `YYYY-MM-DD` */
  readonly updated: string
  readonly fetchedAt: number
}

/** The images that the person accepts, and the newest record that was seen. The store implements it. */
export interface ImageMemory {
  accepted(): Exclude<ImageAcceptance, { rule: 'published' }> | { readonly rule: 'published' }
  record(): StoredRecord | null
  /** @throws {SottoError} store/… */
  keepRecord(record: StoredRecord): void
}

export interface ServiceEnclaveOptions {
  readonly fetch: Fetch
  readonly now: () => number
  readonly monotonic?: () => number
  readonly policy: ServiceEnclavePolicy
  readonly trust: () => Promise<TrustSet>
  readonly images: ImageMemory
  /** Stores a verdict before it takes effect. Throws if it can't be stored. */
  readonly record: (verdict: Verdict, proof: Proof) => void
  readonly timeouts: Timeouts
  readonly startPreparer?: () => SetupPreparer
}

/** An answer of the service's enclave. */
export interface RelayedResponse extends SealedResponse {
  /** Receives a stream's bytes as they arrive: the routing receipt is at its beginning. */
  onChunk(chunk: Uint8Array): void
  /** Returns where the request went. Call it when the answer has ended. */
  routing(): Routing
}

/** The channel to the service's own enclave, which passes chat on to the model's provider. */
export interface ServiceEnclaveChannel {
  /** See EnclaveChannel. */
  current(): Verdict | null
  proof(): Proof | null
  verify(): Promise<Verdict>
  invalidate(): void
  /** Returns PCR0 of the last verdict, signed by AWS's hardware (hex), even if its image was refused. */
  image(): string | null
  /**
   * Verifies the provenance of an image. `file` is PCR.json and `bundle` its parsed Sigstore bundle. An
   * attacker may control both. Never throws because of their content.
   */
  prove(file: Uint8Array, bundle: unknown): Promise<ImageProvenanceResult>
  /**
   * Seals the request and sends it to the enclave that a good verdict names. Without such a verdict nothing
   * is sent. An unsealed 400 may mean that the enclave has another key. The enclave is then verified again,
   * and the request is sent once more if its key changed. The connection's TLS key isn't compared with the
   * attested one: behind a proxy that reads TLS, the seal still protects the request.
   * @param model the requested model: a routing receipt for another one is refused
   * @throws {SottoError} see EnclaveChannel.send, without channel/key-rotated
   */
  send(request: SealedRequest, model: string): Promise<RelayedResponse>
  close(): void
}

/** Creates the channel. Nothing is fetched before a call needs it. */
export function createServiceEnclaveChannel(options: ServiceEnclaveOptions): ServiceEnclaveChannel {
  const { fetch, now, monotonic = () => performance.now(), policy, images } = options
  const keeper = new VerdictKeeper({ attest, now, monotonic, startPreparer: options.startPreparer })
  const tlsKeys = new Map<string, Uint8Array>()
  let image: string | null = null

  async function attest(): Promise<Attempt> {
    const nonce = randomBytes(NONCE_BYTES)
    const accepted = images.accepted()
    const [answer, fetched, trust] = await Promise.all([
      fetchEvidence(fetch, `${policy.baseUrl}/attestation?nonce=${nonce.toString('hex')}`, MAX_ANSWER_BYTES),
      accepted.rule === 'published'
        ? fetchEvidence(fetch, policy.imageRecordUrl, MAX_RECORD_BYTES, RECORD_TIMEOUT_MS).catch(() => null)
        : null,
      rootsRead(options.trust),
      proveCryptography(),
    ])
    const acceptance = accepted.rule === 'published' ? publishedBy(fetched) : accepted
    const { verdict, tlsKey, pcr0, record } = assessServiceEnclave({
      answer,
      nonce,
      trust,
      enclaveHost: new URL(policy.baseUrl).host,
      images: acceptance,
      now: now(),
    })
    const proof = makeProof({
      evidence: answer,
      nonce,
      trust,
      policy: { serviceEnclave: policy, images: writeAcceptance(acceptance) },
      verdict,
    })
    return {
      verdict,
      proof,
      remember: () => {
        image = pcr0 ?? null
        if (record && fetched) keepIfNewest(record, fetched)
        if (!verdict.good) return
        options.record(verdict, proof)
        if (tlsKey && verdict.tlsKeyFingerprint !== undefined) keepTlsKey(verdict.tlsKeyFingerprint, tlsKey)
      },
    }
  }

  /** Returns the record fetched now, or the last one while it's valid. */
  function publishedBy(fetched: Uint8Array | null): ImageAcceptance {
    const stored = images.record()
    const usable =
      stored && now() - stored.fetchedAt <= RECORD_LIFE_MS && stored.fetchedAt <= now()
        ? Buffer.from(stored.text)
        : null
    return { rule: 'published', record: fetched ?? usable, ...(stored && { newestSeen: stored.updated }) }
  }

  /** Also stores the record of a refused verdict, so that an older record isn't accepted later. */
  function keepIfNewest({ updated }: ImageRecord, bytes: Uint8Array): void {
    const stored = images.record()
    if (!stored || updated >= stored.updated)
      images.keepRecord({ text: Buffer.from(bytes).toString('utf8'), updated, fetchedAt: now() })
  }

  function keepTlsKey(fingerprint: string, key: Uint8Array): void {
    tlsKeys.delete(fingerprint)
    tlsKeys.set(fingerprint, key)
    for (const oldest of tlsKeys.keys()) {
      if (tlsKeys.size <= MAX_TLS_KEYS) break
      tlsKeys.delete(oldest)
    }
  }

  async function exchange(verdict: Verdict, request: SealedRequest, model: string): Promise<RelayedResponse> {
    request.signal.throwIfAborted()
    request.onProven?.()
    // Binds the routing receipt to this request. It must not link requests to each other.
    const requestId = randomBytes(REQUEST_ID_BYTES).toString('hex')
    const response = await exchangeSealed({
      fetch,
      url: `${policy.baseUrl}${request.path}`,
      headers: { 'x-request-id': requestId, 'user-agent': USER_AGENT },
      verdict,
      setups: keeper.setups,
      request,
      timeouts: options.timeouts,
      refusesKey,
    })
    const inStream = new RoutingReceiptReader()
    return {
      ...response,
      onChunk: (chunk) => inStream.push(chunk),
      routing: () => {
        const inHeaders = routingReceiptsOfHeaders((name) => response.headers.get(name))
        const inBody = inStream.found()
        const found = { receipts: [...inHeaders.receipts, ...inBody.receipts], afterData: inBody.afterData }
        return verifyRoutingReceipt({
          found,
          tlsKey: tlsKeys.get(verdict.tlsKeyFingerprint ?? ''),
          requestId,
          model,
          now: now(),
        })
      },
    }
  }

  return {
    current: () => keeper.current(),
    proof: () => keeper.proof(),
    verify: () => keeper.verify(),
    invalidate: () => keeper.invalidate(),
    image: () => image,
    prove: async (file, bundle) =>
      verifyImageProvenance({
        file,
        bundle,
        trust: await options.trust(),
        policy: policy.provenance,
        now: now(),
      }),
    async send(request, model) {
      const verdict = await keeper.good()
      const answer = await exchange(verdict, request, model)
      if (!answer.keyRefused) return answer
      request.onUnread?.()
      const again = await keeper.goodAgain()
      // The key is the same, so the enclave refuses the request itself.
      return again.hpkePublicKey === verdict.hpkePublicKey ? answer : exchange(again, request, model)
    },
    close: () => keeper.close(),
  }
}

/** The enclave answers a request that it can't open with a plain 400, as it answers a malformed one. */
function refusesKey({ status }: UnsealedAnswer): boolean {
  return status === 400
}

/** @throws {SottoError} channel/crypto-unavailable – this runtime fails the known-answer test */
async function proveCryptography(): Promise<void> {
  if (!(await knownAnswersOf('nitro')) || !sealingHolds()) throw new SottoError('channel/crypto-unavailable')
}
