import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unlockVault } from '../../../../src/core/storage/vault/index.ts'
import { masterFromPassphrase, newId, vaultKey } from '../../../../src/core/storage/vault/vault-key.ts'
import {
  decryptSecrets,
  readVaultFile,
  writeVaultFile,
  type VaultFile,
  type VaultHeader,
} from '../../../../src/core/storage/vault/vault-file.ts'
import { MemoryKeychain } from './memory-keychain.ts'

const PASSPHRASE = 'passphrase'
/** The cheapest that is read. */
const header: VaultHeader & { kind: 'file' } = {
  format: 'sotto-vault/1',
  kind: 'file',
  id: newId(),
  scrypt: { N: 2 ** 14, r: 8, p: 1 },
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-vault-'))
  const key = vaultKey(await masterFromPassphrase(PASSPHRASE, header), header)
  await writeVaultFile(folder, header, key, new Map([['name', Buffer.from('secret')]]))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const path = () => join(folder, 'vault.json')
const open = (passphrase?: string) =>
  unlockVault({
    mode: 'auto',
    folder,
    keychain: new MemoryKeychain(),
    ...(passphrase !== undefined && { passphrase }),
  })
const read = async (): Promise<VaultFile> => JSON.parse(await readFile(path(), 'utf8')) as VaultFile

/** As one who knows the format would change it: the digest fits. */
async function tamper(change: (file: VaultFile) => void): Promise<void> {
  const file = await read()
  change(file)
  const parameters =
    file.header.kind === 'file' ? [file.header.scrypt.N, file.header.scrypt.r, file.header.scrypt.p] : []
  const associated = JSON.stringify([file.header.format, file.header.kind, file.header.id, ...parameters])
  file.digest = createHash('sha256')
    .update(associated)
    .update(JSON.stringify([file.check, file.nonce, file.sealed]))
    .digest('hex')
  await writeFile(path(), JSON.stringify(file))
}

function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  return bytes.toString('base64')
}

test('a vault file opens with the parameters in it', async () => {
  const vault = await open(PASSPHRASE)
  expect(await vault.get('name')).toEqual(new Uint8Array(Buffer.from('secret')))
})

test('scrypt matches RFC 7914', async () => {
  // Section 12: P "pleaseletmein", S "SodiumChloride", N 16384, r 8, p 1.
  const salted = { ...header, id: Buffer.from('SodiumChloride').toString('hex') }
  expect(Buffer.from(await masterFromPassphrase('pleaseletmein', salted)).toString('hex')).toBe(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
  )
})

test('any damage is detected before a passphrase is requested', async () => {
  const whole = await readFile(path())
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(at) ^ change, at)
      await writeFile(path(), damaged)
      expect(await readVaultFile(folder)).toBe('damaged')
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
      await writeFile(path(), whole.subarray(0, length))
      expect(await readVaultFile(folder)).toBe('damaged')
    }),
  )
  await writeFile(path(), '')
  const vault = await open(PASSPHRASE)
  expect(vault.state).toBe('damaged')
  await expect(vault.get('name')).rejects.toMatchObject({ code: 'vault/damaged' })
  await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/damaged' })
  await expect(vault.protect(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/damaged' })
  expect(await readFile(path(), 'utf8')).toBe('')

  await writeFile(path(), whole)
  await vault.unlock(PASSPHRASE)
  expect(await vault.get('name')).toEqual(new Uint8Array(Buffer.from('secret')))
})

test('a damaged file that then disappears isn’t created again', async () => {
  await writeFile(path(), '{}')
  const vault = await open(PASSPHRASE)
  await rm(path())
  await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/damaged' })
  await expect(readFile(path())).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a folder in place of the file is damaged, not absent', async () => {
  await rm(path())
  await mkdir(path())
  expect((await open(PASSPHRASE)).state).toBe('damaged')
})

test.each<[string, (file: VaultFile) => void]>([
  [
    'sealed',
    (file) => {
      file.sealed = flip(file.sealed)
    },
  ],
  [
    'nonce',
    (file) => {
      file.nonce = flip(file.nonce)
    },
  ],
  [
    'an empty sealed',
    (file) => {
      file.sealed = ''
    },
  ],
])('a changed %s is reported as damage, not as a wrong passphrase', async (_, change) => {
  await tamper(change)
  expect((await open()).state).toBe('locked')
  expect((await open(PASSPHRASE)).state).toBe('damaged')
  await expect((await open()).unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/damaged' })
  await expect((await open()).unlock('wrong')).rejects.toMatchObject({ code: 'vault/wrong-passphrase' })
})

test('the header is bound to the sealed content', async () => {
  const file = await read()
  const master = await masterFromPassphrase(PASSPHRASE, header)
  expect(decryptSecrets(file, vaultKey(master, header))?.size).toBe(1)
  const other = { ...file, header: { ...header, scrypt: { ...header.scrypt, N: 2 ** 15 } } }
  expect(decryptSecrets(other, vaultKey(master, header))).toBeNull()
  const asKeychain: VaultFile = {
    ...file,
    header: { format: 'sotto-vault/1', kind: 'keychain', id: header.id },
  }
  expect(decryptSecrets(asKeychain, vaultKey(master, header))).toBeNull()
})

test.each([
  { N: 2 ** 13, r: 8, p: 1 },
  { N: 2 ** 21, r: 8, p: 1 },
  { N: 2 ** 15 + 1, r: 8, p: 1 },
  { N: 2 ** 15, r: 1, p: 1 },
  { N: 2 ** 15, r: 2 ** 20, p: 1 },
  { N: 2 ** 15, r: 8, p: 64 },
])('scrypt parameters outside their limits are refused: %o', async (scrypt) => {
  await tamper((file) => Object.assign(file.header, { scrypt }))
  expect((await open(PASSPHRASE)).state).toBe('damaged')
})

test('an unknown format is refused', async () => {
  await tamper((file) => Object.assign(file.header, { format: 'sotto-vault/2' }))
  expect((await open(PASSPHRASE)).state).toBe('damaged')
})

test('every write has a new nonce', async () => {
  const nonces = new Set<string>()
  const vault = await open(PASSPHRASE)
  for (let at = 0; at < 5; at++) {
    await vault.set('name', Buffer.from('secret'))
    nonces.add((await read()).nonce)
  }
  expect(nonces.size).toBe(5)
})

test('a partial file of a killed process is replaced', async () => {
  await writeFile(`${path()}.partial`, 'half')
  const vault = await open(PASSPHRASE)
  await vault.set('name', Buffer.from('new'))
  expect(await (await open(PASSPHRASE)).get('name')).toEqual(new Uint8Array(Buffer.from('new')))
})
