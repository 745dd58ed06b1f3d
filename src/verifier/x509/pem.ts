import { decodeBase64 } from '../base64.ts'
import { parseTextOnce } from '../parse-once.ts'
import { CertificateError } from './error.ts'

const MAX_PEM = 64 * 1024
/** RFC 7468 section 3: lines of 64 characters, the last one shorter; nothing around the blocks but white space. */
const BLOCK =
  /-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/]{64}\r?\n)*[A-Za-z0-9+/=]{1,64})\r?\n-----END CERTIFICATE-----(?:\r?\n|$)\s*/y

/** The DER of each CERTIFICATE block of a text that holds nothing else, of at most 64 KiB. Throws CertificateError `pem`, `too-large`. */
export const certificatesFromPem: (text: string) => readonly Uint8Array[] = parseTextOnce(readPem)

function readPem(text: string): Uint8Array[] {
  if (text.length > MAX_PEM) throw new CertificateError('too-large')
  const certificates: Uint8Array[] = []
  BLOCK.lastIndex = 0
  while (BLOCK.lastIndex < text.length) {
    const der = decodeBase64(BLOCK.exec(text)?.[1]?.replace(/\r?\n/g, '') ?? '')
    if (!der || der.length === 0) throw new CertificateError('pem')
    certificates.push(der)
  }
  if (certificates.length === 0) throw new CertificateError('pem')
  return certificates
}
