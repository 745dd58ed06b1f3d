import type { SevProduct, Tcb } from '../policy.ts'
import { decodeIa5, decodeSmallInteger, tags } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import { CertificateError, certificateFaults, extensionElement, type Certificate } from '../x509/index.ts'
import { productOfName } from './product.ts'

/** AMD 57230, "Versioned Chip Endorsement Key (VCEK) Certificate and KDS Interface Specification". */
const AMD = '1.3.6.1.4.1.3704.1'
const ids = {
  productName: `${AMD}.2`,
  bootloader: `${AMD}.3.1`,
  tee: `${AMD}.3.2`,
  snp: `${AMD}.3.3`,
  reserved: [`${AMD}.3.4`, `${AMD}.3.5`, `${AMD}.3.6`, `${AMD}.3.7`],
  microcode: `${AMD}.3.8`,
  fmc: `${AMD}.3.9`,
  hardwareId: `${AMD}.4`,
  cloudProviderId: `${AMD}.5`,
} as const

/** The key of a chip at a TCB, as its certificate claims. Nothing of it is authenticated here. */
export interface Vcek {
  readonly certificate: Certificate
  readonly productName: string
  /** Undefined if the name is of an unknown product. */
  readonly product: SevProduct | undefined
  readonly tcb: Tcb
  /** 64 bytes, or 8 on Turin. */
  readonly hardwareId: Uint8Array
}

/** Only a VLEK names a cloud provider. AMD lends VLEKs to cloud providers. */
export function namesCloudProvider(certificate: Certificate): boolean {
  return certificate.extensions.has(ids.cloudProviderId)
}

/** Reads AMD's extensions of a VCEK certificate. Throws CertificateError. */
export const readVcek: (certificate: Certificate) => Vcek = oncePer((certificate: Certificate) =>
  certificateFaults(() => readExtensions(certificate)),
)

function readExtensions(certificate: Certificate): Vcek {
  const name = extensionElement(certificate, ids.productName, tags.ia5String)
  const hardwareId = certificate.extensions.get(ids.hardwareId)?.value
  if (!name || !hardwareId) throw new CertificateError('extension-malformed')
  const productName = decodeIa5(name)
  const product = productOfName(productName)
  if (ids.reserved.some((id) => (patchLevel(certificate, id) ?? 0) !== 0))
    throw new CertificateError('extension-malformed')
  const fmc = patchLevel(certificate, ids.fmc)
  if ((fmc !== undefined) !== (product === 'Turin')) throw new CertificateError('extension-malformed')
  return {
    certificate,
    productName,
    product,
    tcb: {
      ...(fmc !== undefined && { fmc }),
      bootloader: requiredPatchLevel(certificate, ids.bootloader),
      tee: requiredPatchLevel(certificate, ids.tee),
      snp: requiredPatchLevel(certificate, ids.snp),
      microcode: requiredPatchLevel(certificate, ids.microcode),
    },
    hardwareId,
  }
}

function requiredPatchLevel(certificate: Certificate, id: string): number {
  const level = patchLevel(certificate, id)
  if (level === undefined) throw new CertificateError('extension-malformed')
  return level
}

function patchLevel(certificate: Certificate, id: string): number | undefined {
  const content = extensionElement(certificate, id, tags.integer)
  if (!content) return undefined
  const level = decodeSmallInteger(content)
  if (level > 0xff) throw new CertificateError('extension-malformed')
  return level
}
