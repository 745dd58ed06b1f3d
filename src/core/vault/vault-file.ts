import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { z } from 'zod'
import { writeAtomically } from './atomic-write.ts'
import type { VaultKey } from './vault-key.ts'

/**
 * `vault.json`: which kind holds this folder's secrets, and the secrets themselves, sealed as one under a key that
 * is not in it. The master key is 32 bytes: of kind `keychain` it is the one item in the keychain, under the account `id`;
 * of kind `file` it is scrypt's of the passphrase, with `id` as the salt. HKDF makes of it the sealing key and the check.
 * XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a new random nonce at every write and the header as associated
 * data. `digest` is no secret's: it tells a damaged file from a wrong passphrase before there is a key.
 */
const FILE = 'vault.json'
const MAX_BYTES = 16 * 1024 * 1024
const NONCE_BYTES = 24

const id = z.string().regex(/^[0-9a-f]{32}$/)
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const format = z.literal('sotto-vault/1')

const headerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ format, kind: z.literal('keychain'), id }),
  z.strictObject({
    format,
    kind: z.literal('file'),
    id,
    // Whoever can change the file must be able neither to make a guess cheap nor to take all memory: 16 MiB to 1 GiB.
    scrypt: z.strictObject({ N: z.int().min(2 ** 14).max(2 ** 20).refine((n) => Number.isInteger(Math.log2(n))), r: z.literal(8), p: z.literal(1) }),
  }),
])
export type VaultHeader = z.infer<typeof headerSchema>

const fileSchema = z.strictObject({ header: headerSchema, check: hex32, nonce: z.base64(), sealed: z.base64(), digest: hex32 })
export type VaultFile = z.infer<typeof fileSchema>

const secretsSchema = z.array(z.tuple([z.string(), z.base64()]))
export type Secrets = ReadonlyMap<string, Uint8Array>

/** `absent` is said only where there surely is no file; what cannot be read for any other reason is `damaged`. */
export async function readVaultFile(folder: string): Promise<VaultFile | 'absent' | 'damaged'> {
  const path = join(folder, FILE)
  try {
    if ((await stat(path)).size > MAX_BYTES) return 'damaged'
    const file = fileSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return digestOf(file) === file.digest ? file : 'damaged'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'damaged'
  }
}

/** Replaces the file as one step. Throws SottoError `store/unwritable`. */
export async function writeVaultFile(folder: string, header: VaultHeader, key: VaultKey, secrets: Secrets): Promise<void> {
  const nonce = randomBytes(NONCE_BYTES)
  const plaintext = Buffer.from(JSON.stringify([...secrets].map(([name, secret]) => [name, Buffer.from(secret).toString('base64')])))
  const sealed = xchacha20poly1305(key.sealing, nonce, associatedData(header)).encrypt(plaintext)
  plaintext.fill(0)
  const body = { header, check: key.check, nonce: nonce.toString('base64'), sealed: Buffer.from(sealed).toString('base64') }
  const text = JSON.stringify({ ...body, digest: digestOf(body) })
  if (text.length > MAX_BYTES) throw new RangeError('The vault holds small secrets, and no more than 16 MiB of them.')
  await writeAtomically(folder, FILE, text)
}

/** null where the file was changed by somebody without the key. */
export function openSecrets(file: VaultFile, key: VaultKey): Map<string, Uint8Array> | null {
  try {
    const plaintext = xchacha20poly1305(key.sealing, Buffer.from(file.nonce, 'base64'), associatedData(file.header)).decrypt(Buffer.from(file.sealed, 'base64'))
    const secrets = secretsSchema.parse(JSON.parse(Buffer.from(plaintext).toString('utf8')))
    return new Map(secrets.map(([name, secret]) => [name, Uint8Array.from(Buffer.from(secret, 'base64'))]))
  } catch {
    return null
  }
}

/** The members in one order, whatever their order in the file. */
function associatedData(header: VaultHeader): Uint8Array {
  const parameters = header.kind === 'file' ? [header.scrypt.N, header.scrypt.r, header.scrypt.p] : []
  return Buffer.from(JSON.stringify([header.format, header.kind, header.id, ...parameters]))
}

function digestOf({ header, check, nonce, sealed }: Omit<VaultFile, 'digest'>): string {
  return createHash('sha256').update(associatedData(header)).update(JSON.stringify([check, nonce, sealed])).digest('hex')
}
