import { secp256k1 } from '@noble/curves/secp256k1.js'

/** A wallet that can be asked to pay (NIP-47). */
export interface WalletAddress {
  /** x-only, hexadecimal. */
  readonly walletPublicKey: string
  /** `ws://` on loopback: the sandbox reaches nothing else. */
  readonly relay: string
  readonly secretKey: Uint8Array
}

const loopback = new Set(['127.0.0.1', '[::1]'])

/** @returns the problem with an invalid connection string, without its secret */
export function readConnectionString(text: string): WalletAddress | { readonly fault: string } {
  const match = /^nostr\+?walletconnect:(?:\/\/)?(?<key>[0-9a-f]{64})\?(?<query>\S+)$/.exec(text)?.groups
  if (!match) return { fault: 'must be nostr+walletconnect://<64 hex digits>?relay=…&secret=…' }
  const { key = '', query = '' } = match
  const parameters = new URLSearchParams(query)
  const [secret = '', ...others] = parameters.getAll('secret')
  if (!/^[0-9a-f]{64}$/.test(secret) || others.length > 0)
    return { fault: 'must have one secret of 64 hex digits' }
  const secretKey = Buffer.from(secret, 'hex')
  if (!secp256k1.utils.isValidSecretKey(secretKey) || !isPoint(key))
    return { fault: 'must have valid secp256k1 keys' }
  const relays = parameters.getAll('relay')
  if (relays.length === 0) return { fault: 'must include a relay' }
  const relay = relays.find(
    (address) =>
      URL.canParse(address) && new URL(address).protocol === 'ws:' && loopback.has(new URL(address).hostname),
  )
  return relay === undefined
    ? { fault: 'must include a relay on this computer, because the sandbox connects to no other' }
    : { walletPublicKey: key, relay, secretKey }
}

function isPoint(xOnly: string): boolean {
  try {
    secp256k1.Point.fromHex(`02${xOnly}`)
    return true
  } catch {
    return false
  }
}
