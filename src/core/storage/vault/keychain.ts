import { secretBytes } from './secret-bytes.ts'

/** What the vault needs of a keychain: one small item. Every call may reject, and may hang while the system asks its user. */
export interface Keychain {
  /** null: no such item. Some keychains answer so too while they are locked. */
  get(account: string): Promise<Uint8Array | null>
  set(account: string, secret: Uint8Array): Promise<void>
  delete(account: string): Promise<void>
}

/**
 * What a keychain showed when it was asked. `locked`: it is there, and its user has not opened it. `absent`: nothing answers.
 * `refused`: it answers, and does not let Sotto keep anything.
 */
export type KeychainFinding = 'working' | 'locked' | 'absent' | 'refused'

const SERVICE = 'Sotto'
/** A locked keychain was seen to hang for over 12 s, waiting for a prompt that nobody answers. */
const TIME_LIMIT_MS = 3_000

/** macOS Keychain, Windows Credential Manager, or the Secret Service. The library is loaded by the first call. */
export function systemKeychain(): Keychain {
  const entry = async (account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    // Without the pin Linux falls back to the kernel's keyring, which is lost at reboot.
    return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } })
  }
  return {
    async get(account) {
      const secret = await (await entry(account)).getSecret()
      if (secret === null) return null
      const copy = secretBytes(secret)
      secret.fill(0)
      return copy
    },
    async set(account, secret) {
      await (await entry(account)).setSecret(secret)
    },
    async delete(account) {
      await (await entry(account)).deleteCredential()
    },
  }
}

/**
 * The same keychain, whose calls reject after the time limit. A read that is still under way is joined and not repeated:
 * each one that hangs occupies a thread of Node's pool.
 */
export function limitTime(keychain: Keychain, milliseconds = TIME_LIMIT_MS): Keychain {
  const reads = new Map<string, Promise<Uint8Array | null>>()
  const read = (account: string) => {
    const reading = reads.get(account) ?? keychain.get(account).finally(() => reads.delete(account))
    reads.set(account, reading)
    return reading
  }
  return {
    get: (account) => within(milliseconds, read(account)),
    async set(account, secret) {
      const writing = keychain.set(account, secret)
      try {
        await within(milliseconds, writing)
      } catch (error) {
        // Nobody counts on an item that comes too late.
        writing.then(() => keychain.delete(account)).catch(() => undefined)
        throw error
      }
    },
    delete: (account) => within(milliseconds, keychain.delete(account)),
  }
}

/** Finds out by an item that is written and read back. One that is not kept is taken back, as far as that goes. */
export async function roundTrip(
  keychain: Keychain,
  account: string,
  secret: Uint8Array,
): Promise<KeychainFinding> {
  try {
    await keychain.set(account, secret)
  } catch (error) {
    return findingOf(error)
  }
  const back = await keychain.get(account).catch(() => null)
  if (back && Buffer.compare(back, secret) === 0) return 'working'
  keychain.delete(account).catch(() => undefined)
  return 'refused'
}

/** As @napi-rs/keyring says it on Linux, and the systems' own words on the others. */
export function findingOf(error: unknown): Exclude<KeychainFinding, 'working'> {
  const says = error instanceof Error ? error.message : ''
  if (
    error instanceof KeychainSilent ||
    /dismissed|no result found|is locked|interaction is not allowed/i.test(says)
  )
    return 'locked'
  return /dbus|no default keychain|not available/i.test(says) ? 'absent' : 'refused'
}

class KeychainSilent extends Error {
  override name = 'KeychainSilent'
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => limit.reject(new KeychainSilent('The keychain does not answer.')),
    milliseconds,
  )
  try {
    return await Promise.race([promise, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
