import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  assessServiceEnclave,
  type ImageAcceptance,
  type ServiceEnclaveAssessment,
  type ServiceEnclaveInput,
} from '../../../src/verifier/service-enclave/index.ts'
import { bytes, type Writable } from '../cbor/cbor-writer.ts'
import { chain, documentWith, HPKE_KEY, NONCE, NOW, PCR0 } from '../nitro/minted-document.ts'

/** The enclave's TLS key, of both types that images have used. */
export const tlsKeys = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const
export const spkiOf = (kind: keyof typeof tlsKeys): Buffer =>
  tlsKeys[kind].publicKey.export({ type: 'spki', format: 'der' })
export const SPKI = spkiOf('ec')
export const SPKI_HASH = createHash('sha256').update(SPKI).digest()

export const pcr0 = PCR0.toString('hex')
export const OTHER_PCR0 = 'c5'.repeat(48)
export const DATE = '2026-05-30'

export const record = {
  _comment: ['for people'],
  updated: DATE,
  current: {
    version: 'v0.13.0',
    date: DATE,
    source_commit: 'abc1234',
    pcr0,
    pcr1: '4b'.repeat(48),
    pcr2: '4c'.repeat(48),
  },
  accepted_pcr0: [pcr0],
  provenance: { repo: 'sotto-test/enclave', workflow: '.github/workflows/enclave-build.yml' },
}
export const recordBytes = (changes: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ ...record, ...changes }))
export const published = (changes: object = {}): ImageAcceptance => ({
  rule: 'published',
  record: recordBytes(changes),
})

/** A document that names the TLS key above, unless it's changed. */
export const mintDocument = (changes: Readonly<Record<string, Writable | undefined>> = {}): Buffer =>
  documentWith({ user_data: bytes(SPKI_HASH), ...changes })

export const answerOf = (document: Uint8Array): Record<string, unknown> => ({
  attestation_document_b64: Buffer.from(document).toString('base64'),
  hpke_public_key: HPKE_KEY.toString('hex'),
  cert_spki_sha256: SPKI_HASH.toString('hex'),
  cert_spki_der: SPKI.toString('base64'),
  format: 'nsm-cose-sign1',
})

export const genuine = answerOf(mintDocument())

/** Everything as it should be, unless something is changed. */
export function assess(
  changes: Partial<Omit<ServiceEnclaveInput, 'answer'>> & { readonly answer?: object | Uint8Array } = {},
): ServiceEnclaveAssessment {
  const { answer = genuine, ...others } = changes
  return assessServiceEnclave({
    answer: answer instanceof Uint8Array ? answer : Buffer.from(JSON.stringify(answer)),
    nonce: NONCE,
    trust: { name: 'sandbox', amd: {}, sigstoreTrustedRoot: '', awsNitroRoot: chain.root },
    enclaveHost: 'enclave.example',
    images: published(),
    now: NOW + 100,
    ...others,
  })
}

/** The step and the code of the refusal. Also requires that all steps before it passed, and that those after it weren't reached. */
export function refusalOf({ verdict }: ServiceEnclaveAssessment): string {
  if (verdict.good) return 'good'
  const { steps, failure } = verdict
  const at = steps.findIndex(({ outcome }) => outcome === 'failed')
  const inOrder = steps.every(
    ({ outcome, required }, index) =>
      index === at ||
      (index < at
        ? outcome === 'passed' || (!required && outcome === 'not-checked')
        : outcome === 'not-reached'),
  )
  if (!failure || !inOrder || steps[at]?.id !== failure.step || steps[at].code !== failure.code)
    throw new Error('the failure isn’t the first')
  return `${failure.step} ${failure.code}`
}
