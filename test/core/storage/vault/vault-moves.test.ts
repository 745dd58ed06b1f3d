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

describe('from the keychain to a file', () => {
  test('with everything in it; the keychain’s item goes, and no keychain opens it any more', async () => {
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

  test('also where the keychain will not give its item up', async () => {
    const vault = await open()
    await vault.set('account', SECRET)
    keychain.trouble = 'locked'
    await vault.moveToFile(PASSPHRASE)
    expect(await (await open('auto', PASSPHRASE)).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('not without a passphrase, and not where the keychain was asked for', async () => {
    const vault = await open('keychain')
    await vault.set('account', SECRET)
    const before = await file()
    await expect(vault.moveToFile('')).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    await expect(vault.moveToFile(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(await file()).toBe(before)
    expect((await open('keychain')).state).toBe('open')
  })

  test('not where it is a file already, or is not open', async () => {
    keychain.trouble = 'locked'
    const vault = await open('auto', PASSPHRASE)
    await expect(vault.moveToFile(OTHER)).rejects.toMatchObject({ code: 'vault/unavailable' })
    await expect((await open()).moveToFile(OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
    expect((await open('auto', PASSPHRASE)).state).toBe('open')
  })
})

describe('to the keychain', () => {
  test('from a file, whose passphrase opens nothing any more', async () => {
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

  test('from memory that auto fell back to', async () => {
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
    'not into one that keeps nothing (%s): the file stays as it is',
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

  test('not where a file or memory was asked for, nor where it is there already', async () => {
    const inFile = await open('file', PASSPHRASE)
    await expect(inFile.moveToKeychain('file')).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(keychain.calls).toBe(0)
    await expect((await open('memory')).moveToKeychain()).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(keychain.calls).toBe(0)
    folder = join(root, 'other')
    await expect((await open()).moveToKeychain()).rejects.toMatchObject({ code: 'vault/unavailable' })
  })
})

test('the passphrase of an open file is known from others', async () => {
  keychain.trouble = 'locked'
  const vault = await open('auto', PASSPHRASE)
  await vault.verify(PASSPHRASE)
  await expect(vault.verify(OTHER)).rejects.toMatchObject({ code: 'vault/wrong-passphrase' })
  await expect((await open()).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
  await expect((await open('memory')).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
})

describe('what the keychain showed', () => {
  test('is not guessed: it is what it did when it was asked', async () => {
    const vault = await open()
    expect(vault.keychain).toBe('working')
    for (const trouble of ['locked', 'absent', 'refused', 'none'] as const) {
      keychain.trouble = trouble
      expect(vault.keychain).not.toBe(trouble === 'none' ? 'working' : trouble)
      expect(await vault.examineKeychain()).toBe(trouble === 'none' ? 'working' : trouble)
    }
    expect(keychain.items.size).toBe(1)
  })

  test('is asked for without leaving anything there', async () => {
    keychain.trouble = 'absent'
    const vault = await open('auto', PASSPHRASE)
    expect([vault.kind, vault.keychain]).toEqual(['file', 'absent'])
    keychain.trouble = 'none'
    expect(await vault.examineKeychain()).toBe('working')
    expect(keychain.items.size).toBe(0)
  })

  test('is nobody’s question where memory was asked for', async () => {
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

  test('shows nothing of what it holds', async () => {
    const copy = await copied()
    for (const shown of ['canary-secret', SECRET.toString('base64'), 'account'])
      expect(copy).not.toContain(shown)
  })

  test('restores a vault whose keychain lost its key, and leaves the old file beside', async () => {
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

  test('restores into a file, under its own passphrase, where no keychain works', async () => {
    const copy = await copied()
    await writeFile(join(folder, 'vault.json'), 'not what Sotto wrote')
    keychain.trouble = 'absent'
    const vault = await open()
    await vault.restore(copy, OTHER)
    expect([vault.kind, vault.keychain]).toEqual(['file', 'absent'])
    expect(await (await open('auto', OTHER)).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('is not taken with another passphrase, changed, or as something else; the vault stays as it is', async () => {
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

  test('takes the place of nothing that is open, or closed', async () => {
    const copy = await copied()
    const vault = await open()
    await expect(vault.restore(copy, OTHER)).rejects.toMatchObject({ code: 'vault/unavailable' })
    await vault.close()
    await expect(vault.restore(copy, OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(vault.recoveryCopy(OTHER)).rejects.toMatchObject({ code: 'vault/locked' })
  })
})
