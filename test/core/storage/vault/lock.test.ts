import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unlockVault, type VaultMode } from '../../../../src/core/storage/vault/index.ts'
import { MemoryKeychain } from './memory-keychain.ts'

const PASSPHRASE = 'correct horse battery staple'
const SECRET = new Uint8Array(Buffer.from('canary-secret'))

let folder = ''
let keychain: MemoryKeychain

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-vault-lock-'))
  keychain = new MemoryKeychain()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (mode: VaultMode, passphrase?: string) =>
  unlockVault({ mode, folder, keychain, ...(passphrase !== undefined && { passphrase }) })
const files = async () =>
  Promise.all(
    (await readdir(folder))
      .toSorted()
      .map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
  )

describe('lock', () => {
  test('of a file needs the passphrase again, writes nothing, and answers nothing until then', async () => {
    const vault = await open('file', PASSPHRASE)
    await vault.set('account', SECRET)
    const before = await files()
    expect(await vault.lock()).toBe(true)
    expect([vault.kind, vault.state]).toEqual(['file', 'locked'])
    await expect(vault.get('account')).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.set('account', SECRET)).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.verify(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.protect('another passphrase')).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.recoveryCopy('another passphrase')).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.unlock('wrong')).rejects.toMatchObject({ code: 'vault/wrong-passphrase' })
    expect(vault.state).toBe('locked')
    expect(await files()).toEqual(before)
    await vault.unlock(PASSPHRASE)
    expect(await vault.get('account')).toEqual(SECRET)
  })

  test('of a keychain vault asks the keychain again', async () => {
    const vault = await open('keychain')
    await vault.set('account', SECRET)
    expect(await vault.lock()).toBe(true)
    await expect(vault.get('account')).rejects.toMatchObject({ code: 'vault/locked' })
    keychain.trouble = 'locked'
    await expect(vault.unlock('')).rejects.toMatchObject({ code: 'vault/locked' })
    keychain.trouble = 'none'
    await vault.unlock('')
    expect(await vault.get('account')).toEqual(SECRET)
  })

  test('of memory is refused, and loses nothing', async () => {
    keychain.trouble = 'absent'
    for (const mode of ['memory', 'auto'] as const) {
      const vault = await open(mode)
      await vault.set('account', SECRET)
      await expect(vault.lock()).rejects.toMatchObject({ code: 'vault/cannot-lock' })
      expect(vault.state).toBe('open')
      expect(await vault.get('account')).toEqual(SECRET)
    }
  })

  test('of a vault that is not open does nothing', async () => {
    const needed = await open('file')
    expect([await needed.lock(), needed.state]).toEqual([false, 'passphrase-needed'])
    await (await open('file', PASSPHRASE)).set('account', SECRET)
    const locked = await open('file')
    expect([await locked.lock(), locked.state]).toEqual([false, 'locked'])
    await locked.unlock(PASSPHRASE)
    await locked.close()
    expect(await locked.lock()).toBe(false)
    await expect(locked.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
  })

  test('comes after a write that began before it, and before a read that began after it', async () => {
    const vault = await open('file', PASSPHRASE)
    const outcomes = await Promise.allSettled([
      vault.set('account', SECRET),
      vault.lock(),
      vault.get('account'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    await vault.unlock(PASSPHRASE)
    expect(await vault.get('account')).toEqual(SECRET)
  })

  test('zeroes nothing that somebody else was given', async () => {
    const vault = await open('file', PASSPHRASE)
    const secret = SECRET.slice()
    await vault.set('account', secret)
    const loaded = await vault.get('account')
    await vault.lock()
    expect([secret, loaded]).toEqual([SECRET, SECRET])
  })
})
