import { verifyEvidence } from '../../src/verifier/index.ts'
import { readCoseSign1, readNitroDocument } from '../../src/verifier/nitro/index.ts'
import { verifyNitroDocument } from '../verifier/nitro/verify-document.ts'
import { sevSteps } from '../../src/verifier/sev-snp/index.ts'
import { v3Steps } from '../../src/verifier/v3/index.ts'
import { readV3Document } from '../../src/verifier/v3/document.ts'
import { tdxSteps, type TdxInput } from '../../src/verifier/tdx/index.ts'
import {
  amdRoots,
  builtInTrust,
  presetPolicy,
  presetSevPolicy,
  realEvidence,
} from '../verifier/evidence-folder.ts'
import { theirAnswer } from '../verifier/tdx/mutations.ts'
import { outdated, savedCollateral, upToDate } from '../verifier/tdx/real-tdx.ts'

/** The input of the other verifier and its answer: `accepts`, or its error. */
type Other =
  | { readonly by: 'tinfoil-bundle'; readonly answer: string }
  | { readonly by: 'tinfoil-report'; readonly report: string; readonly vcek: string; readonly answer: string }
  | { readonly by: 'dcap-qvl'; readonly verify: () => string; readonly answer: string }

/**
 * One genuine piece of evidence at one time, verified by Sotto with the policy of its preset and by another
 * verifier.
 */
export interface Row {
  /** Path below the evidence folder. */
  readonly evidence: string
  /** ISO 8601. */
  readonly at: string
  readonly sotto: (now: number) => string
  /** `accepts`, or the code of Sotto's refusal. */
  readonly answer: string
  readonly other?: Other
  /** Why the two differ, or why there's no other answer. */
  readonly note?: string
}

interface VerificationOutcome {
  readonly good: boolean
  readonly failure?: { readonly code: string } | undefined
}

const answerOf = ({ good, failure }: VerificationOutcome): string =>
  good ? 'accepts' : (failure?.code ?? 'no code')

const bundle = (evidence: string, at: string, answer: string, note?: string): Row => ({
  evidence,
  at,
  answer,
  sotto: (now) => answerOf(verifyEvidence(realEvidence(evidence), builtInTrust, presetPolicy(), now)),
  other: { by: 'tinfoil-bundle', answer: 'accepts' },
  ...(note !== undefined && { note }),
})

const report = (
  name: string,
  vcek: string,
  at: string,
  answer: string,
  others: string,
  note?: string,
): Row => ({
  evidence: name,
  at,
  answer,
  sotto: (now) =>
    answerOf(
      sevSteps.verify({
        report: reportBytes(name),
        vcek: realEvidence(vcek),
        roots: amdRoots,
        policy: presetSevPolicy(),
        now,
      }),
    ),
  other: { by: 'tinfoil-report', report: name, vcek, answer: others },
  ...(note !== undefined && { note }),
})

const quote = (
  name: string,
  input: () => TdxInput,
  at: string,
  answer: string,
  others: string,
  note?: string,
): Row => ({
  evidence: name,
  at,
  answer,
  sotto: (now) => answerOf(tdxSteps.verify({ ...input(), now })),
  other: {
    by: 'dcap-qvl',
    verify: () =>
      theirAnswer(
        { quote: realEvidence(name), collateral: savedCollateral(`${name}_collateral.json`) },
        Date.parse(at),
      ),
    answer: others,
  },
  ...(note !== undefined && { note }),
})

const document = (name: string, at: string, answer: string): Row => ({
  evidence: name,
  at,
  answer,
  sotto: (now) => {
    const bytes = realEvidence(name)
    const { pcrs } = readNitroDocument(readCoseSign1(bytes).payload)
    const pcr0 = Buffer.from(pcrs.get(0) ?? []).toString('hex')
    return answerOf(
      verifyNitroDocument({
        document: bytes,
        root: builtInTrust.awsNitroRoot ?? new Uint8Array(),
        policy: { images: [{ pcr0 }] },
        now,
      }),
    )
  },
  note: 'No other verifier of these documents is among the published packages used here.',
})

/**
 * Verifies a document of version 3 that contains the nonce, with the service's evidence for the same keys and
 * release.
 */
function fresh(bytes: Uint8Array, now: number): VerificationOutcome {
  const { nonce, keys, collateral } = readV3Document(bytes)
  const key = (id: string) => Buffer.from(keys.find((item) => item.id === id)?.data ?? '', 'hex')
  const { tag = '', digest = '' } = collateral.code ?? {}
  const relayed = {
    keys: { tlsKeyFingerprint: key('tls'), hpkePublicKey: key('hpke') },
    release: { tag, digest },
  }
  return v3Steps.verify({
    document: bytes,
    nonce: Buffer.from(nonce, 'hex'),
    trust: builtInTrust,
    policy: presetPolicy(),
    now,
    relayed,
  })
}

/** A report as the hardware signed it. Some reports are stored in hex. */
export function reportBytes(name: string): Buffer {
  const stored = realEvidence(name)
  return name.endsWith('.hex') ? Buffer.from(stored.toString().trim(), 'hex') : stored
}

const IGNORES_CERTIFICATE_DATES = 'Tinfoil’s verifier doesn’t look at the dates of the enclave’s certificate.'
const IGNORES_LOG_TIME =
  'Tinfoil’s verifier doesn’t compare its own time with the certificate or the transparency log.'
const V3 = '2026-08/v3-router-2026-08/document-without-platform-and-freshness.json'
const JANUARY = 'bundle/genoa-router-bundle.json'
const AUGUST = '2026-08/ppq-bundle-2026-08/attestation-bundle.json'

export const rows: readonly Row[] = [
  bundle(JANUARY, '2026-02-01T00:00:00Z', 'accepts'),
  bundle(JANUARY, '2026-01-15T00:00:00Z', 'certificate/not-yet-valid', IGNORES_LOG_TIME),
  bundle(JANUARY, '2026-05-01T00:00:00Z', 'certificate/expired', IGNORES_CERTIFICATE_DATES),
  bundle(AUGUST, '2026-08-15T12:00:00Z', 'accepts'),
  bundle(AUGUST, '2026-08-13T22:00:00Z', 'certificate/not-yet-valid', IGNORES_LOG_TIME),
  bundle(AUGUST, '2026-11-12T00:00:00Z', 'certificate/expired', IGNORES_CERTIFICATE_DATES),
  report(
    '2026-08/v3-router-2026-08/report.bin',
    '2026-08/v3-router-2026-08/vcek.der',
    '2026-08-15T12:00:00Z',
    'accepts',
    'accepts',
  ),
  {
    evidence: V3,
    at: '2026-08-15T12:00:00Z',
    answer: 'collateral/missing',
    sotto: (now) => answerOf(fresh(realEvidence(V3), now)),
    note: 'The document has no list of machines and no witnesses. No published npm package reads version 3.',
  },
  report(
    '2026-08/openpcc-azure-genoa/report.bin',
    '2026-08/openpcc-azure-genoa/vcek.der',
    '2026-08-15T12:00:00Z',
    'report/guest-policy-mismatch',
    'Platform policy violation: TSME (transparent SME) is required but not enabled',
  ),
  report(
    'sev-snp/report_milan.hex',
    'sev-snp/vcek_milan.der',
    '2026-08-15T12:00:00Z',
    'vcek/product-not-accepted',
    'Invalid VCEK certificate: Product name must be "Genoa"',
  ),
  report(
    'sev-snp/milan-debug-report.bin',
    'sev-snp/milan-debug-vcek.der',
    '2026-08-15T12:00:00Z',
    'vcek/product-not-accepted',
    'Invalid VCEK certificate: Product name must be "Genoa"',
  ),
  quote('tdx/tdx_quote', () => upToDate().input, '2025-07-01T00:00:00Z', 'accepts', 'good'),
  quote(
    'tdx/tdx_quote',
    () => upToDate().input,
    '2025-07-20T00:00:00Z',
    'intel/pck-crl-expired',
    'Error: TCBInfo expired',
  ),
  quote(
    'tdx/tdx_quote_outdated',
    outdated,
    '2026-02-25T00:00:00Z',
    'intel/tcb-unlisted',
    'Error: No matching TCB level found',
  ),
  document('nitro/valid-attestation-doc.bin', '2022-10-13T09:00:00Z', 'accepts'),
  document('nitro/debug-mode-attestation-doc.bin', '2022-10-12T13:51:00Z', 'nitro/debug-enclave'),
]
