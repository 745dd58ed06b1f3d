import { msg } from '../message.ts'
import { decodeString, tags } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import {
  basicConstraints,
  extendedKeyUsage,
  extensionElement,
  extensionIds,
  subjectAlternativeNames,
  unknownCriticalExtension,
  type Certificate,
} from '../x509/index.ts'
import { readCertificateTimestamps, type CertificateTimestamp } from './certificate-timestamp.ts'
import { SigstoreRefusal } from './refusal.ts'

/**
 * The claims of a Fulcio certificate about the workflow that it was issued to. Reading them authenticates
 * nothing.
 */
export interface FulcioCertificate {
  /** The only subject alternative name, a URI. */
  readonly subject: string
  readonly issuer: string | undefined
  /** `owner/name` of the repository that the workflow ran for. */
  readonly repository: string | undefined
  readonly ref: string | undefined
  readonly buildSigner: string | undefined
  readonly runnerEnvironment: string | undefined
  readonly source: {
    readonly repository: string | undefined
    readonly digest: string | undefined
    readonly ref: string | undefined
  }
  readonly certificateTimestamps: readonly CertificateTimestamp[]
  /** Whether this is an end entity's certificate whose key may sign code. */
  readonly forCodeSigning: boolean
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
}

/** github.com/sigstore/fulcio, docs/oid-info.md. Up to .6 the value is the bare text; from .8 on it is a UTF8String. */
const FULCIO = '1.3.6.1.4.1.57264.1'
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const UNDERSTOOD = Object.values(extensionIds)

/** Throws SigstoreRefusal `sigstore/bundle-malformed`. */
export function readFulcioCertificate(certificate: Certificate): FulcioCertificate {
  try {
    return readClaims(certificate)
  } catch {
    throw new SigstoreRefusal('sigstore/bundle-malformed', msg('a certificate that can’t be read'))
  }
}

const readClaims = oncePer((certificate: Certificate): FulcioCertificate => {
  const names = subjectAlternativeNames(certificate)
  const [name] = names
  return {
    subject: names.length === 1 && name?.kind === 'uri' ? name.value : '',
    // If both are present, the newer form decides.
    issuer: textExtension(certificate, 8) ?? bareExtension(certificate, 1),
    repository: bareExtension(certificate, 5),
    ref: bareExtension(certificate, 6),
    buildSigner: textExtension(certificate, 9),
    runnerEnvironment: textExtension(certificate, 11),
    source: {
      repository: textExtension(certificate, 12),
      digest: textExtension(certificate, 13),
      ref: textExtension(certificate, 14),
    },
    certificateTimestamps: readCertificateTimestamps(certificate),
    forCodeSigning:
      extendedKeyUsage(certificate)?.includes(CODE_SIGNING) === true &&
      basicConstraints(certificate)?.certificateAuthority !== true &&
      unknownCriticalExtension(certificate, UNDERSTOOD) === undefined,
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
