import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { amdRootsFromPem } from '../../../src/verifier/index.ts'
import { DocumentError, unpackReport } from '../../../src/verifier/document.ts'
import { SEV_SNP_GUEST_V2 } from '../../../src/verifier/measurement.ts'
import {
  parseReport,
  REPORT_BYTES,
  ReportError,
  sevSteps,
  type SevReport,
} from '../../../src/verifier/sev-snp/index.ts'
import { toHex } from '../../../src/verifier/text.ts'
import { certificatesFromPem, parseCertificate, validityAt } from '../../../src/verifier/x509/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import type { SevPolicy } from '../../../src/shared/policy/sev-snp.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import type { TrustSet } from '../../../src/shared/trust.ts'
import { zeroSevIdentity } from '../../verifier/sev-snp/minted-chip.ts'
import type { Outcome } from '../contract.ts'
import { base64, readInput, version1 } from './input.ts'
import { bodyFields } from './sev-body-fields.ts'

const patchLevel = z.int().min(0).default(0)

const form = z.strictObject({
  schema_version: version1,
  /** Both modes use the product's own verifier. */
  execution_mode: z.enum(['adapter', 'public_api']).optional(),
  attestation_doc_b64: z.string(),
  vcek_der_b64: base64,
  amd_root_ca_pem: z.string().optional(),
  ask_pem: z.string().optional(),
  expiration_check_date_unix: z.int().optional(),
  policy: z
    .strictObject({
      expected_measurement_hex: z.string().optional(),
      expected_host_data_hex: z.string().optional(),
      expected_report_data_hex: z.string().optional(),
      expected_id_key_digest_hex: z.string().optional(),
      expected_author_key_digest_hex: z.string().optional(),
      min_tcb_bl_spl: patchLevel,
      min_tcb_tee_spl: patchLevel,
      min_tcb_snp_spl: patchLevel,
      min_tcb_ucode_spl: patchLevel,
      enforce_spec_defaults: z.boolean().default(false),
    })
    .prefault({}),
})
type Request = z.infer<typeof form>

const UNSPECIFIED = 'QV_RESULT_TERMINAL_UNSPECIFIED'
type SevCode = Extract<
  AttestationCode,
  `evidence/${string}` | `amd/${string}` | `vcek/${string}` | `report/${string}`
>

/** The suite's rejection codes for Sotto's codes, if the suite has one. */
const rejections: Partial<Record<AttestationCode, string>> = {
  'evidence/malformed': 'REPORT_FORMAT_UNSUPPORTED',
  'evidence/too-large': 'REPORT_FORMAT_UNSUPPORTED',
  'report/length': 'REPORT_TRUNCATED',
  'report/version-unsupported': 'WRONG_REPORT_VERSION',
  'report/signature-algorithm': 'REPORT_FORMAT_UNSUPPORTED',
  'report/reserved-bytes': 'REPORT_FORMAT_UNSUPPORTED',
  'vcek/malformed': 'VCEK_CHAIN_INVALID',
  'vcek/is-vlek': 'VCEK_CHAIN_INVALID',
  'vcek/product-not-accepted': 'VCEK_CHAIN_INVALID',
  'vcek/product-mismatch': 'VCEK_CHAIN_INVALID',
  'vcek/chain-invalid': 'VCEK_CHAIN_INVALID',
  'vcek/not-yet-valid': 'VCEK_EXPIRED',
  'vcek/expired': 'VCEK_EXPIRED',
  'vcek/hwid-mismatch': 'VCEK_HWID_MISMATCH',
  'vcek/tcb-mismatch': 'VCEK_TCB_MISMATCH',
  'amd/root-invalid': 'ARK_UNTRUSTED',
  'amd/intermediate-invalid': 'ASK_INVALID',
  'report/chip-id-masked': 'VCEK_HWID_MISMATCH',
  'report/chip-key-masked': 'SIGNER_INFO_INVALID',
  'report/signature-invalid': 'REPORT_SIGNATURE_INVALID',
  'report/signer-is-vlek': 'SIGNER_INFO_INVALID',
  'report/signer-unknown': 'SIGNER_INFO_INVALID',
  'report/signer-reserved-bits': 'SIGNER_INFO_INVALID',
  'report/debug-guest': 'GUEST_POLICY_DEBUG_SET',
  'report/migration-allowed': 'GUEST_POLICY_MIGRATE_MA_SET',
  'report/guest-policy-reserved-bits': 'GUEST_POLICY_RESERVED_BIT_SET',
  'report/single-socket-only': 'GUEST_POLICY_SINGLE_SOCKET_SET',
  'report/tcb-reserved-bytes': 'TCB_OUT_OF_DATE',
  'report/tcb-below-floor': 'TCB_OUT_OF_DATE',
  'report/provisional-firmware': 'TCB_OUT_OF_DATE',
  'report/firmware-below-floor': 'TCB_OUT_OF_DATE',
  'report/mitigation-missing': 'TCB_OUT_OF_DATE',
  'report/platform-reserved-bits': 'PLATFORM_INFO_INVALID',
  'report/tsme-off': 'PLATFORM_INFO_INVALID',
  'report/ecc-off': 'PLATFORM_INFO_INVALID',
  'report/alias-check-missing': 'PLATFORM_INFO_INVALID',
  'report/smt-enabled': 'PLATFORM_INFO_INVALID',
  'report/guest-policy-mismatch': UNSPECIFIED,
  'report/identity-mismatch': UNSPECIFIED,
  'report/platform-mismatch': UNSPECIFIED,
  'report/smt-allowed': UNSPECIFIED,
  'report/cxl-allowed': UNSPECIFIED,
  'amd/crl-malformed': UNSPECIFIED,
  'amd/crl-invalid': UNSPECIFIED,
  'amd/crl-not-yet-valid': UNSPECIFIED,
  'amd/crl-expired': UNSPECIFIED,
  'amd/intermediate-revoked': UNSPECIFIED,
  'vcek/revoked': UNSPECIFIED,
  'report/vmpl-mismatch': UNSPECIFIED,
  'evidence/format-unsupported': UNSPECIFIED,
} satisfies Record<SevCode, string>

/**
 * Runs the product's own verifier over the injected roots and clock, then checks the pins, which only the
 * suite has.
 */
export function verifyAttestationSev(input: JsonValue): Outcome {
  const request = readInput(form, input)
  const report = unpack(request.attestation_doc_b64)
  if (report instanceof DocumentError) return rejected(report.code)
  const now =
    request.expiration_check_date_unix === undefined ? Date.now() : request.expiration_check_date_unix * 1000
  const vcek = request.vcek_der_b64
  const result = sevSteps.verify({
    report,
    vcek,
    roots: rootsFor(request),
    policy: policyFor(request, report),
    now,
  })
  if (!result.good)
    return rejected(isOutOfTime(result.failure.code, vcek, now) ? 'vcek/expired' : result.failure.code)
  const { report: body, product } = result.value.evidence
  const mismatch = mismatchedPin(body, request.policy)
  if (mismatch !== undefined) return { kind: 'rejected', code: mismatch }
  return {
    kind: 'accepted',
    outputs: {
      measurement: { type: SEV_SNP_GUEST_V2, registers: [Buffer.from(body.measurement).toString('hex')] },
      body_fields: bodyFields(body, product),
    },
  }
}

function unpack(document: string): Uint8Array | DocumentError {
  try {
    return unpackReport(document, REPORT_BYTES)
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

/**
 * The suite's clock is for the chip's certificate. If that certificate has expired, the roots may have
 * expired too, but the suite doesn't blame them.
 */
function isOutOfTime(code: AttestationCode, vcek: Uint8Array, now: number): boolean {
  return (
    (code === 'amd/root-invalid' || code === 'amd/intermediate-invalid') &&
    validityAt(parseCertificate(vcek), now) !== 'valid'
  )
}

function rejected(code: AttestationCode): Outcome {
  return { kind: 'rejected', code: rejections[code] ?? UNSPECIFIED }
}

/** The repository is the same number of folders up from this source file and from the built file. */
const trust = join(import.meta.dirname, '../../../resources/trust')

/** Sotto accepts Milan only if a policy names it, and the suite's policies name no product. */
function rootsFor({ amd_root_ca_pem: ark, ask_pem: ask }: Request): TrustSet['amd'] {
  const published = amdRootsFromPem({
    Genoa: readFileSync(join(trust, 'ask_ark_genoa.pem'), 'utf8'),
    Turin: readFileSync(join(trust, 'ask_ark_turin.pem'), 'utf8'),
  })
  const { Genoa, Turin } = published
  const injected = {
    ...(ark !== undefined && { ark: derOf(ark) }),
    ...(ask !== undefined && { ask: derOf(ask) }),
  }
  return {
    ...(Genoa && { Genoa: { ...Genoa, ...injected } }),
    ...(Turin && { Turin: { ...Turin, ...injected } }),
  }
}

/** A text that isn't a certificate is verified as an unreadable certificate. */
function derOf(pem: string): Uint8Array {
  try {
    const [der, ...more] = certificatesFromPem(pem)
    return der && more.length === 0 ? der : new Uint8Array()
  } catch {
    return new Uint8Array()
  }
}

/** SPEC 3.7: the floor for every machine if the defaults are enforced. */
const DEFAULT_FLOOR = { bootloader: 7, tee: 0, snp: 14, microcode: 72 }
const DEFAULT_API = { major: 1, minor: 55 }
const DEFAULT_BUILD = 21

/**
 * The requested floors, raised to the defaults if those are enforced. Debugging and migration are never
 * allowed.
 */
function policyFor({ policy }: Request, report: Uint8Array): SevPolicy {
  const enforced = policy.enforce_spec_defaults
  const floor = enforced ? DEFAULT_FLOOR : { bootloader: 0, tee: 0, snp: 0, microcode: 0 }
  const minimumTcb = {
    bootloader: Math.max(floor.bootloader, policy.min_tcb_bl_spl),
    tee: Math.max(floor.tee, policy.min_tcb_tee_spl),
    snp: Math.max(floor.snp, policy.min_tcb_snp_spl),
    microcode: Math.max(floor.microcode, policy.min_tcb_ucode_spl),
  }
  return {
    products: { Genoa: { minimumTcb }, Turin: { minimumTcb } },
    minimumBuild: enforced ? DEFAULT_BUILD : 0,
    minimumApi: enforced ? DEFAULT_API : { major: 0, minor: 0 },
    guest: { allowSmt: true, allowSingleSocketOnly: !enforced },
    platform: { requireTsme: enforced, requireEcc: false, requireAliasCheck: false },
    identity: identityOf(report),
    vmpl: 0,
  }
}

/** The identity from the report itself, because `mismatchedPin` compares the values that the suite pins. */
function identityOf(bytes: Uint8Array): SevPolicy['identity'] {
  try {
    const { guestSvn, hostData, familyId, imageId, idKeyDigest, authorKeyDigest } = parseReport(bytes)
    return {
      guestSvn,
      hostData: toHex(hostData),
      familyId: toHex(familyId),
      imageId: toHex(imageId),
      idKeyDigest: toHex(idKeyDigest),
      authorKeyDigest: toHex(authorKeyDigest),
    }
  } catch (error) {
    if (error instanceof ReportError) return zeroSevIdentity
    throw error
  }
}

function mismatchedPin(report: SevReport, policy: Request['policy']): string | undefined {
  const pins = [
    ['MEASUREMENT_MISMATCH', policy.expected_measurement_hex, report.measurement],
    ['HOST_DATA_MISMATCH', policy.expected_host_data_hex, report.hostData],
    ['REPORT_DATA_MISMATCH', policy.expected_report_data_hex, report.reportData],
    ['ID_KEY_DIGEST_MISMATCH', policy.expected_id_key_digest_hex, report.idKeyDigest],
    ['AUTHOR_KEY_DIGEST_MISMATCH', policy.expected_author_key_digest_hex, report.authorKeyDigest],
  ] as const
  return pins.find(
    ([, pinned, value]) =>
      pinned !== undefined && pinned.toLowerCase() !== Buffer.from(value).toString('hex'),
  )?.[0]
}
