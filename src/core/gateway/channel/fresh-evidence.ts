import { randomBytes } from 'node:crypto'
import { ATTESTATION_V3, MAX_V3_BYTES, type FreshAnswer } from '../../../verifier/index.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { NonceBoundPolicy } from '../../../shared/policy/code.ts'
import { fetchEvidence } from './evidence.ts'

/** The service's own evidence must not wait longer for an enclave that can't be reached from here. */
const TIMEOUT_MS = 8_000
const NONCE_BYTES = 32

/**
 * The source of a v3 document. The enclave's own server sees this computer's IP address; the service hides
 * it.
 */
export type FreshSource =
  | { readonly from: 'direct'; readonly policy: NonceBoundPolicy }
  | { readonly from: 'relayed'; readonly serviceUrl: string; readonly enclaveHost: string }
  | { readonly from: 'never' }

/**
 * Requests an attestation document v3 with a new nonce. Never throws: if there is no document, the policy
 * decides on the verdict. A service that doesn't relay may answer with anything, such as a web page, which
 * counts as no document. Every answer of the enclave's own server is verified.
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
