import { randomBytes } from 'node:crypto'
import { ATTESTATION_V3, MAX_V3_BYTES, type FreshAnswer } from '../../../verifier/index.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { NonceBoundPolicy } from '../../../shared/policy/nonce-bound.ts'
import { fetchEvidence } from './evidence.ts'

/** The service's own evidence must not wait longer for an enclave that can't be reached from here. */
const TIMEOUT_MS = 8_000
const NONCE_BYTES = 32

/** Where a document v3 is asked for. The enclave's own server sees this computer's address; the service hides it. */
export type FreshSource =
  | { readonly from: 'direct'; readonly policy: NonceBoundPolicy }
  | { readonly from: 'relayed'; readonly serviceUrl: string; readonly enclaveHost: string }
  | { readonly from: 'never' }

/**
 * Asks for an attestation document v3 with a new nonce. Never throws: what can't be had is a fact that the policy judges.
 * A service that doesn't relay may answer anything, for example with a web page. That counts as no document; from the enclave's own
 * server every answer is judged.
 */
export async function fetchFresh(fetch: Fetch, source: FreshSource): Promise<FreshAnswer> {
  if (source.from === 'never') return { absent: 'off' }
  const nonce = randomBytes(NONCE_BYTES)
  const absent = source.from === 'direct' ? 'unreachable' : 'not-relayed'
  try {
    const document = await fetchEvidence(
      fetch,
      urlOf(source, nonce.toString('hex')),
      MAX_V3_BYTES,
      TIMEOUT_MS,
    )
    return source.from === 'relayed' && !namesFormat(document) ? { absent } : { document, nonce }
  } catch {
    return { absent }
  }
}

function urlOf(source: Exclude<FreshSource, { readonly from: 'never' }>, nonce: string): string {
  const url = new URL(
    '/.well-known/tinfoil-attestation',
    source.from === 'direct' ? source.policy.origin : source.serviceUrl,
  )
  url.searchParams.set('nonce', nonce)
  if (source.from === 'relayed') url.searchParams.set('enclave', source.enclaveHost)
  return url.href
}

function namesFormat(document: Uint8Array): boolean {
  return Buffer.from(document.buffer, document.byteOffset, document.byteLength).includes(ATTESTATION_V3)
}
