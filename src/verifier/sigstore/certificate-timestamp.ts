import { hash } from 'node:crypto'
import { decodeObjectIdentifier, DerReader, encodeDer, enterSole, tags } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import { extensionElement, type Certificate } from '../x509/index.ts'
import { isLogSignature } from './checkpoint.ts'
import { within, type TrustedLog } from './trusted-root.ts'

/** A log's signed promise that it saw a certificate (SignedCertificateTimestamp, RFC 6962 section 3.2). */
export interface CertificateTimestamp {
  readonly version: number
  readonly logId: Buffer
  /** Unix ms as 64 bits. */
  readonly time: Buffer
  readonly extensions: Buffer
  /** HashAlgorithm and SignatureAlgorithm of TLS 1.2 (RFC 5246 section 7.4.1.4.1). */
  readonly hash: number
  readonly scheme: number
  readonly signature: Buffer
}

/** RFC 6962 section 3.3. */
const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2'
const VERSION_1 = 0
const CERTIFICATE_TIMESTAMP = 0
const PRECERTIFICATE_ENTRY = 1
const SHA_256 = 4
const SCHEMES: Readonly<Record<string, number>> = { rsa: 1, ec: 3 }

/** Reads the timestamps inside a certificate, in order. Throws CertificateError, RangeError. */
export function readCertificateTimestamps(certificate: Certificate): CertificateTimestamp[] {
  const extension = extensionElement(certificate, SCT_LIST, tags.octetString)
  if (!extension) return []
  const list = new TlsReader(new TlsReader(Buffer.from(extension)).sole())
  const timestamps: CertificateTimestamp[] = []
  while (!list.atEnd()) timestamps.push(readTimestamp(new TlsReader(list.vector())))
  return timestamps
}

function readTimestamp(fields: TlsReader): CertificateTimestamp {
  return {
    version: fields.number(1),
    logId: fields.bytes(32),
    time: fields.bytes(8),
    extensions: fields.vector(),
    hash: fields.number(1),
    scheme: fields.number(1),
    signature: fields.sole(),
  }
}

/**
 * Whether a trusted log signed this timestamp for this certificate, at a time when the log was in force.
 *
 * @param issuer of the certificate: the log signs a hash of the issuer's key
 */
export function isCertificateLogged(
  timestamp: CertificateTimestamp,
  certificate: Certificate,
  issuer: Certificate,
  logs: readonly TrustedLog[],
): boolean {
  const { version, logId, time, hash: hashedWith, scheme, signature } = timestamp
  const log = logs.find(
    ({ id, inForce }) => id.equals(logId) && within(inForce, Number(time.readBigUInt64BE())),
  )
  // RFC 6962 section 2.1.4: logs sign with SHA-256, by ECDSA or RSA.
  if (
    !log ||
    version !== VERSION_1 ||
    hashedWith !== SHA_256 ||
    scheme !== SCHEMES[log.key.asymmetricKeyType ?? '']
  )
    return false
  return isLogSignature(log, signedBytes(timestamp, certificate, issuer), signature)
}

/** The digitally-signed struct of RFC 6962 section 3.2, for a precertificate. */
function signedBytes(
  { version, time, extensions }: CertificateTimestamp,
  certificate: Certificate,
  issuer: Certificate,
): Buffer {
  const precertificate = precertificateOf(certificate)
  return Buffer.concat([
    Buffer.of(version, CERTIFICATE_TIMESTAMP),
    time,
    bigEndian(PRECERTIFICATE_ENTRY, 2),
    hash('sha256', issuer.publicKeyInfo, 'buffer'),
    bigEndian(precertificate.length, 3),
    precertificate,
    bigEndian(extensions.length, 2),
    extensions,
  ])
}

function bigEndian(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

/**
 * The precertificate that the log signed: the certificate's signed part without the list of timestamps,
 * otherwise byte for byte.
 */
const precertificateOf = oncePer(({ tbs }: Certificate): Buffer => {
  const fields = enterSole(tbs, tags.sequence)
  const before: Uint8Array[] = []
  while (fields.nextTag !== tags.constructed(3)) before.push(fields.any().bytes)
  const extensions = fields.enter(tags.constructed(3)).enter(tags.sequence)
  const others: Uint8Array[] = []
  while (!extensions.atEnd()) {
    const { bytes, content } = extensions.element(tags.sequence)
    if (decodeObjectIdentifier(new DerReader(content).content(tags.objectIdentifier)) !== SCT_LIST)
      others.push(bytes)
  }
  return encodeDer(
    tags.sequence,
    ...before,
    encodeDer(tags.constructed(3), encodeDer(tags.sequence, ...others)),
  )
})

/**
 * Reads the presentation language of TLS (RFC 5246 section 4): numbers, fixed bytes and vectors of up to 64
 * KiB. Throws RangeError.
 */
class TlsReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  bytes(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('a TLS structure that ends too early')
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }

  /** Big-endian, of one or two bytes. */
  number(length: number): number {
    return this.bytes(length).reduce((value, byte) => value * 256 + byte, 0)
  }

  vector(): Buffer {
    return this.bytes(this.number(2))
  }

  /** Reads a vector that takes all the remaining bytes. */
  sole(): Buffer {
    const vector = this.vector()
    if (!this.atEnd()) throw new RangeError('a TLS structure with bytes left over')
    return vector
  }
}
