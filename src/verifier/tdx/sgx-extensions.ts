import { decodeObjectIdentifier, decodeSmallInteger, enterSole, tags, type DerReader } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import { toHex } from '../text.ts'
import { CertificateError, certificateFaults, type Certificate } from '../x509/index.ts'

/** Intel SGX PCK Certificate and CRL Profile, section 1.3.5. */
const SGX = '1.2.840.113741.1.13.1'
const ids = { ppid: `${SGX}.1`, tcb: `${SGX}.2`, pceId: `${SGX}.3`, fmspc: `${SGX}.4` } as const
const TCB_COMPONENTS = 16
const PCE_SVN_ARC = 17
const CPU_SVN_ARC = 18
const TCB_ARCS = 18
const MAX_EXTENSIONS = 16

/** The facts that a machine's certificate states about it. Identifiers are lowercase hex. */
export interface SgxExtensions {
  /** Of the machine: 16 bytes. */
  readonly ppid: string
  /** Of the provisioning enclave: 2 bytes. */
  readonly pceId: string
  /** Family, model, stepping, platform and so on: 6 bytes. Intel publishes TCB info by it. */
  readonly fmspc: string
  /** The security version of each of the 16 components. */
  readonly components: readonly number[]
  readonly pceSvn: number
}

/** Reads Intel's extension of a PCK certificate. Throws CertificateError. */
export const readSgxExtensions: (certificate: Certificate) => SgxExtensions = oncePer(
  (certificate: Certificate) => {
    const extension = certificate.extensions.get(SGX)
    if (!extension) throw new CertificateError('extension-malformed')
    return certificateFaults(() => {
      const found = new Map<string, DerReader>()
      const sequence = enterSole(extension.value, tags.sequence)
      while (!sequence.atEnd()) {
        const pair = sequence.enter(tags.sequence)
        const id = decodeObjectIdentifier(pair.content(tags.objectIdentifier))
        if (found.has(id) || found.size === MAX_EXTENSIONS) throw new CertificateError('extension-malformed')
        found.set(id, pair)
      }
      return {
        ppid: readOctets(found.get(ids.ppid), 16),
        pceId: readOctets(found.get(ids.pceId), 2),
        fmspc: readOctets(found.get(ids.fmspc), 6),
        ...readTcb(found.get(ids.tcb)),
      }
    })
  },
)

/** Exactly the 16 components, PCESVN and CPUSVN, in their order. */
function readTcb(pair: DerReader | undefined): Pick<SgxExtensions, 'components' | 'pceSvn'> {
  if (!pair) throw new CertificateError('extension-malformed')
  const tcb = pair.enter(tags.sequence)
  pair.end()
  const versions: number[] = []
  for (let arc = 1; arc <= TCB_ARCS; arc++) {
    const version = tcb.enter(tags.sequence)
    if (decodeObjectIdentifier(version.content(tags.objectIdentifier)) !== `${ids.tcb}.${arc}`)
      throw new CertificateError('extension-malformed')
    if (arc === CPU_SVN_ARC) readOctets(version, 16)
    else versions.push(readVersion(version, arc === PCE_SVN_ARC ? 0xffff : 0xff))
  }
  tcb.end()
  return { components: versions.slice(0, TCB_COMPONENTS), pceSvn: versions[TCB_COMPONENTS] ?? 0 }
}

function readVersion(pair: DerReader, limit: number): number {
  const version = decodeSmallInteger(pair.content(tags.integer))
  pair.end()
  if (version > limit) throw new CertificateError('extension-malformed')
  return version
}

function readOctets(pair: DerReader | undefined, length: number): string {
  const octets = pair?.content(tags.octetString)
  pair?.end()
  if (octets?.length !== length) throw new CertificateError('extension-malformed')
  return toHex(octets)
}
