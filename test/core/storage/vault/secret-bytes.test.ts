import { expect, it, vi } from 'vitest'
import { SottoError } from '../../../../src/shared/errors.ts'
import { secretOrNew, setText, takeText, unlockVault } from '../../../../src/core/storage/vault/index.ts'

it('creates a secret once', async () => {
  const vault = await unlockVault({ mode: 'memory', folder: '/nowhere' })
  const make = vi.fn(() => Buffer.from('made'))
  expect(Buffer.from(await secretOrNew(vault, 'name', make)).toString()).toBe('made')
  expect(Buffer.from(await secretOrNew(vault, 'name', make)).toString()).toBe('made')
  expect(make).toHaveBeenCalledTimes(1)
})

it('creates no secret while the vault is locked, and returns none that couldn’t be saved', async () => {
  const make = vi.fn(() => Buffer.from('made'))
  const locked = await unlockVault({ mode: 'memory', folder: '/nowhere' })
  vi.spyOn(locked, 'get').mockRejectedValue(new SottoError('vault/locked'))
  await expect(secretOrNew(locked, 'name', make)).rejects.toMatchObject({ code: 'vault/locked' })
  expect(make).not.toHaveBeenCalled()
  const full = await unlockVault({ mode: 'memory', folder: '/nowhere' })
  vi.spyOn(full, 'set').mockRejectedValue(new SottoError('store/unwritable'))
  await expect(secretOrNew(full, 'name', make)).rejects.toMatchObject({ code: 'store/unwritable' })
})

it('sets a text as bytes that are zeroed afterwards, and takes a text out of bytes', async () => {
  const values: Uint8Array[] = []
  const vault = await unlockVault({ mode: 'memory', folder: '/nowhere' })
  const set = vault.set.bind(vault)
  vi.spyOn(vault, 'set').mockImplementation((name, value) => {
    values.push(value)
    return set(name, value)
  })
  await setText(vault, 'name', 'naïve')
  expect(values.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(['00'.repeat(6)])
  const stored = (await vault.get('name')) ?? expect.unreachable()
  expect(takeText(stored)).toBe('naïve')
  expect(stored.every((byte) => byte === 0)).toBe(true)
})
