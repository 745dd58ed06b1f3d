import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'

/**
 * Browsers and Apple's systems refuse a certificate that is valid for longer than 825 days. This one expires
 * well before.
 */
const LIFE_MS = 365 * 24 * 3_600_000
/** If a certificate expires this soon, Sotto creates a new one at its next start. */
const RENEW_AHEAD_MS = 30 * 24 * 3_600_000
const NAME = 'tls-certificate'

/** PEM texts. */
export interface TlsCertificate {
  readonly certificate: string
  readonly key: string
}

/** Stores the certificate with its private key: the vault. */
export interface SecretPlace {
  /** @returns a copy, which the caller may zero */
  get(name: string): Promise<Uint8Array | null>
  /** Copies the value, which the caller may zero. */
  set(name: string, value: Uint8Array): Promise<void>
}

const storedSchema = z.object({ certificate: z.string(), key: z.string(), names: z.array(z.string()) })

/**
 * Returns Sotto's certificate for these names and addresses: the stored one while it's valid, otherwise a new
 * one, which is stored.
 */
export async function ownCertificate(
  place: SecretPlace,
  names: readonly string[],
  now: number,
): Promise<TlsCertificate> {
  const stored = readStored(await place.get(NAME))
  if (
    stored &&
    stored.names.join(' ') === names.join(' ') &&
    Date.parse(new X509Certificate(stored.certificate).validTo) - now > RENEW_AHEAD_MS
  )
    return stored
  const { makeCertificate } = await import('./make-certificate.ts')
  const created = await makeCertificate(
    names.map((name) => ({ name, address: isIP(name) !== 0 })),
    { notBefore: now - 3_600_000, notAfter: now + LIFE_MS },
  )
  const text = JSON.stringify({ ...created, names })
  const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  try {
    await place.set(NAME, bytes)
  } finally {
    bytes.fill(0)
  }
  return created
}

/**
 * Returns the SHA-256 of the certificate, as browsers and other programs show it.
 * @throws {Error} if the key doesn't belong to the certificate
 */
export function fingerprintOf({ certificate, key }: TlsCertificate): string {
  const leaf = new X509Certificate(certificate)
  if (!leaf.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not the certificate’s')
  return leaf.fingerprint256
}

/** @param bytes zeroed, because they contain the private key */
function readStored(bytes: Uint8Array | null): z.infer<typeof storedSchema> | undefined {
  if (!bytes) return undefined
  try {
    // A view, because a copy in Node's shared pool would remain after the caller zeroes its bytes.
    return storedSchema.parse(
      JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
    )
  } catch {
    return undefined
  } finally {
    // Zeroes the caller's copy. The parsed texts remain in memory while the address is open.
    bytes.fill(0)
  }
}
