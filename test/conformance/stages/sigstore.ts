import { z } from 'zod'
import { authenticateBundle } from '../../../src/verifier/sigstore/authenticate.ts'
import { readBundle } from '../../../src/verifier/sigstore/bundle-form.ts'
import { readFulcioCertificate } from '../../../src/verifier/sigstore/fulcio-certificate.ts'
import { SigstoreRefusal, type SigstoreCode } from '../../../src/verifier/sigstore/refusal.ts'
import {
  readRegisters,
  readStatement,
  requirePredicateType,
  requireStatementType,
  requireSubject,
} from '../../../src/verifier/sigstore/statement.ts'
import { readTrustedRoot } from '../../../src/verifier/sigstore/trusted-root.ts'
import {
  requireIssuer,
  requireRef,
  requireRepository,
} from '../../../src/verifier/sigstore/workflow-identity.ts'
import { parseStrictJson, type JsonValue } from '../../../src/verifier/strict-json.ts'
import type { Outcome } from '../contract.ts'
import { base64, readInput, version1 } from './input.ts'

const count = z.int().min(0)
const types = z.array(z.string()).nullable().default(null)

const form = z.strictObject({
  schema_version: version1,
  bundle_b64: base64,
  expected_digest_sha256_hex: z.string().regex(/^[0-9a-f]{64}$/i),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  policy: z.strictObject({
    oidc_issuer: z.string(),
    workflow_ref_prefix: z.string(),
    predicate_types_allowed: types,
    in_toto_statement_types_allowed: types,
    payload_type: z.string(),
    tlog_entries_min: count.default(1),
    tlog_entries_max: count.nullable().default(null),
    sct_min: count.default(1),
    observer_timestamps_min: count.default(1),
  }),
  trust_root_b64: base64,
  verification_time_unix: count,
})

/**
 * The suite's rejection codes for Sotto's codes. The suite checks neither the runner nor the source's commit,
 * which `sigstoreSteps` also requires, because the suite's certificates contain neither. The workflow file
 * matters only for releases of Sotto.
 */
const rejections: Readonly<
  Record<
    Exclude<
      SigstoreCode,
      'sigstore/runner-mismatch' | 'sigstore/commit-missing' | 'sigstore/workflow-mismatch'
    >,
    string
  >
> = {
  'sigstore/trust-root-invalid': 'TRUST_ROOT_INVALID',
  'sigstore/bundle-malformed': 'BUNDLE_MALFORMED',
  'sigstore/log-entry-missing': 'TLOG_COUNT_OUT_OF_RANGE',
  'sigstore/log-entry-count': 'TLOG_COUNT_OUT_OF_RANGE',
  'sigstore/timestamp-missing': 'OBSERVER_TIMESTAMP_INSUFFICIENT',
  'sigstore/timestamp-invalid': 'OBSERVER_TIMESTAMP_INSUFFICIENT',
  'sigstore/certificate-chain-invalid': 'FULCIO_CHAIN_INVALID',
  'sigstore/certificate-not-valid-then': 'CERT_EXPIRED',
  'sigstore/sct-missing': 'SCT_INSUFFICIENT',
  'sigstore/sct-duplicate-log': 'SCT_DUPLICATE_LOG',
  'sigstore/sct-invalid': 'SCT_INSUFFICIENT',
  'sigstore/signature-invalid': 'DSSE_SIGNATURE_INVALID',
  'sigstore/log-key-untrusted': 'REKOR_KEY_NOT_TRUSTED',
  'sigstore/log-inclusion-invalid': 'REKOR_INCLUSION_INVALID',
  'sigstore/log-root-mismatch': 'CHECKPOINT_ROOT_MISMATCH',
  'sigstore/log-entry-in-future': 'OBSERVER_TIMESTAMP_INSUFFICIENT',
  'sigstore/issuer-mismatch': 'OIDC_ISSUER_MISMATCH',
  'sigstore/repository-mismatch': 'WORKFLOW_REPOSITORY_MISMATCH',
  'sigstore/ref-mismatch': 'WORKFLOW_REF_PREFIX_MISMATCH',
  'sigstore/payload-type': 'PAYLOAD_TYPE_MISMATCH',
  'sigstore/statement-malformed': 'BUNDLE_MALFORMED',
  'sigstore/statement-type': 'IN_TOTO_STATEMENT_TYPE_NOT_ALLOWED',
  'sigstore/predicate-type': 'PREDICATE_TYPE_NOT_ALLOWED',
  'sigstore/subject-missing': 'SUBJECT_MISSING',
  'sigstore/subject-digest-mismatch': 'SUBJECT_DIGEST_MISMATCH',
  'sigstore/predicate-member-missing': 'PREDICATE_MEASUREMENT_INVALID',
}

export function verifySigstore(input: JsonValue): Outcome {
  const request = readInput(form, input)
  try {
    return { kind: 'accepted', outputs: verifyRequest(request) }
  } catch (error) {
    if (!(error instanceof SigstoreRefusal)) throw error
    if (
      error.code === 'sigstore/runner-mismatch' ||
      error.code === 'sigstore/commit-missing' ||
      error.code === 'sigstore/workflow-mismatch'
    )
      throw error
    return { kind: 'rejected', code: rejections[error.code], message: error.message }
  }
}

function verifyRequest(request: z.infer<typeof form>): object {
  const { policy } = request
  const workflow = {
    oidcIssuer: policy.oidc_issuer,
    repository: request.repo,
    refPrefix: policy.workflow_ref_prefix,
  }
  const root = readTrustedRoot(request.trust_root_b64.toString())
  const bundle = readBundle(parseBundle(request.bundle_b64))
  const certificate = readFulcioCertificate(bundle.certificate)
  authenticateBundle(bundle, certificate, root, request.verification_time_unix * 1000, {
    logEntries: {
      least: policy.tlog_entries_min,
      ...(policy.tlog_entries_max !== null && { most: policy.tlog_entries_max }),
    },
    scts: policy.sct_min,
    timestamps: policy.observer_timestamps_min,
  })
  requireIssuer(certificate, workflow)
  requireRepository(certificate, workflow)
  requireRef(certificate, workflow)
  const statement = readStatement(bundle.envelope.payload, bundle.envelope.payloadType, policy.payload_type)
  requireStatementType(statement, policy.in_toto_statement_types_allowed)
  requirePredicateType(statement, policy.predicate_types_allowed)
  requireSubject(statement, request.expected_digest_sha256_hex)
  const { snp, rtmr1, rtmr2 } = readRegisters(statement)
  // The suite's measurement for this predicate consists of all three.
  if (rtmr1 === undefined || rtmr2 === undefined)
    throw new SigstoreRefusal('sigstore/predicate-member-missing', 'tdx_measurement')
  const [entry] = bundle.entries
  return {
    predicate_type: statement.predicateType,
    in_toto_statement_type: statement._type,
    subject_name: statement.subject[0]?.name ?? '',
    subject_digest_sha256_hex: request.expected_digest_sha256_hex.toLowerCase(),
    measurement: { type: statement.predicateType, registers: [snp, rtmr1, rtmr2] },
    cert_oidc_issuer: certificate.issuer,
    cert_workflow_ref: certificate.ref,
    cert_workflow_repository: certificate.repository,
    cert_workflow_signer_uri: certificate.buildSigner ?? '',
    ...(entry && {
      rekor_log_id_hex: entry.logId.toString('hex'),
      rekor_integrated_time_unix: entry.integratedTime,
    }),
    tlog_entry_count: bundle.entries.length,
    sct_count: certificate.certificateTimestamps.length,
  }
}

function parseBundle(bytes: Buffer): JsonValue {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new SigstoreRefusal('sigstore/bundle-malformed', 'not strict JSON')
  }
}
