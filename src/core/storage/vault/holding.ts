import { randomBytes } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { findingOf, roundTrip, type Keychain, type KeychainFinding } from './keychain.ts'
import { secretBytes } from './secret-bytes.ts'
import { masterFromPassphrase, newId, opens, SCRYPT, vaultKey, type VaultKey } from './vault-key.ts'
import {
  decryptSecrets,
  readVaultFile,
  writeVaultFile,
  type Secrets,
  type VaultFile,
  type VaultHeader,
} from './vault-file.ts'
import type { VaultMode } from './vault.ts'

/** The storage of a folder's secrets, its state, and the state of the keychain if it was examined. */
export type Holding = { readonly keychain?: KeychainFinding } & HoldingState

type HoldingState =
  | {
      readonly kind: 'keychain' | 'file'
      readonly state: 'open'
      readonly secrets: Secrets
      readonly header: VaultHeader
      readonly key: VaultKey
    }
  | { readonly kind: 'memory'; readonly state: 'open'; readonly secrets: Secrets }
  | {
      readonly kind: 'keychain' | 'file'
      readonly state: 'locked' | 'damaged' | 'passphrase-needed'
      readonly wrongPassphrase?: true
    }

export interface Place {
  readonly folder: string
  readonly keychain: Keychain
}

/**
 * Finds the storage of the folder's secrets, or creates it according to the mode. Throws
 * `vault/unavailable` if the mode isn't available, and `store/unwritable`.
 */
export async function createHolding(mode: VaultMode, place: Place, passphrase?: string): Promise<Holding> {
  if (mode === 'memory') return { kind: 'memory', state: 'open', secrets: new Map() }
  const file = await readVaultFile(place.folder)
  if (file !== 'absent') {
    if (file !== 'damaged' && mode !== 'auto' && mode !== file.header.kind) {
      throw new SottoError('vault/unavailable', {
        detail: msg('This folder’s secrets are in the other kind of vault: {kind}.', {
          kind: file.header.kind,
        }),
      })
    }
    return unlockFile(file, place, passphrase)
  }
  if (mode === 'file')
    return passphrase === undefined
      ? { kind: 'file', state: 'passphrase-needed' }
      : createFile(place, passphrase, new Map())
  const created = await createInKeychain(place, new Map())
  if (typeof created !== 'string') return created
  if (mode === 'keychain')
    throw new SottoError('vault/unavailable', { detail: msg('The system keychain can’t be used.') })
  const holding: Holding =
    passphrase === undefined
      ? { kind: 'memory', state: 'open', secrets: new Map() }
      : await createFile(place, passphrase, new Map())
  return { ...holding, keychain: created }
}

/**
 * Reads the folder again and never creates a vault: a folder without its file is `damaged`. The state of
 * the result shows whether it could be opened.
 */
export async function reloadHolding(place: Place, passphrase?: string): Promise<Holding> {
  const file = await readVaultFile(place.folder)
  return unlockFile(file === 'absent' ? 'damaged' : file, place, passphrase)
}

/**
 * Creates a vault of kind `file` with a new salt, and replaces any vault.json of the folder. Throws
 * store/unwritable.
 */
export async function createFile({ folder }: Place, passphrase: string, secrets: Secrets): Promise<Holding> {
  const header = { format: 'sotto-vault/1', kind: 'file', id: newId(), scrypt: SCRYPT } as const
  const key = vaultKey(await masterFromPassphrase(passphrase, header), header)
  await writeVaultFile(folder, header, key, secrets)
  return { kind: 'file', state: 'open', secrets, header, key }
}

/**
 * Creates a vault of kind `keychain` under a new master key. If the keychain doesn't store the key, returns
 * the state of the keychain and changes nothing. Throws store/unwritable.
 */
export async function createInKeychain(
  { folder, keychain }: Place,
  secrets: Secrets,
): Promise<Holding | Exclude<KeychainFinding, 'working'>> {
  const header = { format: 'sotto-vault/1', kind: 'keychain', id: newId() } as const
  const master = secretBytes(randomBytes(32))
  const found = await roundTrip(keychain, header.id, master)
  if (found !== 'working') return found
  const key = vaultKey(master, header)
  try {
    await writeVaultFile(folder, header, key, secrets)
  } catch (error) {
    await keychain.delete(header.id).catch(() => undefined)
    throw error
  }
  return { kind: 'keychain', state: 'open', secrets, header, key, keychain: 'working' }
}

async function unlockFile(file: VaultFile | 'damaged', place: Place, passphrase?: string): Promise<Holding> {
  if (file === 'damaged') return { kind: 'file', state: 'damaged' }
  const { header } = file
  return header.kind === 'file'
    ? openFile(file, header, passphrase)
    : readFromKeychain(file, header, place.keychain)
}

type HeaderOf<Kind> = Extract<VaultHeader, { kind: Kind }>

async function openFile(
  file: VaultFile,
  header: HeaderOf<'file'>,
  passphrase: string | undefined,
): Promise<Holding> {
  const { kind } = header
  if (passphrase === undefined) return { kind, state: 'locked' }
  const key = vaultKey(await masterFromPassphrase(passphrase, header), header)
  if (!opens(key, file.check)) return { kind, state: 'locked', wrongPassphrase: true }
  const secrets = decryptSecrets(file, key)
  return secrets ? { kind, state: 'open', secrets, header, key } : { kind, state: 'damaged' }
}

async function readFromKeychain(
  file: VaultFile,
  header: HeaderOf<'keychain'>,
  keychain: Keychain,
): Promise<Holding> {
  const { kind } = header
  const { finding, master } = await masterFromKeychain(header.id, keychain)
  // A working keychain without the item has lost it. Any other keychain that returns none counts as locked.
  if (!master) return { kind, state: finding === 'working' ? 'damaged' : 'locked', keychain: finding }
  const key = vaultKey(master, header)
  const secrets = opens(key, file.check) ? decryptSecrets(file, key) : null
  return secrets
    ? { kind, state: 'open', secrets, header, key, keychain: finding }
    : { kind, state: 'damaged', keychain: finding }
}

/** A keychain that returns no item counts as locked until it proves otherwise by storing another item. */
export async function masterFromKeychain(
  id: string,
  keychain: Keychain,
): Promise<{ finding: KeychainFinding; master?: Uint8Array }> {
  try {
    const master = await keychain.get(id)
    return master ? { finding: 'working', master } : { finding: await probe(keychain) }
  } catch (error) {
    return { finding: findingOf(error) }
  }
}

/** Stores an item in the keychain and removes it again. Never throws. */
export async function probe(keychain: Keychain): Promise<KeychainFinding> {
  const account = `${newId()}-probe`
  const found = await roundTrip(keychain, account, randomBytes(32))
  if (found === 'working') await keychain.delete(account).catch(() => undefined)
  return found
}
