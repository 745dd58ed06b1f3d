import { verify } from 'node:crypto'
import { publicKeyFromSpki } from '../x509/index.ts'

/** RFC 8032, 7.1, test 2; the key after the head of an Ed25519 SubjectPublicKeyInfo (RFC 8410, 4). */
const PUBLIC_KEY = Buffer.from(
  '302a300506032b6570032100' + '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  'hex',
)
const MESSAGE = Buffer.from('72', 'hex')
const SIGNATURE = Buffer.from(
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  'hex',
)

/** Whether the RFC's signature holds for its message, and for no other: logs of signatures sign with such keys, and no minted evidence has one. */
export function knowsEd25519(): boolean {
  const key = publicKeyFromSpki(PUBLIC_KEY)
  return (
    key !== undefined &&
    verify(null, MESSAGE, key, SIGNATURE) &&
    !verify(null, Buffer.from('73', 'hex'), key, SIGNATURE)
  )
}
