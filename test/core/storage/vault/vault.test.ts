import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { unlockVault, type VaultMode } from '../../../../src/core/storage/vault/index.ts'
import { MemoryKeychain } from './memory-keychain.ts'

const PASSPHRASE = 'correct horse battery staple'
const SECRET = Buffer.from('canary-secret')

let root = ''
let folder = ''
let keychain: MemoryKeychain

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sotto-vault-'))
  folder = join(root, 'data')
  keychain = new MemoryKeychain()
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(root, { recursive: true, force: true })
})

const open = (mode: VaultMode, passphrase?: string) =>
  unlockVault({ mode, folder, keychain, ...(passphrase !== undefined && { passphrase }) })
const vaultFile = () => readFile(join(folder, 'vault.json'), 'utf8')

async function exists(): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}

describe('mode auto', () => {
  test('uses the keychain if it works, with one item in it and the encrypted secrets in a file', async () => {
    const vault = await open('auto', PASSPHRASE)
    expect([vault.kind, vault.state]).toEqual(['keychain', 'open'])
    expect(await vault.get('account')).toBeNull()
    await vault.set('account', SECRET)
    await vault.set('__proto__', SECRET)
    expect(keychain.items.size).toBe(1)

    const again = await open('auto')
    expect([again.kind, again.state]).toEqual(['keychain', 'open'])
    expect(await again.get('account')).toEqual(new Uint8Array(SECRET))
    expect(await again.get('__proto__')).toEqual(new Uint8Array(SECRET))
    await again.delete('account')
    expect(await again.get('account')).toBeNull()
    expect(await (await open('auto')).get('account')).toBeNull()
  })

  test('uses a file without a keychain, if there is a passphrase', async () => {
    keychain.trouble = 'locked'
    const vault = await open('auto', PASSPHRASE)
    expect([vault.kind, vault.state]).toEqual(['file', 'open'])
    await vault.set('account', SECRET)
    // A keychain that works later does not take over.
    keychain.trouble = 'none'
    expect([(await open('auto')).kind, (await open('auto')).state]).toEqual(['file', 'locked'])
    expect(await (await open('auto', PASSPHRASE)).get('account')).toEqual(new Uint8Array(SECRET))
  })

  test.each(['locked', 'deaf'] as const)(
    'without either stores secrets in memory and writes nothing (%s)',
    async (trouble) => {
      keychain.trouble = trouble
      for (const none of [undefined, '']) {
        const vault = await open('auto', none)
        expect([vault.kind, vault.state]).toEqual(['memory', 'open'])
        await vault.set('account', SECRET)
        expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))
        await vault.unlock('anything')
      }
      expect(await exists()).toBe(false)
    },
  )

  test('doesn’t wait for a keychain that doesn’t respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    keychain.trouble = 'silent'
    const opening = open('auto')
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    await vi.runAllTimersAsync()
    expect((await opening).kind).toBe('memory')
  })
})

test('an item that the keychain saves too late is deleted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = Promise.withResolvers<undefined>()
  const slow = {
    get: () => Promise.resolve(null),
    set: () => late.promise,
    delete: vi.fn(() => Promise.resolve()),
  }
  const opening = unlockVault({ mode: 'auto', folder, keychain: slow })
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  await vi.runAllTimersAsync()
  expect((await opening).kind).toBe('memory')
  expect(slow.delete).not.toHaveBeenCalled()
  late.resolve(undefined)
  await vi.waitFor(() => expect(slow.delete).toHaveBeenCalledOnce())
})

describe('a folder whose secrets are in the keychain', () => {
  beforeEach(async () => {
    const vault = await open('keychain')
    await vault.set('account', SECRET)
    await vault.close()
  })

  test.each(['locked', 'deaf'] as const)(
    'is locked, and never empty, while the keychain is unavailable (%s)',
    async (trouble) => {
      const before = await vaultFile()
      keychain.trouble = trouble
      const vault = await open('auto', PASSPHRASE)
      expect([vault.kind, vault.state]).toEqual(['keychain', 'locked'])
      await expect(vault.get('account')).rejects.toMatchObject({ code: 'vault/locked' })
      await expect(vault.get('never set')).rejects.toMatchObject({ code: 'vault/locked' })
      await expect(vault.set('account', SECRET)).rejects.toMatchObject({ code: 'vault/locked' })
      await expect(vault.delete('account')).rejects.toMatchObject({ code: 'vault/locked' })
      await expect(vault.protect(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
      await expect(vault.unlock('')).rejects.toMatchObject({ code: 'vault/locked' })
      expect(await vaultFile()).toBe(before)
      expect(keychain.items.size).toBe(1)

      keychain.trouble = 'none'
      await vault.unlock('')
      expect(vault.state).toBe('open')
      expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))
    },
  )

  test('is locked while the keychain doesn’t respond, and asks it once for all callers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    keychain.trouble = 'silent'
    const opening = open('auto')
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    await vi.runAllTimersAsync()
    const vault = await opening
    expect(vault.state).toBe('locked')
    const calls = keychain.calls
    const unlocking = expect(vault.unlock('')).rejects.toMatchObject({ code: 'vault/locked' })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    await vi.runAllTimersAsync()
    await unlocking
    expect(keychain.calls).toBe(calls)
  })

  test('is damaged if the item is missing or another one, and isn’t changed', async () => {
    const before = await vaultFile()
    const [[id = '', key] = []] = keychain.items
    keychain.items.clear()
    const gone = await open('auto', PASSPHRASE)
    expect(gone.state).toBe('damaged')
    await expect(gone.get('account')).rejects.toMatchObject({ code: 'vault/damaged' })
    await expect(gone.protect(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/damaged' })
    expect(keychain.items.size).toBe(0)

    keychain.items.set(id, Buffer.alloc(32))
    expect((await open('auto')).state).toBe('damaged')
    keychain.items.set(id, new Uint8Array())
    expect((await open('auto')).state).toBe('damaged')
    expect(await vaultFile()).toBe(before)

    keychain.items.set(id, key ?? new Uint8Array())
    await gone.unlock('')
    expect(await gone.get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('isn’t opened as a file, nor converted to one', async () => {
    await expect(open('file', PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
    await expect((await open('auto')).protect(PASSPHRASE)).rejects.toMatchObject({
      code: 'vault/unavailable',
    })
  })
})

describe('mode keychain', () => {
  test('is unavailable if the keychain doesn’t work, and nothing replaces it', async () => {
    keychain.trouble = 'deaf'
    await expect(open('keychain', PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(await exists()).toBe(false)
  })
})

describe('mode memory', () => {
  test('neither reads nor writes the folder', async () => {
    await (await open('keychain')).set('account', SECRET)
    const before = await vaultFile()
    const vault = await open('memory', PASSPHRASE)
    expect([vault.kind, vault.state]).toEqual(['memory', 'open'])
    expect(await vault.get('account')).toBeNull()
    await vault.set('account', Buffer.from('other'))
    await expect(vault.protect(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/unavailable' })
    expect(await vaultFile()).toBe(before)
  })
})

describe('mode file', () => {
  test('needs a passphrase before the file exists, and creates the file with it', async () => {
    const vault = await open('file')
    expect([vault.kind, vault.state]).toEqual(['file', 'passphrase-needed'])
    await expect(vault.get('account')).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    await expect(vault.set('account', SECRET)).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    await expect(vault.protect('')).rejects.toMatchObject({ code: 'vault/passphrase-needed' })
    expect(await exists()).toBe(false)
    expect(keychain.calls).toBe(0)

    await vault.protect(PASSPHRASE)
    expect(vault.state).toBe('open')
    await vault.set('account', SECRET)

    const locked = await open('file')
    expect(locked.state).toBe('locked')
    await expect(locked.get('account')).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(locked.protect('another passphrase')).rejects.toMatchObject({ code: 'vault/locked' })
    await expect(locked.unlock('wrong')).rejects.toMatchObject({ code: 'vault/wrong-passphrase' })
    expect(locked.state).toBe('locked')
    await locked.unlock(PASSPHRASE)
    expect(await locked.get('account')).toEqual(new Uint8Array(SECRET))
  })

  test('is locked with a wrong passphrase', async () => {
    await open('file', PASSPHRASE)
    const vault = await open('auto', 'wrong')
    expect([vault.kind, vault.state]).toEqual(['file', 'locked'])
  })

  test('opens with the same passphrase in another Unicode form', async () => {
    await open('file', 'Zürich ﬁne'.normalize('NFD'))
    expect((await open('file', 'Zürich fine'.normalize('NFC'))).state).toBe('open')
  })
})

describe('protect', () => {
  test('moves the secrets from memory to a file, and then changes its passphrase', async () => {
    keychain.trouble = 'locked'
    const vault = await open('auto')
    await vault.set('account', SECRET)
    await vault.protect(PASSPHRASE)
    expect([vault.kind, vault.state]).toEqual(['file', 'open'])
    expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))

    await expect(vault.protect('another passphrase')).rejects.toMatchObject({ code: 'vault/unavailable' })
    await vault.protect('another passphrase', 'file')
    const again = await open('auto', 'another passphrase')
    expect(await again.get('account')).toEqual(new Uint8Array(SECRET))
    await expect((await open('auto')).unlock(PASSPHRASE)).rejects.toMatchObject({
      code: 'vault/wrong-passphrase',
    })
  })
})

test('concurrent calls run one after another, and none is lost', async () => {
  const vault = await open('auto')
  const names = Array.from({ length: 20 }, (_, at) => `name ${at}`)
  await Promise.all(names.map((name) => vault.set(name, Buffer.from(name))))
  const again = await open('auto')
  for (const name of names) expect(await again.get(name)).toEqual(new Uint8Array(Buffer.from(name)))
})

test('secrets are copied when they’re saved and when they’re read', async () => {
  const vault = await open('memory')
  const secret = Buffer.from('given')
  const setting = vault.set('account', secret)
  secret.fill(0)
  await setting
  ;(await vault.get('account'))?.fill(0)
  expect(await vault.get('account')).toEqual(new Uint8Array(Buffer.from('given')))
})

test('a closed vault stays locked', async () => {
  const vault = await open('auto')
  await vault.set('account', SECRET)
  await vault.close()
  expect(vault.state).toBe('locked')
  await expect(vault.get('account')).rejects.toMatchObject({ code: 'vault/locked' })
  await expect(vault.unlock('')).rejects.toMatchObject({ code: 'vault/locked' })
  await expect(vault.protect(PASSPHRASE)).rejects.toMatchObject({ code: 'vault/locked' })
  await vault.close()
})

test('the folder is private to its owner and contains no secret in plaintext', async () => {
  const vault = await open('auto')
  await vault.set('canary-name', SECRET)
  await vault.set('canary-name', SECRET)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await readdir(folder)).toEqual(['vault.json'])
  expect((await stat(join(folder, 'vault.json'))).mode & 0o777).toBe(0o600)
  const text = await vaultFile()
  for (const canary of ['canary', SECRET.toString('base64'), SECRET.toString('hex')])
    expect(text).not.toContain(canary)
})

test('a folder that can’t be created is reported, and leaves nothing in the keychain', async () => {
  await symlink(join(root, 'nowhere', 'at-all'), folder)
  await expect(open('auto')).rejects.toMatchObject({ code: 'store/unwritable' })
  expect(keychain.items.size).toBe(0)
})

test('a failed write leaves the previous secrets, in the file and in memory', async () => {
  const vault = await open('auto')
  await vault.set('account', SECRET)
  const before = await vaultFile()
  await expect(vault.set('account', Buffer.alloc(16 * 1024 * 1024))).rejects.toThrow(RangeError)
  expect(await vaultFile()).toBe(before)
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  await expect(vault.set('account', Buffer.from('new'))).rejects.toMatchObject({ code: 'store/unwritable' })
  expect(await vault.get('account')).toEqual(new Uint8Array(SECRET))
})
