import {
  generateKeyPair,
  generateKeyPairSync,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import { promisify } from 'node:util'
import { sevPolicySchema, type SevPolicy, type SevProduct } from '../../../src/shared/policy/sev-snp.ts'
import type { TrustSet } from '../../../src/shared/trust.ts'
import {
  basicConstraints,
  certificate,
  distinguishedName,
  extension,
  keyUsage,
  pssSha384,
  type CertificateFields,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import { ia5String, integer } from '../../../src/sandbox/der/der.ts'

export const NOW = Date.UTC(2026, 5, 1)
const YEAR = 365 * 24 * 3600_000
export const CHIP_ID = Buffer.from(Array.from({ length: 64 }, (_, index) => index + 1))
export const TURIN_CHIP_ID = Buffer.concat([CHIP_ID.subarray(0, 8), Buffer.alloc(56)])

export const amdName = (commonName: string) =>
  distinguishedName(
    ['OU', 'Engineering'],
    ['C', 'US'],
    ['L', 'Santa Clara'],
    ['ST', 'CA'],
    ['O', 'Advanced Micro Devices'],
    ['CN', commonName],
  )

/** Raw TCB_VERSION bytes: bootloader 10, TEE 0, SNP 23, microcode 84; on Turin fmc 1, bootloader 2, TEE 1, SNP 5, microcode 90. */
export const TCB = Buffer.from('0a00000000001754', 'hex')
export const TURIN_TCB = Buffer.from('010201050000005a', 'hex')

/** The identity of a guest whose owner sets none of its fields. */
export const zeroSevIdentity = sevPolicySchema.shape.identity.parse({})

/** Requires everything that the reports minted here satisfy, and no more. Each test removes one requirement. */
export const policy: SevPolicy = {
  products: {
    Genoa: { minimumTcb: { bootloader: 10, tee: 0, snp: 23, microcode: 84 } },
    Turin: {
      minimumTcb: { fmc: 1, bootloader: 2, tee: 1, snp: 5, microcode: 90 },
      minimumBuild: 3,
      minimumApi: { major: 1, minor: 58 },
    },
  },
  minimumBuild: 40,
  minimumApi: { major: 1, minor: 55 },
  guest: { allowSmt: true, allowSingleSocketOnly: true },
  platform: { requireTsme: true, requireEcc: true, requireAliasCheck: true },
  identity: zeroSevIdentity,
  vmpl: 0,
}

/** Bytes to write over the report before it is signed, by offset. */
export type Patches = Readonly<Record<number, Uint8Array>>

/** A simulated AMD: a root, an intermediate and a chip. A test can falsify every field. */
export class MintedAmd {
  readonly ark: KeyPairKeyObjectResult
  readonly ask: KeyPairKeyObjectResult
  readonly vcek: KeyPairKeyObjectResult = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  private readonly mintedRoots = new Map<SevProduct, TrustSet['amd']>()
  private readonly mintedChips = new Map<SevProduct, Buffer>()

  constructor(ark: KeyPairKeyObjectResult, ask: KeyPairKeyObjectResult) {
    this.ark = ark
    this.ask = ask
  }

  rootCertificate(
    product: SevProduct,
    changes: Partial<CertificateFields> = {},
    signer: Signer = pssSha384(this.ark.privateKey, true),
  ): Buffer {
    return certificate(
      {
        serial: 0x20000,
        issuer: amdName(`ARK-${product}`),
        subject: amdName(`ARK-${product}`),
        notBefore: NOW - YEAR,
        notAfter: NOW + 20 * YEAR,
        publicKey: this.ark.publicKey,
        extensions: [keyUsage('certificateAndCrlSign'), basicConstraints(true)],
        ...changes,
      },
      signer,
    )
  }

  intermediateCertificate(
    product: SevProduct,
    changes: Partial<CertificateFields> = {},
    signer: Signer = pssSha384(this.ark.privateKey, true),
  ): Buffer {
    return certificate(
      {
        serial: 0x20002,
        issuer: amdName(`ARK-${product}`),
        subject: amdName(`SEV-${product}`),
        notBefore: NOW - YEAR,
        notAfter: NOW + 19 * YEAR,
        publicKey: this.ask.publicKey,
        extensions: [basicConstraints(true, 0), keyUsage('certificateSign')],
        ...changes,
      },
      signer,
    )
  }

  chipCertificate(
    product: SevProduct,
    changes: Partial<CertificateFields> = {},
    signer: Signer = pssSha384(this.ask.privateKey, false),
  ): Buffer {
    return certificate(
      {
        serial: 0,
        issuer: amdName(`SEV-${product}`),
        subject: amdName('SEV-VCEK'),
        notBefore: NOW - YEAR,
        notAfter: NOW + 6 * YEAR,
        publicKey: this.vcek.publicKey,
        extensions: chipExtensions(product),
        ...changes,
      },
      signer,
    )
  }

  /** Signing with RSA-4096 takes milliseconds, so certificates that many tests share are minted once. */
  roots(product: SevProduct): TrustSet['amd'] {
    const roots = this.mintedRoots.get(product) ?? {
      [product]: { ark: this.rootCertificate(product), ask: this.intermediateCertificate(product) },
    }
    this.mintedRoots.set(product, roots)
    return roots
  }

  soundChip(product: SevProduct): Buffer {
    const chip = this.mintedChips.get(product) ?? this.chipCertificate(product)
    this.mintedChips.set(product, chip)
    return chip
  }

  /** A report that satisfies `policy`, except for the patches. The chip signs it. */
  report(product: SevProduct, patches: Patches = {}, key: KeyObject = this.vcek.privateKey): Buffer {
    const report = unsignedReport(product)
    for (const [offset, bytes] of Object.entries(patches)) report.set(bytes, Number(offset))
    const signature = sign('sha384', report.subarray(0, 0x2a0), { key, dsaEncoding: 'ieee-p1363' })
    report.set(Buffer.from(signature.subarray(0, 48)).reverse(), 0x2a0)
    report.set(Buffer.from(signature.subarray(48)).reverse(), 0x2e8)
    return report
  }
}

/** Generates RSA-4096 keys like AMD's, which takes a second or two. */
export async function mintAmd(): Promise<MintedAmd> {
  const rsa = promisify(generateKeyPair)
  const [ark, ask] = await Promise.all([
    rsa('rsa', { modulusLength: 4096 }),
    rsa('rsa', { modulusLength: 4096 }),
  ])
  return new MintedAmd(ark, ask)
}

const AMD = '1.3.6.1.4.1.3704.1'

/** AMD's extensions, by their last arcs; `changes` replaces one, or leaves it out. */
export function chipExtensions(
  product: SevProduct,
  changes: Readonly<Record<string, Uint8Array | undefined>> = {},
): Buffer[] {
  const turin = product === 'Turin'
  const values: Record<string, Uint8Array | undefined> = {
    '1': integer(0),
    '2': ia5String(product === 'Milan' ? 'Milan-B0' : product),
    ...(turin && { '3.9': integer(1) }),
    '3.1': integer(turin ? 2 : 10),
    '3.2': integer(turin ? 1 : 0),
    ...(!turin && { '3.4': integer(0) }),
    '3.5': integer(0),
    '3.6': integer(0),
    '3.7': integer(0),
    '3.3': integer(turin ? 5 : 23),
    '3.8': integer(turin ? 90 : 84),
    '4': turin ? TURIN_CHIP_ID.subarray(0, 8) : CHIP_ID,
    ...changes,
  }
  return Object.entries(values).flatMap(([arc, value]) => (value ? [extension(`${AMD}.${arc}`, value)] : []))
}

function unsignedReport(product: SevProduct): Buffer {
  const turin = product === 'Turin'
  const tcb = turin ? TURIN_TCB : TCB
  const firmware = turin ? [3, 58, 1] : [40, 55, 1]
  const report = Buffer.alloc(0x4a0)
  report.writeUInt32LE(turin ? 5 : 3, 0x00)
  report.writeBigUInt64LE(0x3_0000n, 0x08) // SMT, and the bit that must be one
  report.writeUInt32LE(1, 0x34)
  report.set(tcb, 0x38)
  report.writeBigUInt64LE(turin ? 0x67n : 0x27n, 0x40) // SMT, TSME, ECC, alias check, and on Turin IOMMU write safe
  report.fill(0x5a, 0x50, 0x90)
  report.fill(0xa5, 0x90, 0xc0)
  report.set(tcb, 0x180)
  report.set(
    turin ? [0x1a, 0x02, 0x01] : product === 'Milan' ? [0x19, 0x01, 0x01] : [0x19, 0x11, 0x01],
    0x188,
  )
  report.set(turin ? TURIN_CHIP_ID : CHIP_ID, 0x1a0)
  report.set(tcb, 0x1e0)
  report.set(firmware, 0x1e8)
  report.set(firmware, 0x1ec)
  report.set(tcb, 0x1f0)
  return report
}
