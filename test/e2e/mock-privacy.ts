import { randomBytes } from 'node:crypto'
import { attestationCodes } from '../../src/verifier/types.ts'
import type { PrivacyChoices, TrustView } from '../../src/shared/contract/privacy.ts'
import { PROOF_FORMAT, type Proof } from '../../src/shared/proof.ts'
import {
  verdictNotices,
  type Verdict,
  type VerdictNoticeCode,
  type VerdictStep,
} from '../../src/shared/verdict.ts'
import type { VerifiedEnclave } from '../../src/shared/verified-enclave.ts'
import { goodVerdict, hex } from './mock-data.ts'
import { legible, type Text } from '../../src/verifier/text.ts'
import { msg } from '../../src/verifier/message.ts'

const DAY = 86_400_000

export function enclave(
  id: string,
  lastSeenAt: number,
  part: Partial<VerifiedEnclave> = {},
): VerifiedEnclave {
  const {
    trust,
    enclaveHost,
    platform,
    registers,
    measurement,
    release,
    hpkePublicKey,
    tlsKeyFingerprint,
    evidenceDigest,
  } = goodVerdict(lastSeenAt)
  return {
    id,
    trust,
    enclaveHost,
    platform: platform!,
    registers: registers!,
    measurement: measurement!,
    release: release!,
    hpkePublicKey: hpkePublicKey!,
    tlsKeyFingerprint: tlsKeyFingerprint!,
    evidenceDigest,
    firstSeenAt: lastSeenAt - DAY,
    sinceAt: lastSeenAt - DAY,
    lastSeenAt,
    hasProof: true,
    ...part,
  }
}

/** A release before, and keys before those. */
export function changeLog(now: number): VerifiedEnclave[] {
  return [
    enclave('e3', now - 61_000),
    enclave('e2', now - 2 * DAY, { hpkePublicKey: hex(51, 32), tlsKeyFingerprint: hex(52, 32) }),
    enclave('e1', now - 9 * DAY, {
      hpkePublicKey: hex(61, 32),
      tlsKeyFingerprint: hex(62, 32),
      measurement: hex(63, 48),
      registers: [{ name: 'MEASUREMENT', hex: hex(63, 48) }],
      release: {
        repository: 'sandbox-example/router',
        tag: 'v1.4.1',
        digest: hex(64, 32),
        loggedAt: now - 20 * DAY,
      },
      hasProof: false,
    }),
  ]
}

export const noChoices: PrivacyChoices = {
  askBeforeNewRelease: false,
  pins: [],
  freshEvidence: { chosen: 'direct', host: 'enclave.sotto-sandbox.example' },
}

/** The service's provider accepts older firmware than the policy does. */
export function withProviderFloor(accepted: boolean): PrivacyChoices {
  const minimum = { bootloader: 7, tee: 0, snp: 23, microcode: 72 }
  return {
    ...noChoices,
    providerFloors: { accepted, floors: [{ product: 'Genoa', minimum, provider: { ...minimum, snp: 14 } }] },
  }
}

export function noticed(verdict: Verdict, ...codes: VerdictNoticeCode[]): Verdict {
  return { ...verdict, notices: codes.map((code) => ({ code, says: verdictNotices[code] })) }
}

export function sandboxTrust(): TrustView {
  return {
    name: 'sandbox',
    roots: [
      'AMD ARK, Genoa',
      'AMD ASK, Genoa',
      'Intel SGX Root CA',
      'AWS Nitro root',
      'Sigstore trusted root',
    ].map((name, index) => ({ name, sha256: hex(70 + index, 32) })),
  }
}

/** The built-in roots, long after Sigstore published theirs. */
export function staleTrust(now: number): TrustView {
  return { ...sandboxTrust(), name: 'built-in', sigstorePublished: now - 120 * DAY }
}

export function mockProof(verdict: Verdict): Proof {
  return {
    format: PROOF_FORMAT,
    savedAt: new Date(verdict.verifiedAt).toISOString(),
    evidence: randomBytes(30).toString('base64'),
    policy: { enclaveHost: verdict.enclaveHost },
    trust: { name: verdict.trust, roots: sandboxTrust().roots },
    verdict,
  }
}

const passed = (id: string, title: string, expected: Text, observed = expected): VerdictStep => ({
  id,
  title,
  outcome: 'passed',
  required: true,
  expected: legible(expected),
  observed: legible(observed),
})

export function tdxVerdict(now: number): Verdict {
  const registers = ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2'].map((name, index) => ({
    name,
    hex: hex(80 + index, 48),
  }))
  return {
    ...goodVerdict(now),
    trust: 'built-in',
    platform: 'Intel TDX',
    measurement: hex(90, 32),
    registers: [...registers, { name: 'RTMR3', hex: '0'.repeat(96) }],
    steps: [
      passed('quote/layout', 'Quote has the layout of a TDX quote', msg('version {version}', { version: 4 })),
      passed('intel/tcb-level', 'Intel rates the server as up to date', 'UpToDate'),
      passed(
        'measurement/match',
        'Enclave runs the code of the release',
        `RTMR1 ${registers[2]!.hex}, RTMR2 ${registers[3]!.hex}`,
      ),
    ],
    notices: [{ code: 'trust/sigstore-root-stale', says: verdictNotices['trust/sigstore-root-stale'] }],
  }
}

export function nitroVerdict(now: number): Verdict {
  const { release: _, ...rest } = goodVerdict(now)
  return {
    ...rest,
    trust: 'built-in',
    platform: 'AWS Nitro',
    registers: ['PCR0', 'PCR1', 'PCR2'].map((name, index) => ({ name, hex: hex(95 + index, 48) })),
    freshness: { kind: 'nonce-bound' },
    steps: [
      passed('nitro/nonce', 'Document was created for this request', hex(99, 32)),
      passed('nitro/image', 'Enclave image is named in the policy', hex(95, 48)),
    ],
  }
}

export function notYetTrusted(now: number): Verdict {
  const verdict = goodVerdict(now)
  const release = { ...verdict.release!, tag: 'v1.5.0', digest: hex(33, 32) }
  const message = attestationCodes['release/not-yet-trusted']
  return {
    ...verdict,
    good: false,
    release,
    measurement: hex(34, 48),
    registers: [{ name: 'MEASUREMENT', hex: hex(34, 48) }],
    steps: [
      ...verdict.steps,
      {
        id: 'release/trusted',
        title: 'You trust this release',
        outcome: 'failed',
        required: true,
        expected: msg('a release that was accepted here before, or that you consented to'),
        observed: legible(`v1.5.0, ${hex(33, 32)}`),
        code: 'release/not-yet-trusted',
      },
    ],
    failure: { step: 'release/trusted', code: 'release/not-yet-trusted', says: message },
  }
}
