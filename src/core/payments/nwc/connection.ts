import { secp256k1, schnorr } from '@noble/curves/secp256k1.js'
import { SottoError } from '../../../shared/errors.ts'
import { isLoopback } from '../../../shared/loopback.ts'
import { msg, type LocalizedText } from '../../../shared/localized-text.ts'

const longest = 2048
const mostRelays = 10
const hex64 = /^[0-9a-f]{64}$/

/**
 * A wallet connection (NIP-47). Its secret spends money, so no enumerable property, printed text or JSON
 * contains it.
 */
export class NwcConnection {
  /** The wallet's key, x-only, 64 hex digits. */
  readonly publicKey: string
  /** The key of this connection, x-only, 64 hex digits. */
  readonly clientPublicKey: string
  /** `wss://…`; `ws://…` on loopback. */
  readonly relays: readonly string[]
  readonly #secret: string

  constructor(publicKey: string, relays: readonly string[], secret: string) {
    this.publicKey = publicKey
    this.relays = relays
    this.#secret = secret
    this.clientPublicKey = withBytes(secret, (bytes) =>
      Buffer.from(schnorr.getPublicKey(bytes)).toString('hex'),
    )
  }

  /** With their ports, if they aren't the default. */
  get relayHosts(): string[] {
    return this.relays.map((relay) => new URL(relay).host)
  }

  /** Calls `use` with the 32 bytes of the spending key, which are zeroed when it returns. */
  withSecret<T>(use: (secret: Uint8Array) => T): T {
    return withBytes(this.#secret, use)
  }

  /** Returns the whole connection in its plain form: for the vault, or for a service that gets it. */
  revealText(): string {
    const relays = this.relays.map((relay) => `relay=${encodeURIComponent(relay)}`)
    return `nostr+walletconnect://${this.publicKey}?${relays.join('&')}&secret=${this.#secret}`
  }
}

/**
 * Parses a connection string. An attacker may control all of it, so it's refused unless it can be read in
 * only one way.
 * @throws {SottoError} wallet/connection-invalid – its text quotes nothing of the string
 */
export function readNwcConnection(text: string): NwcConnection {
  if (text.length > longest) throw invalid(msg('It exceeds the length limit.'))
  const { publicKey, query } =
    /^nostr\+?walletconnect:(?:\/\/)?(?<publicKey>[0-9a-f]{64})\?(?<query>[!-"$-~]+)$/.exec(text.trim())
      ?.groups ?? {}
  if (publicKey === undefined || query === undefined)
    throw invalid(msg('The expected format is nostr+walletconnect://<64 hex digits>?relay=…&secret=….'))
  if (!isPoint(publicKey)) throw invalid(msg('The connection doesn’t name a valid wallet.'))
  const parameters = new URLSearchParams(query)
  const [secret, ...others] = parameters.getAll('secret')
  if (secret === undefined) throw invalid(msg('The connection has no secret.'))
  if (others.length > 0) throw invalid(msg('The connection has more than one secret.'))
  if (!hex64.test(secret) || !withBytes(secret, (bytes) => secp256k1.utils.isValidSecretKey(bytes)))
    throw invalid(msg('The connection’s secret is invalid.'))
  return new NwcConnection(publicKey, relaysOf(parameters.getAll('relay')), secret)
}

/** Whether both spend with the same key. */
export function isSameConnection(one: NwcConnection, other: NwcConnection): boolean {
  return one.publicKey === other.publicKey && one.clientPublicKey === other.clientPublicKey
}

/** Calls `use` with the bytes of a secret, outside Node's shared pool, and zeroes them afterwards. */
function withBytes<T>(hex: string, use: (bytes: Uint8Array) => T): T {
  const bytes = Buffer.from(new ArrayBuffer(hex.length / 2))
  bytes.write(hex, 'hex')
  try {
    return use(bytes)
  } finally {
    bytes.fill(0)
  }
}

function relaysOf(addresses: readonly string[]): string[] {
  if (addresses.length === 0) throw invalid(msg('The connection has no relay.'))
  const relays = new Set(
    addresses.map((address) => {
      if (!URL.canParse(address)) throw invalid(msg('A relay address is invalid.'))
      const url = new URL(address)
      if (url.protocol !== 'wss:' && !(url.protocol === 'ws:' && isLoopback(url.hostname)))
        throw invalid(msg('A relay connection would be unencrypted.'))
      if (url.username !== '' || url.password !== '' || url.hash !== '')
        throw invalid(msg('A relay address contains a username, password, or fragment.'))
      return url.href
    }),
  )
  if (relays.size > mostRelays) throw invalid(msg('The connection has too many relays.'))
  return [...relays]
}

function isPoint(xOnly: string): boolean {
  try {
    secp256k1.Point.fromHex(`02${xOnly}`)
    return true
  } catch {
    return false
  }
}

function invalid(detail: LocalizedText): SottoError {
  return new SottoError('wallet/connection-invalid', { detail })
}
