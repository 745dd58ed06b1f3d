import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Steps, type StepsResult } from '../../../src/verifier/steps.ts'
import type { PcsResponse } from '../../../src/verifier/collateral.ts'
import { TDX_GUEST_V2 } from '../../../src/verifier/measurement.ts'
import {
  parseQuote,
  pckSteps,
  qeIdentityOf,
  QuoteError,
  quoteSteps,
  readStatement,
  signatureSteps,
  splitSignedJson,
  tcbInfoOf,
  tdxSteps,
  trustDomainSteps,
  type SgxExtensions,
  type TdxEvidence,
  type TdxInput,
  type TdxQuote,
} from '../../../src/verifier/tdx/index.ts'
import { vendorRootFromPem } from '../../../src/verifier/vendor-root.ts'
import {
  CertificateError,
  certificatesFromPem,
  parseCertificate,
  validityAt,
} from '../../../src/verifier/x509/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import { tcbStatusSchema, type TcbStatus, type TdxPolicy } from '../../../src/shared/policy/tdx.ts'
import { profileSchema } from '../../../src/shared/profile.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { tcbSigner2018 } from '../../verifier/tdx/intel-tcb-signer.ts'
import type { Outcome } from '../contract.ts'
import { base64, readInput, version1 } from './input.ts'
import { bodyFields, headerFields, registersOf } from './tdx-body-fields.ts'
import { rejectionOf } from './tdx-rejections.ts'

const pin = z.string().toLowerCase().optional()

const form = z.strictObject({
  schema_version: version1,
  execution_mode: z.enum(['adapter', 'public_api']).default('adapter'),
  quote_b64: base64,
  collateral: z.strictObject({
    tcb_info_json: z.string(),
    qe_identity_json: z.string(),
    pck_crl_der_b64: base64,
    root_crl_der_b64: base64,
    intel_root_ca_pem: z.string().optional(),
    tcb_info_issuer_chain_pem: z.string().optional(),
    qe_identity_issuer_chain_pem: z.string().optional(),
    pck_crl_issuer_chain_pem: z.string().optional(),
  }),
  expiration_check_date_unix: z.int(),
  policy: z
    .strictObject({
      accepted_qv_results: z.array(z.string()).default(['OK']),
      expected_fmspc_hex: pin,
      tcb_evaluation_required: z.boolean().default(true),
      expected_td_attributes_hex: pin,
      expected_xfam_hex: pin,
      expected_mr_signer_seam_hex: pin,
      expected_seam_attributes_hex: pin,
      expected_mrseam_allowlist: z.array(z.string().toLowerCase()).optional(),
      expected_mrtd_hex: pin,
      expected_mr_config_id_hex: pin,
      expected_mr_owner_hex: pin,
      expected_mr_owner_config_hex: pin,
      expected_rtmr3_hex: pin,
      expected_report_data_hex: pin,
      min_tee_tcb_svn_hex: pin,
      min_tcb_evaluation_data_number: z.int().min(0).optional(),
      expected_qe_vendor_id_hex: pin,
      /** This implementation applies the defaults to every quote. */
      enforce_spec_defaults: z.boolean().optional(),
    })
    .prefault({}),
})
type Request = z.infer<typeof form>

/** SPEC 4.7.11. */
const DEFAULT_EVALUATION_NUMBER = 18

/** The terms of Intel's quote verification library for TCB states. */
const results = {
  UpToDate: 'OK',
  SWHardeningNeeded: 'SW_HARDENING_NEEDED',
  ConfigurationNeeded: 'CONFIG_NEEDED',
  ConfigurationAndSWHardeningNeeded: 'CONFIG_AND_SW_HARDENING_NEEDED',
  OutOfDate: 'OUT_OF_DATE',
  OutOfDateConfigurationNeeded: 'OUT_OF_DATE_CONFIG_NEEDED',
  TDRelaunchAdvised: 'TD_RELAUNCH_ADVISED',
  TDRelaunchAdvisedConfigurationNeeded: 'TD_RELAUNCH_ADVISED_CONFIG_NEEDED',
} satisfies Record<Exclude<TcbStatus, 'Revoked'>, string>

/**
 * Runs the product's own verifier over the injected root, answers and clock, then checks the pins, which only
 * the suite has.
 */
export function verifyAttestationTdx(input: JsonValue): Outcome {
  const request = readInput(form, input)
  const quote = withoutAppendix(request.quote_b64)
  const result = request.policy.tcb_evaluation_required
    ? verify(request, quote)
    : verifyWithoutCollateral(request, quote)
  if (!result.good)
    return { kind: 'rejected', code: rejectionOf(blamed(result.failure.code, request), result.failure.step) }
  const { quote: parsed, machine, tcbStatus, resultingStatus } = result.value.evidence
  const mismatch = mismatchedPin(parsed, machine, request.policy)
  if (mismatch !== undefined) return { kind: 'rejected', code: mismatch }
  return {
    kind: 'accepted',
    outputs: {
      measurement: { type: TDX_GUEST_V2, registers: registersOf(parsed.td) },
      qv_result: resultingStatus ? results[resultingStatus] : 'OK',
      ...(tcbStatus && { tcb_status: tcbStatus }),
      collateral_expired: false,
      quote_version: parsed.version,
      tee_type: 'TDX',
      fmspc_hex: machine.fmspc,
      header_fields: headerFields(parsed),
      body_fields: bodyFields(parsed.td),
    },
  }
}

interface VerifiedQuote {
  readonly evidence: Pick<TdxEvidence, 'quote' | 'machine'> &
    Partial<Pick<TdxEvidence, 'tcbStatus' | 'resultingStatus'>>
}

/** The suite checks the default floor of evaluations last, so the other faults of a vector come first. */
function verify(request: Request, quote: Uint8Array): StepsResult<VerifiedQuote> {
  const { min_tcb_evaluation_data_number: least } = request.policy
  const verifyFrom = (minimumTcbEvaluationDataNumber: number) =>
    tdxSteps.verify({
      quote,
      collateral: answers(request),
      root: rootOf(request),
      policy: { ...policyFor(request, quote), minimumTcbEvaluationDataNumber },
      now: clock(request),
    })
  const first: StepsResult<VerifiedQuote> = verifyFrom(least ?? 0)
  return first.good && least === undefined ? verifyFrom(DEFAULT_EVALUATION_NUMBER) : first
}

/** The same steps without those that need collateral. The shipped product never combines them like this. */
const stepsWithoutCollateral = Steps.of<Pick<TdxInput, 'quote' | 'root' | 'now' | 'policy'>>()
  .append(quoteSteps)
  .append(pckSteps)
  .append(signatureSteps)
  .include(
    trustDomainSteps,
    ({ parsed, policy }) => ({ td: parsed.td, policy }),
    () => ({}),
  )

function verifyWithoutCollateral(request: Request, quote: Uint8Array): StepsResult<VerifiedQuote> {
  const result = stepsWithoutCollateral.verify({
    quote,
    root: rootOf(request),
    now: clock(request),
    policy: policyFor(request, quote),
  })
  if (!result.good) return result
  const { parsed, machine } = result.value
  return { ...result, value: { evidence: { quote: parsed, machine } } }
}

function clock(request: Request): number {
  return request.expiration_check_date_unix * 1000
}

const HEADER_AND_BODY = 632
/** In version 5, a header is followed by the type and size of its body. */
const BODY_SIZE_AT = 50
const LENGTH_BYTES = 4

/** The suite's quotes have text after their end, but the product accepts only zeros there. */
function withoutAppendix(bytes: Buffer): Buffer {
  const bodyEnd = endOfBody(bytes)
  if (bodyEnd === undefined || bytes.length < bodyEnd + LENGTH_BYTES) return bytes
  return bytes.subarray(0, bodyEnd + LENGTH_BYTES + bytes.readUInt32LE(bodyEnd))
}

/** Undefined if the quote has another version, or ends earlier. */
function endOfBody(bytes: Buffer): number | undefined {
  if (bytes.length < BODY_SIZE_AT + LENGTH_BYTES) return undefined
  const version = bytes.readUInt16LE(0)
  if (version === 4) return HEADER_AND_BODY
  return version === 5 ? BODY_SIZE_AT + LENGTH_BYTES + bytes.readUInt32LE(BODY_SIZE_AT) : undefined
}

/** The repository is the same number of folders up from this source file and from the built file. */
const resources = join(import.meta.dirname, '../../../resources')
const publishedRoot = () => readFileSync(join(resources, 'trust/intel-sgx-root-ca.pem'), 'utf8')

/** A text that isn't a certificate is verified as an unreadable certificate. */
function rootOf({ collateral }: Request): Uint8Array {
  try {
    return vendorRootFromPem(collateral.intel_root_ca_pem ?? publishedRoot())
  } catch (error) {
    if (error instanceof CertificateError) return new Uint8Array()
    throw error
  }
}

/**
 * The suite's collateral in the form of Intel's responses. If the suite omits the signer, the response has
 * Intel's signer of that time.
 */
function answers({ collateral }: Request): PcsResponse[] {
  const published = () => `${tcbSigner2018}${publishedRoot()}`
  const chain = (pem: string | undefined) => encodeURIComponent(pem ?? published())
  return [
    {
      url: 'https://api.trustedservices.intel.com/tdx/certification/v4/tcb',
      headers: { 'TCB-Info-Issuer-Chain': chain(collateral.tcb_info_issuer_chain_pem) },
      body: Buffer.from(collateral.tcb_info_json),
    },
    {
      url: 'https://api.trustedservices.intel.com/tdx/certification/v4/qe/identity',
      headers: { 'SGX-Enclave-Identity-Issuer-Chain': chain(collateral.qe_identity_issuer_chain_pem) },
      body: Buffer.from(collateral.qe_identity_json),
    },
    {
      url: 'https://api.trustedservices.intel.com/sgx/certification/v4/pckcrl',
      headers: {},
      body: collateral.pck_crl_der_b64,
    },
    {
      url: 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der',
      headers: {},
      body: collateral.root_crl_der_b64,
    },
  ]
}

/**
 * The preset's policy with the suite's pins. In the other mode, the suite pins the values that it checks, and
 * the other values come from the quote.
 */
function policyFor(request: Request, bytes: Uint8Array): TdxPolicy {
  const { policy, execution_mode } = request
  const preset = presetPolicy()
  const base = execution_mode === 'public_api' ? preset : { ...preset, ...policyOfQuote(bytes) }
  return {
    ...base,
    minimumTeeTcbSvn: policy.min_tee_tcb_svn_hex ?? base.minimumTeeTcbSvn,
    tdAttributes: policy.expected_td_attributes_hex ?? base.tdAttributes,
    xfam: policy.expected_xfam_hex ?? base.xfam,
    mrSeam: policy.expected_mrseam_allowlist ?? base.mrSeam,
    mrConfigId: policy.expected_mr_config_id_hex ?? base.mrConfigId,
    mrOwner: policy.expected_mr_owner_hex ?? base.mrOwner,
    mrOwnerConfig: policy.expected_mr_owner_config_hex ?? base.mrOwnerConfig,
    tcbStatuses: statuses.filter((status) => policy.accepted_qv_results.includes(results[status])),
  }
}

const statuses = tcbStatusSchema.exclude(['Revoked']).options

function presetPolicy(): TdxPolicy {
  const { policy } = profileSchema.parse(
    JSON.parse(readFileSync(join(resources, 'profiles/ppq.json'), 'utf8')),
  )
  if (!policy?.tdx) throw new Error('the preset does not accept TDX')
  return policy.tdx
}

function policyOfQuote(bytes: Uint8Array): Partial<TdxPolicy> {
  const td = quoteOf(bytes)?.td
  if (!td) return {}
  const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
  return {
    minimumTeeTcbSvn: '00'.repeat(16),
    tdAttributes: hex(td.tdAttributes),
    xfam: hex(td.xfam),
    mrSeam: [hex(td.mrSeam)],
    mrConfigId: hex(td.mrConfigId),
    mrOwner: hex(td.mrOwner),
    mrOwnerConfig: hex(td.mrOwnerConfig),
  }
}

function quoteOf(bytes: Uint8Array): TdxQuote | undefined {
  try {
    return parseQuote(bytes)
  } catch (error) {
    if (error instanceof QuoteError) return undefined
    throw error
  }
}

/**
 * If several items have expired, the suite blames the machine's certificate first, then Intel's statements,
 * then the revocation lists. For a statement without a signature, it blames the signature. A statement that
 * was read has a valid signature, but its form is not supported.
 */
function blamed(code: AttestationCode, request: Request): AttestationCode {
  const { tcb_info_json, qe_identity_json } = request.collateral
  const tcbInfo = splitSignedJson(Buffer.from(tcb_info_json), 'tcbInfo')
  const qeIdentity = splitSignedJson(Buffer.from(qe_identity_json), 'enclaveIdentity')
  if (code === 'intel/tcb-info-malformed' && !tcbInfo) return 'intel/tcb-info-signature-invalid'
  if (code === 'intel/qe-identity-malformed' && !qeIdentity) return 'intel/qe-identity-signature-invalid'
  if (code === 'intel/root-invalid' || code === 'intel/intermediate-invalid')
    return isMachineOutOfTime(request) ? 'pck/expired' : code
  if (code !== 'intel/root-crl-expired' && code !== 'intel/pck-crl-expired') return code
  const ended = (nextUpdate = Infinity) => nextUpdate < clock(request)
  if (tcbInfo && ended(readStatement(tcbInfo, tcbInfoOf)?.nextUpdate)) return 'intel/tcb-info-expired'
  if (qeIdentity && ended(readStatement(qeIdentity, qeIdentityOf)?.nextUpdate))
    return 'intel/qe-identity-expired'
  return code
}

function isMachineOutOfTime(request: Request): boolean {
  const chain = quoteOf(withoutAppendix(request.quote_b64))?.pckChain ?? new Uint8Array()
  try {
    const [pck] = certificatesFromPem(Buffer.from(chain).toString('latin1').replace(/\0$/, ''))
    return pck !== undefined && validityAt(parseCertificate(pck), clock(request)) !== 'valid'
  } catch (error) {
    if (error instanceof CertificateError) return false
    throw error
  }
}

function mismatchedPin(
  { td, qeVendorId }: TdxQuote,
  { fmspc }: SgxExtensions,
  policy: Request['policy'],
): string | undefined {
  const pins = [
    ['PCK_FMSPC_MISMATCH', policy.expected_fmspc_hex, Buffer.from(fmspc, 'hex')],
    ['QE_VENDOR_ID_MISMATCH', policy.expected_qe_vendor_id_hex, qeVendorId],
    ['MR_SIGNER_SEAM_MISMATCH', policy.expected_mr_signer_seam_hex, td.mrSignerSeam],
    ['SEAM_ATTRIBUTES_MISMATCH', policy.expected_seam_attributes_hex, td.seamAttributes],
    ['MRTD_MISMATCH', policy.expected_mrtd_hex, td.mrTd],
    ['RTMR3_NONZERO', policy.expected_rtmr3_hex, td.rtmrs[3]],
    ['REPORT_DATA_MISMATCH', policy.expected_report_data_hex, td.reportData],
  ] as const
  return pins.find(
    ([, pinned, value]) => pinned !== undefined && pinned !== Buffer.from(value).toString('hex'),
  )?.[0]
}
