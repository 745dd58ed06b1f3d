import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { TdxInput } from '../../../src/verifier/tdx/index.ts'
import type { TdxPolicy } from '../../../src/shared/policy/tdx.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha256,
  extension,
  keyUsage,
  pem,
  subjectKeyIdentifier,
  type CertificateFields,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import { integer, octetString, oid, sequence } from '../../../src/sandbox/der/der.ts'
import { mintedCrl, revokedEntry, type CrlFields } from '../x509/minted-crl.ts'
import { pcsResponses, type Answers } from './real-tdx.ts'

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const NOW = Date.UTC(2026, 5, 1)
export const DAY = 24 * 3600_000
const YEAR = 365 * DAY

export const intelName = (commonName: string) =>
  distinguishedName(
    ['CN', commonName],
    ['O', 'Intel Corporation'],
    ['L', 'Santa Clara'],
    ['ST', 'CA'],
    ['C', 'US'],
  )

export const MR_SEAM = 'a5'.repeat(48)
/** Requires everything that the quotes minted here satisfy, and no more. Each test removes one requirement. */
export const policy: TdxPolicy = {
  minimumTeeTcbSvn: '05010200000000000000000000000000',
  tdAttributes: '0000001000000000',
  xfam: 'e702060000000000',
  mrSeam: [MR_SEAM],
  mrConfigId: '0'.repeat(96),
  mrOwner: '0'.repeat(96),
  mrOwnerConfig: '0'.repeat(96),
  minimumTcbEvaluationDataNumber: 18,
  tcbStatuses: ['UpToDate'],
  hardware: {
    repository: 'a/b',
    oidcIssuer: 'https://issuer.test',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['https://predicate.test'],
  },
}

/** Bytes to write over a quote before it is signed, by offset. */
export type Patches = Readonly<Record<number, Uint8Array>>

export const FMSPC = '00906ed50000'
const SGX = '1.2.840.113741.1.13.1'
export const COMPONENTS = [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0]
export const PCE_SVN = 13

/** The parts of Intel's extension, by their last arcs; `changes` replaces one, or leaves it out. */
export function sgxExtension(changes: Readonly<Record<string, Buffer | undefined>> = {}): Buffer {
  const values: Record<string, Buffer | undefined> = {
    '1': octetString(Buffer.alloc(16, 0x11)),
    '2': tcbSequence(),
    '3': octetString(Buffer.alloc(2)),
    '4': octetString(Buffer.from(FMSPC, 'hex')),
    ...changes,
  }
  return extension(
    SGX,
    sequence(
      ...Object.entries(values).flatMap(([arc, value]) =>
        value ? [sequence(oid(`${SGX}.${arc}`), value)] : [],
      ),
    ),
  )
}

export function tcbSequence(changes: Readonly<Record<number, Buffer | undefined>> = {}): Buffer {
  const values: Record<number, Buffer | undefined> = {
    ...Object.fromEntries(COMPONENTS.map((svn, index) => [index + 1, integer(svn)])),
    17: integer(PCE_SVN),
    18: octetString(Buffer.from(COMPONENTS)),
    ...changes,
  }
  return sequence(
    ...Object.entries(values).flatMap(([arc, value]) =>
      value ? [sequence(oid(`${SGX}.2.${arc}`), value)] : [],
    ),
  )
}

/** The possible changes to the signature data of a quote. */
export interface QuoteParts {
  readonly patches?: Patches
  readonly version?: 4 | 5
  readonly attestationKey?: ReturnType<typeof p256>
  /** The key that signs the quote, if it is not the key that the quote names. */
  readonly quoteSigner?: KeyObject
  readonly machineSigner?: KeyObject
  readonly qePatches?: Patches
  readonly authenticationData?: Uint8Array
  readonly chain?: readonly Uint8Array[]
  readonly chainText?: string
}

/** A simulated Intel: a root, issuers of certificates and statements, and a machine. Tests can falsify every field. */
export class MintedIntel {
  readonly root = p256()
  readonly platformCa = p256()
  readonly pck = p256()
  readonly signer = p256()
  readonly attestation = p256()

  rootCertificate(
    changes: Partial<CertificateFields> = {},
    signer: Signer = ecdsaSha256(this.root.privateKey),
  ): Buffer {
    return certificate(
      {
        serial: 1,
        issuer: intelName('Intel SGX Root CA'),
        subject: intelName('Intel SGX Root CA'),
        notBefore: NOW - YEAR,
        notAfter: NOW + 20 * YEAR,
        publicKey: this.root.publicKey,
        extensions: [
          subjectKeyIdentifier(this.root.publicKey),
          keyUsage('certificateAndCrlSign'),
          basicConstraints(true, 1),
        ],
        ...changes,
      },
      signer,
    )
  }

  caCertificate(
    changes: Partial<CertificateFields> = {},
    signer: Signer = ecdsaSha256(this.root.privateKey),
  ): Buffer {
    return certificate(
      {
        serial: 2,
        issuer: intelName('Intel SGX Root CA'),
        subject: intelName('Intel SGX PCK Platform CA'),
        notBefore: NOW - YEAR,
        notAfter: NOW + 15 * YEAR,
        publicKey: this.platformCa.publicKey,
        extensions: [
          subjectKeyIdentifier(this.platformCa.publicKey),
          keyUsage('certificateAndCrlSign'),
          basicConstraints(true, 0),
        ],
        ...changes,
      },
      signer,
    )
  }

  pckCertificate(
    changes: Partial<CertificateFields> = {},
    signer: Signer = ecdsaSha256(this.platformCa.privateKey),
  ): Buffer {
    return certificate(
      {
        serial: 3,
        issuer: intelName('Intel SGX PCK Platform CA'),
        subject: intelName('Intel SGX PCK Certificate'),
        notBefore: NOW - YEAR,
        notAfter: NOW + 6 * YEAR,
        publicKey: this.pck.publicKey,
        extensions: [keyUsage('digitalSignature'), basicConstraints(false), sgxExtension()],
        ...changes,
      },
      signer,
    )
  }

  signerCertificate(
    changes: Partial<CertificateFields> = {},
    signer: Signer = ecdsaSha256(this.root.privateKey),
  ): Buffer {
    return certificate(
      {
        serial: 4,
        issuer: intelName('Intel SGX Root CA'),
        subject: intelName('Intel SGX TCB Signing'),
        notBefore: NOW - YEAR,
        notAfter: NOW + 6 * YEAR,
        publicKey: this.signer.publicKey,
        extensions: [keyUsage('digitalSignature'), basicConstraints(false)],
        ...changes,
      },
      signer,
    )
  }

  rootCrl(changes: Partial<CrlFields> = {}, signer: Signer = ecdsaSha256(this.root.privateKey)): Buffer {
    return mintedCrl(
      {
        issuer: intelName('Intel SGX Root CA'),
        thisUpdate: NOW - DAY,
        nextUpdate: NOW + YEAR,
        entries: [],
        extensions: [authorityKeyIdentifier(this.root.publicKey)],
        ...changes,
      },
      signer,
    )
  }

  pckCrl(changes: Partial<CrlFields> = {}, signer: Signer = ecdsaSha256(this.platformCa.privateKey)): Buffer {
    return mintedCrl(
      {
        issuer: intelName('Intel SGX PCK Platform CA'),
        thisUpdate: NOW - DAY,
        nextUpdate: NOW + 29 * DAY,
        entries: [revokedEntry(77, NOW - DAY)],
        extensions: [authorityKeyIdentifier(this.platformCa.publicKey)],
        ...changes,
      },
      signer,
    )
  }

  /** An answer of Intel's around a statement, which is an object or the text to sign. */
  signed(
    member: 'tcbInfo' | 'enclaveIdentity',
    statement: object | string,
    key = this.signer.privateKey,
  ): Buffer {
    const text = typeof statement === 'string' ? statement : JSON.stringify(statement)
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('hex')
    return Buffer.from(`{"${member}":${text},"signature":"${signature}"}`)
  }

  answers(changes: Partial<Answers> = {}): Answers {
    const chain = this.signerChain()
    return {
      tcbInfo: this.signed('tcbInfo', tcbInfo()),
      tcbInfoChain: chain,
      qeIdentity: this.signed('enclaveIdentity', qeIdentity()),
      qeIdentityChain: chain,
      pckCrl: this.pckCrl(),
      rootCrl: this.rootCrl(),
      ...changes,
    }
  }

  signerChain(...certificates: readonly Uint8Array[]): string {
    return (certificates.length > 0 ? certificates : [this.signerCertificate(), this.soundRoot])
      .map((der) => pem(der))
      .join('')
  }

  /** ECDSA signatures differ each time, so a certificate that must stay the same is minted once. */
  readonly soundRoot = this.rootCertificate()
  readonly soundChain = [this.pckCertificate(), this.caCertificate(), this.soundRoot]

  /** A quote that satisfies `policy`, except for the changes. */
  quote(parts: QuoteParts = {}): Buffer {
    const { attestationKey = this.attestation, authenticationData = Buffer.from('authentication data') } =
      parts
    const signed = unsignedQuote(parts.version ?? 4)
    patch(signed, parts.patches)
    const key = pointOf(attestationKey.publicKey)
    const qeReport = quotingEnclave(createHash('sha256').update(key).update(authenticationData).digest())
    patch(qeReport, parts.qePatches)
    const chain = Buffer.from(
      parts.chainText ?? `${(parts.chain ?? this.soundChain).map((der) => pem(der)).join('')}\0`,
    )
    const certification = Buffer.concat([
      qeReport,
      rawSignature(qeReport, parts.machineSigner ?? this.pck.privateKey),
      u16(authenticationData.length),
      authenticationData,
      u16(5),
      u32(chain.length),
      chain,
    ])
    const signatureData = Buffer.concat([
      rawSignature(signed, parts.quoteSigner ?? attestationKey.privateKey),
      key,
      u16(6),
      u32(certification.length),
      certification,
    ])
    return Buffer.concat([signed, u32(signatureData.length), signatureData])
  }

  input(
    changes: { readonly quote?: QuoteParts; readonly answers?: Partial<Answers> } & Partial<
      Omit<TdxInput, 'quote'>
    > = {},
  ): TdxInput {
    const { quote, answers, ...rest } = changes
    return {
      quote: this.quote(quote),
      collateral: pcsResponses(this.answers(answers)),
      root: this.soundRoot,
      policy,
      now: NOW,
      ...rest,
    }
  }
}

export const u16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function rawSignature(data: Uint8Array, key: KeyObject): Buffer {
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
}

export function pointOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-64)
}

function patch(bytes: Buffer, patches: Patches = {}): void {
  for (const [offset, patched] of Object.entries(patches)) bytes.set(patched, Number(offset))
}

/** Where the body of a quote begins. */
export const bodyAt = (version: 4 | 5) => (version === 4 ? 48 : 54)

function unsignedQuote(version: 4 | 5): Buffer {
  const quote = Buffer.alloc(version === 4 ? 632 : 702)
  quote.writeUInt16LE(version, 0)
  quote.writeUInt16LE(2, 2)
  quote.writeUInt32LE(0x81, 4)
  quote.write('939a7233f79c4ca9940a0db3957f0607', 12, 'hex')
  const body = quote.subarray(bodyAt(version))
  if (version === 5) {
    quote.writeUInt16LE(3, 48)
    quote.writeUInt32LE(648, 50)
    body.write('06010200', 584, 'hex')
  }
  body.write('05010200', 0, 'hex')
  body.write(MR_SEAM, 16, 'hex')
  body.write(policy.tdAttributes, 120, 'hex')
  body.write(policy.xfam, 128, 'hex')
  body.fill(0xd1, 136, 184)
  for (const register of [0, 1, 2]) body.fill(0xe0 + register, 328 + 48 * register, 376 + 48 * register)
  body.fill(0x5a, 520, 584)
  return quote
}

const QE_SIGNER = 'dc9e2a7c6f948f17474e34a7fc43ed030f7c1563f1babddf6340c82e0e54a8c5'

function quotingEnclave(reportData: Uint8Array): Buffer {
  const report = Buffer.alloc(384)
  report.write('1500000000000000e700000000000000', 48, 'hex')
  report.write(QE_SIGNER, 128, 'hex')
  report.writeUInt16LE(2, 256)
  report.writeUInt16LE(7, 258)
  report.set(reportData, 320)
  return report
}

const svns = (versions: readonly number[]) => versions.map((svn) => ({ svn }))
const TDX_COMPONENTS = [5, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
export const iso = (at: number) => new Date(at).toISOString().replace('.000', '')

interface Level {
  readonly sgx?: readonly number[]
  readonly tdx?: readonly number[]
  readonly pceSvn?: number
  readonly status?: string
}
export const level = ({
  sgx = COMPONENTS,
  tdx = TDX_COMPONENTS,
  pceSvn = PCE_SVN,
  status = 'UpToDate',
}: Level = {}) => ({
  tcb: { sgxtcbcomponents: svns(sgx), pcesvn: pceSvn, tdxtcbcomponents: svns(tdx) },
  tcbDate: '2026-02-01T00:00:00Z',
  tcbStatus: status,
  advisoryIDs: ['INTEL-SA-00000'],
})
export const isvLevel = (isvsvn: number, tcbStatus = 'UpToDate') => ({
  tcb: { isvsvn },
  tcbDate: '2026-02-01T00:00:00Z',
  tcbStatus,
})
export const moduleIdentity = (changes: object = {}) => ({
  id: 'TDX_01',
  mrsigner: '0'.repeat(96),
  attributes: '0'.repeat(16),
  attributesMask: 'F'.repeat(16),
  tcbLevels: [isvLevel(5), isvLevel(2, 'OutOfDate')],
  ...changes,
})

export function tcbInfo(changes: object = {}): object {
  return {
    id: 'TDX',
    version: 3,
    issueDate: iso(NOW - DAY),
    nextUpdate: iso(NOW + 28 * DAY),
    fmspc: FMSPC.toUpperCase(),
    pceId: '0000',
    tcbType: 0,
    tcbEvaluationDataNumber: 18,
    tdxModule: { mrsigner: '0'.repeat(96), attributes: '0'.repeat(16), attributesMask: 'F'.repeat(16) },
    tdxModuleIdentities: [moduleIdentity({ id: 'TDX_03' }), moduleIdentity()],
    tcbLevels: [
      level(),
      level({ sgx: [2, 2, 2, 2, 3, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0], status: 'OutOfDate' }),
    ],
    ...changes,
  }
}

export function qeIdentity(changes: object = {}): object {
  return {
    id: 'TD_QE',
    version: 2,
    issueDate: iso(NOW - DAY),
    nextUpdate: iso(NOW + 27 * DAY),
    tcbEvaluationDataNumber: 18,
    miscselect: '00000000',
    miscselectMask: 'FFFFFFFF',
    attributes: '11000000000000000000000000000000',
    attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
    mrsigner: QE_SIGNER.toUpperCase(),
    isvprodid: 2,
    tcbLevels: [isvLevel(7), isvLevel(4, 'OutOfDate')],
    ...changes,
  }
}
