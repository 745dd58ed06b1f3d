import { decodeString, tags } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import {
  basicConstraints, extendedKeyUsage, extensionElement, extensionIds, parseCertificate, subjectAlternativeNames, unknownCriticalExtension, type Certificate,
} from '../x509/index.ts'
import { SigstoreRefusal } from './refusal.ts'

/** What a certificate of Fulcio says of the workflow that it was issued to; nothing of it is authenticated by reading it. */
export interface FulcioCertificate {
  /** The only subject alternative name, a URI. */
  readonly subject: string
  readonly issuer: string | undefined
  /** `owner/name` of the repository that the workflow ran for. */
  readonly repository: string | undefined
  readonly ref: string | undefined
  readonly buildSigner: string | undefined
  readonly runnerEnvironment: string | undefined
  readonly source: { readonly repository: string | undefined; readonly digest: string | undefined; readonly ref: string | undefined }
  /** Hex ids of the logs whose signed certificate timestamps are embedded, in order. */
  readonly sctLogs: readonly string[]
  /** An end entity whose key may sign code. */
  readonly forCodeSigning: boolean
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
}

/** github.com/sigstore/fulcio, docs/oid-info.md. Up to .6 the value is the bare text; from .8 on it is a UTF8String. */
const FULCIO = '1.3.6.1.4.1.57264.1'
/** RFC 6962 section 3.3. */
const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2'
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const UNDERSTOOD = Object.values(extensionIds)

/** Throws SigstoreRefusal `sigstore/bundle-malformed`. */
export function readFulcioCertificate(der: Uint8Array): FulcioCertificate {
  try {
    return readClaims(parseCertificate(der))
  } catch {
    throw new SigstoreRefusal('sigstore/bundle-malformed', 'a certificate that cannot be read')
  }
}

const readClaims = oncePer((certificate: Certificate): FulcioCertificate => {
  const names = subjectAlternativeNames(certificate)
  const [name] = names
  return {
    subject: names.length === 1 && name?.kind === 'uri' ? name.value : '',
    // The newer form decides where both stand.
    issuer: textExtension(certificate, 8) ?? bareExtension(certificate, 1),
    repository: bareExtension(certificate, 5),
    ref: bareExtension(certificate, 6),
    buildSigner: textExtension(certificate, 9),
    runnerEnvironment: textExtension(certificate, 11),
    source: { repository: textExtension(certificate, 12), digest: textExtension(certificate, 13), ref: textExtension(certificate, 14) },
    sctLogs: readSctLogs(certificate),
    forCodeSigning: extendedKeyUsage(certificate)?.includes(CODE_SIGNING) === true
      && basicConstraints(certificate)?.certificateAuthority !== true
      && unknownCriticalExtension(certificate, UNDERSTOOD) === undefined,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
  }
})

function bareExtension(certificate: Certificate, number: number): string | undefined {
  const extension = certificate.extensions.get(`${FULCIO}.${number}`)
  return extension && decodeString(tags.utf8String, extension.value)
}

function textExtension(certificate: Certificate, number: number): string | undefined {
  const content = extensionElement(certificate, `${FULCIO}.${number}`, tags.utf8String)
  return content && decodeString(tags.utf8String, content)
}

/** The SignedCertificateTimestampList of RFC 6962 section 3.3: of each entry, the log's id. */
function readSctLogs(certificate: Certificate): string[] {
  const list = extensionElement(certificate, SCT_LIST, tags.octetString)
  if (!list) return []
  const { buffer, byteOffset, byteLength } = list
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  if (bytes.readUInt16BE(0) !== bytes.length - 2) throw new RangeError('SCT list length')
  const logs: string[] = []
  for (let at = 2; at < bytes.length;) {
    const end = at + 2 + bytes.readUInt16BE(at)
    // A version of one byte, then the log's id.
    const id = bytes.subarray(at + 3, at + 35)
    if (end > bytes.length || at + 35 > end) throw new RangeError('SCT length')
    logs.push(id.toString('hex'))
    at = end
  }
  return logs
}
