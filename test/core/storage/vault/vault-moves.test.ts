import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unlockVault, type VaultMode } from '../../../../src/core/storage/vault/index.ts'
import { MemoryKeychain } from './memory-keychain.ts'

const PASSPHRASE = 'correct horse battery staple'
const OTHER = 'another one altogether'
const SECRET = Buffer.from('canary-secret')

let root = ''
let folder = ''
let keychain: MemoryKeychain

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sotto-vault-'))
  folder = join(root, 'data')
  keychain = new MemoryKeychain()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const open = (mode: VaultMode = 'auto', passphrase?: string) =>
  unlockVault({ mode, folder, keychain, ...(passphrase !== undefined && { passphrase }) })
const file = () => readFile(join(folder, 'vault.json'), 'utf8')

describe('moving from the keychain to a file', () => {
  test('moves all secrets; the keychain’s item is deleted and no longer opens the vault', async () => {
    const vault = await open()
    await vault.set('account', SECRET)
    await vault.moveToFile(PASSPHRASE)
    expect([vault.kind, vault.state]).toEqual(['file', 'open'])
    expect(keychain.items.size).toBe(0)
    expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))
    await vault.set('later', SECRET)
    expect((await open()).state).toBe('locked')
    expect((await open('auto', OTHER)).state).toBe('locked')
    const again = await open('auto', PASSPHRASE)
    expect([await again.get('account'), await again.get('later')]).toEqual([
      new Uint8Array(SECRET),
      new Uint8Array(SECRET),
    ])
  })

  test('succeeds even if the keychain refuses to delete its item', async () => {
    const vault = await open()
    await vault.set('account', SECRET)
    keychain.trouble = 'locked'
    await vault.moveToFile(PASSPHRASE)
    expect(await (await open('auto', PASSPHRASE)).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('is refused without a passphrase, and if the user chose the keychain', async () => {
    const vault = await open('keychain')
    await vault.set('account', SECRET)
    const before = await file()
    await expect(vault.moveToFile('')).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    await expect(vault.moveToFile(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(await file()).toBe(before)
    expect((await open('keychain')).state).toBe('open')
  })

  test('is refused if the vault is already a file or is locked', async () => {
    keychain.trouble = 'locked'
    const vault = await open('auto', PASSPHRASE)
    await expect(vault.moveToFile(OTHER)).rejects.toMatchObject({ code: 'vault/unavailable' })
    await expect((await open()).moveToFile(OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
    expect((await open('auto', PASSPHRASE)).state).toBe('open')
  })
})

describe('moving to the keychain', () => {
  test('works from a file, whose passphrase then opens nothing', async () => {
    keychain.trouble = 'locked'
    const vault = await open('auto', PASSPHRASE)
    await vault.set('account', SECRET)
    keychain.trouble = 'none'
    await expect(vault.moveToKeychain()).rejects.toMatchObject({ code: 'vault/unavailable' })
    await vault.moveToKeychain('file')
    expect([vault.kind, vault.state, vault.keychain]).toEqual(['keychain', 'open', 'working'])
    expect(keychain.items.size).toBe(1)
    expect(await (await open()).get('account')).toEqual(new Uint8Array(SECRET))
    keychain.trouble = 'locked'
    expect((await open('auto', PASSPHRASE)).state).toBe('locked')
  })

  test('works from the memory vault of a fallback', async () => {
    keychain.trouble = 'deaf'
    const vault = await open()
    await vault.set('account', SECRET)
    expect([vault.kind, vault.keychain]).toEqual(['memory', 'locked'])
    keychain.trouble = 'none'
    await vault.moveToKeychain()
    expect(vault.kind).toBe('keychain')
    expect(await (await open()).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test.each(['locked', 'deaf', 'absent', 'refused'] as const)(
    'is refused if the keychain stores nothing (%s), and leaves the file unchanged',
    async (trouble) => {
      keychain.trouble = 'locked'
      const vault = await open('auto', PASSPHRASE)
      await vault.set('account', SECRET)
      const before = await file()
      keychain.trouble = trouble
      await expect(vault.moveToKeychain('file')).rejects.toMatchObject({ code: 'vault/keychain-unusable' })
      expect(vault.keychain).toBe(trouble === 'deaf' ? 'locked' : trouble)
      expect([vault.kind, vault.state, await file()]).toEqual(['file', 'open', before])
      expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))
    },
  )

  test('is refused if the user chose a file or memory, or if the vault is already there', async () => {
    const inFile = await open('file', PASSPHRASE)
    await expect(inFile.moveToKeychain('file')).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(keychain.calls).toBe(0)
    await expect((await open('memory')).moveToKeychain()).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(keychain.calls).toBe(0)
    folder = join(root, 'other')
    await expect((await open()).moveToKeychain()).rejects.toMatchObject({ code: 'vault/unavailable' })
  })
})

test('distinguishes the passphrase of an open file from others', async () => {
  keychain.trouble = 'locked'
  const vault = await open('auto', PASSPHRASE)
  await vault.verify(PASSPHRASE)
  await expect(vault.verify(OTHER)).rejects.toMatchObject({ code: 'vault/wrong-passphrase' })
  await expect((await open()).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
  await expect((await open('memory')).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
})

describe('the state of the keychain', () => {
  test('is the result of the last operation', async () => {
    const vault = await open()
    expect(vault.keychain).toBe('working')
    for (const trouble of ['locked', 'absent', 'refused', 'none'] as const) {
      keychain.trouble = trouble
      expect(vault.keychain).not.toBe(trouble === 'none' ? 'working' : trouble)
      expect(await vault.examineKeychain()).toBe(trouble === 'none' ? 'working' : trouble)
    }
    expect(keychain.items.size).toBe(1)
  })

  test('is checked without leaving an item there', async () => {
    keychain.trouble = 'absent'
    const vault = await open('auto', PASSPHRASE)
    expect([vault.kind, vault.keychain]).toEqual(['file', 'absent'])
    keychain.trouble = 'none'
    expect(await vault.examineKeychain()).toBe('working')
    expect(keychain.items.size).toBe(0)
  })

  test('is not checked if the user chose memory', async () => {
    expect(await (await open('memory')).examineKeychain()).toBeNull()
    expect(keychain.calls).toBe(0)
  })
})

describe('a recovery copy', () => {
  async function copied(): Promise<string> {
    const vault = await open()
    await vault.set('account', SECRET)
    return vault.recoveryCopy(OTHER)
  }

  test('reveals none of its content', async () => {
    const copy = await copied()
    for (const shown of ['canary-secret', SECRET.toString('base64'), 'account'])
      expect(copy).not.toContain(shown)
  })

  test('restores a vault whose keychain lost its key, and preserves the old file', async () => {
    const copy = await copied()
    const before = await file()
    keychain.items.clear()
    const vault = await open()
    expect(vault.state).toBe('damaged')
    await vault.restore(copy, OTHER)
    expect([vault.kind, vault.state]).toEqual(['keychain', 'open'])
    expect(await (await open()).get('account')).toEqual(new Uint8Array(SECRET))
    const [aside = ''] = (await readdir(folder)).filter((name) => name.startsWith('vault.json.before-'))
    expect(await readFile(join(folder, aside), 'utf8')).toBe(before)
  })

  test('restores into a file under its own passphrase if no keychain works', async () => {
    const copy = await copied()
    await writeFile(join(folder, 'vault.json'), 'not what Sotto wrote')
    keychain.trouble = 'absent'
    const vault = await open()
    await vault.restore(copy, OTHER)
    expect([vault.kind, vault.keychain]).toEqual(['file', 'absent'])
    expect(await (await open('auto', OTHER)).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('is refused with another passphrase, if it was changed or is no copy, and leaves the vault unchanged', async () => {
    const copy = await copied()
    await writeFile(join(folder, 'vault.json'), 'not what Sotto wrote')
    const vault = await open()
    await expect(vault.restore(copy, PASSPHRASE)).rejects.toMatchObject({ code: 'vault/recovery-passphrase' })
    for (const text of [
      '',
      '{}',
      copy.slice(0, -3),
      copy.replace('sotto-recovery/1', 'sotto-account/1'),
      copy.replace(/"sealed":"(.)/, (_all, first: string) => `"sealed":"${first === 'A' ? 'B' : 'A'}`),
    ]) {
      await expect(vault.restore(text, OTHER)).rejects.toMatchObject({ code: 'vault/recovery-invalid' })
    }
    expect([vault.state, await file()]).toEqual(['damaged', 'not what Sotto wrote'])
    expect(await readdir(folder)).toEqual(['vault.json'])
  })

  test('doesn’t replace an open or closed vault', async () => {
    const copy = await copied()
    const vault = await open()
    await expect(vault.restore(copy, OTHER)).rejects.toMatchObject({ code: 'vault/unavailable' })
    await vault.close()
    await expect(vault.restore(copy, OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.recoveryCopy(OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
  })
})
