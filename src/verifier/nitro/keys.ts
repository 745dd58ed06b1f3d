import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import type { AttestedKeys } from '../report-data.ts'
import type { Text } from '../text.ts'
import type { NitroDocument } from './document.ts'
import type { NitroKeyStep } from './plan.ts'

const KEY_BYTES = 32

/**
 * What the document binds to the hardware: `public_key` is the enclave's raw X25519 key, `user_data` the SHA-256 of the DER
 * SubjectPublicKeyInfo of its TLS key. Without both there is nobody to talk to.
 */
export function checkKeys(
  checks: Checklist<NitroKeyStep>,
  { publicKey, userData }: NitroDocument,
): AttestedKeys {
  const expected = msg('an encryption key and the fingerprint of a TLS key, of 32 bytes each')
  if (!publicKey || !isKey(publicKey))
    return checks.fail('nitro/keys', 'nitro/hpke-key-missing', expected, describe('public_key', publicKey))
  if (!userData || !isKey(userData))
    return checks.fail('nitro/keys', 'nitro/tls-key-missing', expected, describe('user_data', userData))
  checks.pass('nitro/keys', expected, expected)
  return { hpkePublicKey: publicKey, tlsKeyFingerprint: userData }
}

/** 32 zeros are no key and no fingerprint. */
function isKey(bytes: Uint8Array): boolean {
  return bytes.length === KEY_BYTES && bytes.some((byte) => byte !== 0)
}

function describe(name: string, bytes: Uint8Array | undefined): Text {
  return bytes ? msg('a {name} of {count} bytes', { name, count: bytes.length }) : msg('no {name}', { name })
}
