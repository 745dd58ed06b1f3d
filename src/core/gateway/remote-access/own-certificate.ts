import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'

/** Browsers and Apple's systems take no certificate that lives longer (825 days); this one ends well before. */
const LIFE_MS = 365 * 24 * 3_600_000
/** A certificate this close to its end is made anew at the next start. */
const RENEW_AHEAD_MS = 30 * 24 * 3_600_000
const NAME = 'tls-certificate'

/** PEM texts. */
export interface TlsCertificate {
  readonly certificate: string
  readonly key: string
}

/** Where it is kept: the vault. */
export interface SecretPlace {
  /** @returns a copy, which the caller may zero */
  get(name: string): Promise<Uint8Array | null>
  /** Copies the value, which the caller may zero. */
  set(name: string, value: Uint8Array): Promise<void>
}

const storedSchema = z.object({ certificate: z.string(), key: z.string(), names: z.array(z.string()) })

/** Sotto's own certificate for these names and addresses: the kept one while it lasts, else one made now and kept. */
export async function ownCertificate(
  place: SecretPlace,
  names: readonly string[],
  now: number,
): Promise<TlsCertificate> {
  const kept = readStored(await place.get(NAME))
  if (
    kept &&
    kept.names.join(' ') === names.join(' ') &&
    Date.parse(new X509Certificate(kept.certificate).validTo) - now > RENEW_AHEAD_MS
  )
    return kept
  const { makeCertificate } = await import('./make-certificate.ts')
  const made = await makeCertificate(
    names.map((name) => ({ name, address: isIP(name) !== 0 })),
    { notBefore: now - 3_600_000, notAfter: now + LIFE_MS },
  )
  const text = JSON.stringify({ ...made, names })
  const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  try {
    await place.set(NAME, bytes)
  } finally {
    bytes.fill(0)
  }
  return made
}

/** SHA-256 of the certificate, as browsers and other programs show it. Throws where the two do not belong together. */
export function fingerprintOf({ certificate, key }: TlsCertificate): string {
  const leaf = new X509Certificate(certificate)
  if (!leaf.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not the certificate’s')
  return leaf.fingerprint256
}

/** @param bytes - zeroed, since they hold the private key */
function readStored(bytes: Uint8Array | null): z.infer<typeof storedSchema> | undefined {
  if (!bytes) return undefined
  try {
    // A view: a copy in Node's shared pool would stay.
    return storedSchema.parse(
      JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
    )
  } catch {
    return undefined
  } finally {
    // The caller's copy: what stays in memory are the texts, for as long as the address is open.
    bytes.fill(0)
  }
}
