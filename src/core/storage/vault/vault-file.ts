import { copyFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { writeAtomically } from './atomic-write.ts'
import { decryptBody, scryptSchema, sealBody, sealedBodySchema, sealingId, undamaged } from './sealed-body.ts'
import { secretBytes, viewOf } from './secret-bytes.ts'
import type { VaultKey } from './vault-key.ts'

/**
 * `vault.json`: the kind of storage for this folder's secrets, and the secrets, sealed together under a key
 * that isn't in the file. The master key has 32 bytes. For the kind `keychain` it's the one item in the
 * keychain, under the account `id`. For the kind `file` scrypt derives it from the passphrase, with `id` as
 * the salt. HKDF derives the sealing key and the check from it.
 */
const FILE = 'vault.json'
const MAX_BYTES = 16 * 1024 * 1024

const format = z.literal('sotto-vault/1')

const headerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ format, kind: z.literal('keychain'), id: sealingId }),
  z.strictObject({ format, kind: z.literal('file'), id: sealingId, scrypt: scryptSchema }),
])
export type VaultHeader = z.infer<typeof headerSchema>

const fileSchema = sealedBodySchema.extend({ header: headerSchema })
export type VaultFile = z.infer<typeof fileSchema>

const secretsSchema = z.array(z.tuple([z.string(), z.base64()]))
export type Secrets = ReadonlyMap<string, Uint8Array>

/**
 * Returns `absent` only if the file certainly doesn't exist; a file that can't be read for any other reason
 * is `damaged`.
 */
export async function readVaultFile(folder: string): Promise<VaultFile | 'absent' | 'damaged'> {
  const path = join(folder, FILE)
  try {
    if ((await stat(path)).size > MAX_BYTES) return 'damaged'
    const file = fileSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return undamaged(file.header, file) ? file : 'damaged'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'damaged'
  }
}

/**
 * Replaces the file atomically. Throws SottoError `store/unwritable`, and RangeError above 16 MiB of text.
 */
export async function writeVaultFile(
  folder: string,
  header: VaultHeader,
  key: VaultKey,
  secrets: Secrets,
): Promise<void> {
  const text = JSON.stringify({ header, ...sealBody(header, key, secretsText(secrets)) })
  if (text.length > MAX_BYTES)
    throw new RangeError('The vault holds small secrets, and no more than 16 MiB of them.')
  await writeAtomically(folder, FILE, text)
}

/**
 * Copies the file in its folder, in case it becomes readable later. Throws SottoError `store/unwritable`.
 */
export async function copyAside(folder: string): Promise<void> {
  try {
    await copyFile(join(folder, FILE), join(folder, `${FILE}.before-${String(Date.now())}`))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return
    throw new SottoError('store/unwritable', { cause })
  }
}

/** Returns null if the file was changed without the key. */
export function decryptSecrets(file: VaultFile, key: VaultKey): Map<string, Uint8Array> | null {
  const plaintext = decryptBody(file.header, file, key)
  return plaintext && readSecrets(plaintext)
}

/** The plaintext of all secrets, for readSecrets. sealBody overwrites it. */
export function secretsText(secrets: Secrets): Uint8Array {
  return Buffer.from(
    JSON.stringify([...secrets].map(([name, secret]) => [name, viewOf(secret).toString('base64')])),
  )
}

/** Returns null if secretsText didn't write the plaintext, which is overwritten. */
export function readSecrets(plaintext: Uint8Array): Map<string, Uint8Array> | null {
  try {
    const text = viewOf(plaintext).toString('utf8')
    return new Map(secretsSchema.parse(JSON.parse(text)).map(([name, secret]) => [name, secretBytes(secret)]))
  } catch {
    return null
  } finally {
    plaintext.fill(0)
  }
}
