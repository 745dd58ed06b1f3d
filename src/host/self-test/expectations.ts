import type { AttestationCode } from '../../verifier/types.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type {
  SandboxFault,
  SandboxPlatform,
  ServiceEnclaveFault,
  sandboxFaults,
} from '../../shared/sandbox-faults.ts'

/** The faults that the self-test plays: those of the enclave that runs private models. */
type PlayedFault = Exclude<SandboxFault, ServiceEnclaveFault>
type Spoiling<Part> = {
  [Fault in PlayedFault]: (typeof sandboxFaults)[Fault]['spoils'] extends Part ? Fault : never
}[PlayedFault]
type On<Fault extends SandboxFault> = (typeof sandboxFaults)[Fault]['platforms'][number]

/**
 * The expected detection of a fault: the error, and the code of the verdict's failed step if there is one.
 */
export interface Expectation {
  readonly code: ErrorCode
  readonly step?: AttestationCode
}

const everywhere = <Code>(code: Code) => ({ 'sev-snp': code, tdx: code, nitro: code })
const onTwo = <Code>(code: Code) => ({ 'sev-snp': code, tdx: code })

/**
 * The step that refuses a faulty proof, on each platform where the fault has an effect; null: none is
 * reached.
 */
const proof: { readonly [Fault in Spoiling<'proof'>]: Readonly<Record<On<Fault>, AttestationCode | null>> } =
  {
    'other-measurement': {
      'sev-snp': 'measurement/mismatch',
      tdx: 'measurement/mismatch',
      nitro: 'nitro/image-not-accepted',
    },
    'swapped-key': {
      'sev-snp': 'binding/hpke-key',
      tdx: 'binding/hpke-key',
      nitro: 'nitro/signature-invalid',
    },
    'debug-guest': { 'sev-snp': 'report/debug-guest', tdx: 'td/debug', nitro: 'nitro/debug-enclave' },
    'old-tcb': { 'sev-snp': 'report/tcb-below-floor', tdx: 'td/tcb-below-floor' },
    'expired-certificate': {
      'sev-snp': 'vcek/expired',
      tdx: 'pck/expired',
      nitro: 'nitro/certificate-not-valid-then',
    },
    'revoked-certificate': { 'sev-snp': 'amd/intermediate-revoked', tdx: 'pck/revoked' },
    'expired-collateral': { 'sev-snp': 'amd/crl-expired', tdx: 'intel/tcb-info-expired' },
    'missing-collateral': { tdx: 'intel/collateral-missing' },
    'tcb-out-of-date': { tdx: 'intel/tcb-out-of-date' },
    'rtmr3-not-zero': { tdx: 'td/rtmr3-set' },
    'other-hardware': { tdx: 'hardware/mismatch' },
    'forged-hardware-list': { tdx: 'hardware/statement-invalid' },
    'wrong-nonce': { nitro: 'nitro/nonce-mismatch' },
    'wrong-repository': onTwo('sigstore/repository-mismatch'),
    'other-host': everywhere('binding/host'),
    'older-release': onTwo('release/older'),
    'oversized-evidence': everywhere(null),
    'gzip-bomb': everywhere('evidence/too-large'),
    'v3-other-nonce': onTwo('envelope/nonce-mismatch'),
    'v3-other-key': onTwo('keys/differ-from-service'),
    'v3-stale-witness': onTwo('freshness/stale'),
    'v3-machine-unknown': onTwo('policy/machine-not-endorsed'),
    'v3-unavailable': {},
  }

/** The error of a faulty answer, after a request that was sealed to the attested key. */
const answer: { readonly [Fault in Spoiling<'answer'>]: ErrorCode } = {
  'key-rotation': 'channel/key-rotated',
  'plaintext-200': 'channel/plaintext-response',
  'cut-inside-frame': 'channel/response-truncated',
  'cut-on-frame-boundary': 'channel/response-truncated',
  'stalled-stream': 'service/timeout',
  'status-401': 'service/key-refused',
  'status-402': 'service/insufficient-balance',
  'status-429': 'service/rate-limited',
  'status-500-html': 'service/failed',
  'error-inside-answer': 'service/failed',
}

const steps: Readonly<
  Partial<Record<SandboxFault, Readonly<Partial<Record<SandboxPlatform, AttestationCode | null>>>>>
> = proof
const errors: Readonly<Partial<Record<SandboxFault, ErrorCode>>> = answer

/** Throws RangeError for what spoils no proof on this platform. What spoils an answer is noticed alike on each. */
export function expectationOf(fault: SandboxFault, platform: SandboxPlatform): Expectation {
  const code = errors[fault]
  if (code) return { code }
  const step = steps[fault]?.[platform]
  if (step === undefined) throw new RangeError(`${fault} means nothing on ${platform}`)
  if (step === null) return { code: 'attestation/evidence-too-large' }
  return { code: step === 'release/older' ? 'attestation/older-release' : 'attestation/failed', step }
}
