import { hash } from 'node:crypto'
import type { AttestationCode } from '../codes.ts'
import type { ServiceEnclavePolicy } from '../policy.ts'
import { msg, type LocalizedText } from '../message.ts'
import { parseStrictJson, type JsonValue } from '../strict-json.ts'
import type { TrustSet } from '../contract.ts'
import { textIn } from '../json-members.ts'
import { authenticateStatement, requireWorkflow, SigstoreRefusal } from '../sigstore/index.ts'
import { readUnambiguousObject } from '../v3/exact-json.ts'
import { EvidenceError, legible } from '../text.ts'
import { MAX_BUILD_RECORD_BYTES } from './limits.ts'
import { isPcr0 } from './image-record.ts'

/** Genuine bundles have 10 to 20 KiB. */
const MAX_BUNDLE_CHARACTERS = 1024 * 1024

export interface ImageProvenanceInput {
  /** `PCR.json` of a build, as received: hostile. */
  readonly file: Uint8Array
  /** A Sigstore bundle v0.3, parsed from JSON; hostile. */
  readonly bundle: unknown
  readonly trust: TrustSet
  readonly policy: ServiceEnclavePolicy['provenance']
  /** Unix ms. */
  readonly now: number
}

/** `code` is `sigstore/…`, or `service-enclave/build-record-malformed`. */
export type ImageProvenanceResult =
  | {
      readonly good: true
      readonly image: {
        readonly pcr0: string
        /** 40 lowercase hex digits. */ readonly commit: string
        /** Unix ms. */ readonly loggedAt: number
      }
    }
  | {
      readonly good: false
      readonly failure: { readonly code: AttestationCode; readonly observed: LocalizedText }
    }

/**
 * Verifies that a run of the publisher's workflow, on exactly the policy's ref, made a file that names the image, and that a public log
 * recorded this. It doesn't prove that the image was built from the commit: that takes a rebuild. Never throws.
 */
export function verifyImageProvenance(input: ImageProvenanceInput): ImageProvenanceResult {
  try {
    return { good: true, image: establish(input) }
  } catch (error) {
    if (error instanceof SigstoreRefusal) return refused(error.code, legible(error.observed))
    if (error instanceof EvidenceError)
      return refused('service-enclave/build-record-malformed', legible(error.observed))
    return refused('sigstore/bundle-malformed', msg('a part that can’t be read'))
  }
}

function refused(code: AttestationCode, observed: LocalizedText): ImageProvenanceResult {
  return { good: false, failure: { code, observed } }
}

function establish({
  file,
  bundle,
  trust,
  policy,
  now,
}: ImageProvenanceInput): Extract<ImageProvenanceResult, { readonly good: true }>['image'] {
  if (file.length > MAX_BUILD_RECORD_BYTES)
    throw new EvidenceError(msg('{count} bytes', { count: file.length }))
  const digest = hash('sha256', file, 'hex')
  const signed = authenticateStatement(
    { bundle: asJson(bundle), digest, trustedRoot: trust.sigstoreTrustedRoot, policy, now },
    () => undefined,
  )
  // A branch, and no other whose name begins with it.
  if (signed.ref !== policy.refPrefix) throw new SigstoreRefusal('sigstore/ref-mismatch', signed.ref)
  requireWorkflow(signed.certificate, signed.ref, policy)
  return { pcr0: readPcr0(file), commit: signed.commit, loggedAt: signed.logTime }
}

/** The verifier takes JSON only: no cycles, and nothing that a type hides. */
function asJson(bundle: unknown): JsonValue {
  const text: unknown = JSON.stringify(bundle)
  if (typeof text !== 'string' || text.length > MAX_BUNDLE_CHARACTERS)
    throw new SigstoreRefusal('sigstore/bundle-malformed', msg('no JSON of an accepted size'))
  return parseStrictJson(text)
}

/** @param file authenticated */
function readPcr0(file: Uint8Array): string {
  const pcr0 = textIn(readUnambiguousObject(file, 'PCR.json'), 'PCR0', 96)
  if (!isPcr0(pcr0))
    throw new EvidenceError(msg('a PCR0 that isn’t 48 bytes of lowercase hex other than zeros'))
  return pcr0
}
