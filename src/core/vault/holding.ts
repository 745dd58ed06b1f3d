import { randomBytes } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import { roundTrip, type Keychain } from './keychain.ts'
import { masterFromPassphrase, newId, opens, SCRYPT, vaultKey, type VaultKey } from './vault-key.ts'
import { openSecrets, readVaultFile, writeVaultFile, type Secrets, type VaultFile, type VaultHeader } from './vault-file.ts'
import type { VaultMode } from './vault.ts'

/** What holds the secrets of a folder, and how far it is open. */
export type Holding =
  | { readonly kind: 'keychain' | 'file'; readonly state: 'open'; readonly secrets: Secrets; readonly header: VaultHeader; readonly key: VaultKey }
  | { readonly kind: 'memory'; readonly state: 'open'; readonly secrets: Secrets }
  | { readonly kind: 'keychain' | 'file'; readonly state: 'locked' | 'damaged' | 'passphrase-needed'; readonly wrongPassphrase?: true }

export interface Place {
  readonly folder: string
  readonly keychain: Keychain
}

/** Finds what holds the folder's secrets, or begins by the mode. Throws `vault/unavailable` where the mode cannot be had. */
export async function openHolding(mode: VaultMode, place: Place, passphrase?: string): Promise<Holding> {
  if (mode === 'memory') return { kind: 'memory', state: 'open', secrets: new Map() }
  const file = await readVaultFile(place.folder)
  if (file !== 'absent') {
    if (file !== 'damaged' && mode !== 'auto' && mode !== file.header.kind) {
      throw new SottoError('vault/unavailable', { detail: `The secrets of this folder are in the other kind of vault: ${file.header.kind}.` })
    }
    return openFound(file, place, passphrase)
  }
  if (mode !== 'file') {
    const created = await createInKeychain(place)
    if (created) return created
    if (mode === 'keychain') throw new SottoError('vault/unavailable', { detail: 'The system’s keychain cannot be used.' })
  }
  if (passphrase !== undefined) return createFile(place, passphrase, new Map())
  return mode === 'file' ? { kind: 'file', state: 'passphrase-needed' } : { kind: 'memory', state: 'open', secrets: new Map() }
}

/** Looks again at what the folder has, and never begins anew. */
export async function reopenHolding(place: Place, passphrase?: string): Promise<Holding> {
  const file = await readVaultFile(place.folder)
  return openFound(file === 'absent' ? 'damaged' : file, place, passphrase)
}

export async function createFile({ folder }: Place, passphrase: string, secrets: Secrets): Promise<Holding> {
  const header = { format: 'sotto-vault/1', kind: 'file', id: newId(), scrypt: SCRYPT } as const
  const key = vaultKey(await masterFromPassphrase(passphrase, header), header)
  await writeVaultFile(folder, header, key, secrets)
  return { kind: 'file', state: 'open', secrets, header, key }
}

/** null where the keychain does not keep what it is given. */
async function createInKeychain({ folder, keychain }: Place): Promise<Holding | null> {
  const header = { format: 'sotto-vault/1', kind: 'keychain', id: newId() } as const
  const master = randomBytes(32)
  if (!(await roundTrip(keychain, header.id, master))) return null
  const key = vaultKey(master, header)
  const secrets: Secrets = new Map()
  try {
    await writeVaultFile(folder, header, key, secrets)
  } catch (error) {
    await keychain.delete(header.id).catch(() => undefined)
    throw error
  }
  return { kind: 'keychain', state: 'open', secrets, header, key }
}

async function openFound(file: VaultFile | 'damaged', place: Place, passphrase?: string): Promise<Holding> {
  if (file === 'damaged') return { kind: 'file', state: 'damaged' }
  const { header } = file
  if (header.kind === 'file' && passphrase === undefined) return { kind: 'file', state: 'locked' }
  const master = header.kind === 'file' ? await masterFromPassphrase(passphrase ?? '', header) : await masterFromKeychain(header.id, place.keychain)
  if (typeof master === 'string') return { kind: header.kind, state: master }
  const key = vaultKey(master, header)
  if (!opens(key, file.check)) return header.kind === 'file' ? { kind: 'file', state: 'locked', wrongPassphrase: true } : { kind: 'keychain', state: 'damaged' }
  const secrets = openSecrets(file, key)
  return secrets ? { kind: header.kind, state: 'open', secrets, header, key } : { kind: header.kind, state: 'damaged' }
}

/** Without its item, the keychain counts as locked until it proves that it is not: by keeping another one. */
async function masterFromKeychain(id: string, keychain: Keychain): Promise<Uint8Array | 'locked' | 'damaged'> {
  try {
    const master = await keychain.get(id)
    if (master) return master
    if (!(await roundTrip(keychain, `${id}-probe`, randomBytes(32)))) return 'locked'
    await keychain.delete(`${id}-probe`)
    return 'damaged'
  } catch {
    return 'locked'
  }
}
