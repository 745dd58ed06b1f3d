import { secretBytes } from './secret-bytes.ts'

/**
 * The methods that the vault needs of a keychain, for one small item. Every call may reject, and may hang
 * while the system prompts the user.
 */
export interface Keychain {
  /** null: no such item. Some keychains also return null while they are locked. */
  get(account: string): Promise<Uint8Array | null>
  set(account: string, secret: Uint8Array): Promise<void>
  delete(account: string): Promise<void>
}

/**
 * The state of a keychain. `locked`: it exists, and the user hasn't unlocked it. `absent`: no keychain
 * answers. `refused`: it answers, but doesn't let Sotto store anything.
 */
export type KeychainFinding = 'working' | 'locked' | 'absent' | 'refused'

const SERVICE = 'Sotto'
/** A locked keychain was observed to hang for over 12 s, waiting for a prompt that wasn't answered. */
const TIME_LIMIT_MS = 3_000

/** macOS Keychain, Windows Credential Manager, or the Secret Service. The first call loads the library. */
export function systemKeychain(): Keychain {
  const entry = async (account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    // Without this option, Linux falls back to the kernel's keyring, which is lost at reboot.
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
 * A keychain whose calls reject after the time limit. A call joins a read in progress and doesn't repeat
 * it, because each read that hangs occupies a thread of Node's pool.
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
        // No code uses an item that is stored after the time limit.
        writing.then(() => keychain.delete(account)).catch(() => undefined)
        throw error
      }
    },
    delete: (account) => within(milliseconds, keychain.delete(account)),
  }
}

/**
 * Tests the keychain with an item that is written and read back. If it isn't stored correctly, removes it
 * as far as possible.
 */
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

/** Classifies the messages of @napi-rs/keyring on Linux, and of the operating system elsewhere. */
export function findingOf(error: unknown): Exclude<KeychainFinding, 'working'> {
  const message = error instanceof Error ? error.message : ''
  if (
    error instanceof KeychainSilent ||
    /dismissed|no result found|is locked|interaction is not allowed/i.test(message)
  )
    return 'locked'
  return /dbus|no default keychain|not available/i.test(message) ? 'absent' : 'refused'
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
