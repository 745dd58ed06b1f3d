import type { NitroPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { AttestedKeys } from '../report-data.ts'
import { fail, passed, passUnless, type Finding } from '../steps.ts'
import { toHex, type Text } from '../text.ts'
import type { NitroDocument } from './document.ts'

/** PCR0 measures the whole image, PCR1 its kernel and boot RAM disk, PCR2 the application. */
const REGISTERS = [
  ['pcr0', 0],
  ['pcr1', 1],
  ['pcr2', 2],
] as const

/** In debug mode, an enclave's registers are zero, whatever it runs. No policy can name them. */
export function checkDebug({ pcrs }: NitroDocument): Finding {
  const debug = pcrs.get(0)?.every((byte) => byte === 0) ?? false
  return passUnless(
    debug ? 'nitro/debug-enclave' : undefined,
    msg('a measured image'),
    debug ? msg('a PCR0 of zeros: debug mode') : msg('a measured image'),
  )
}

/** Compares the registers of an authenticated document with the images of the policy. */
export function checkImage({ pcrs }: NitroDocument, { images }: NitroPolicy): Finding {
  const accepted = images.some((image) =>
    REGISTERS.every(([name, index]) => {
      const pinned = image[name]
      return pinned === undefined || pinned === hexOf(pcrs.get(index))
    }),
  )
  const observed = REGISTERS.map(([name, index]) => `${name} ${hexOf(pcrs.get(index)) ?? '–'}`).join(', ')
  return passUnless(
    accepted ? undefined : 'nitro/image-not-accepted',
    images.map(describeImage).join('; '),
    observed,
  )
}

function describeImage(image: NitroPolicy['images'][number]): string {
  return REGISTERS.flatMap(([name]) => (image[name] === undefined ? [] : [`${name} ${image[name]}`])).join(
    ', ',
  )
}

function hexOf(pcr: Uint8Array | undefined): string | undefined {
  return pcr && toHex(pcr)
}

const KEY_BYTES = 32

/**
 * The keys that the document binds to the hardware: `public_key` is the enclave's raw X25519 key, `user_data` the SHA-256 of the DER
 * SubjectPublicKeyInfo of its TLS key. Both are required.
 */
export function readKeys({ publicKey, userData }: NitroDocument): Finding<AttestedKeys> {
  const expected = msg('an encryption key and the fingerprint of a TLS key, of 32 bytes each')
  if (!publicKey || !isKey(publicKey))
    return fail('nitro/hpke-key-missing', expected, describe('public_key', publicKey))
  if (!userData || !isKey(userData))
    return fail('nitro/tls-key-missing', expected, describe('user_data', userData))
  return passed(expected, expected, { hpkePublicKey: publicKey, tlsKeyFingerprint: userData })
}

/** 32 zeros are no key and no fingerprint. */
function isKey(bytes: Uint8Array): boolean {
  return bytes.length === KEY_BYTES && bytes.some((byte) => byte !== 0)
}

function describe(name: string, bytes: Uint8Array | undefined): Text {
  return bytes ? msg('a {name} of {count} bytes', { name, count: bytes.length }) : msg('no {name}', { name })
}
