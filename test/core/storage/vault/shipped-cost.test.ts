import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  decryptWithPassphrase,
  unlockVault,
  sealUnderPassphrase,
} from '../../../../src/core/storage/vault/index.ts'

vi.unmock('../../../../src/core/storage/vault/vault-key.ts')

const PASSPHRASE = 'correct horse battery staple'
const SHIPPED = { N: 2 ** 17, r: 8, p: 1 }
const costOf = (text: string) => (JSON.parse(text) as { header: { scrypt?: unknown } }).header.scrypt

test('a vault in a file costs who guesses 128 MiB each time, also after its passphrase was changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-vault-cost-'))
  try {
    const vault = await unlockVault({ mode: 'file', folder, passphrase: PASSPHRASE })
    await vault.set('account', Buffer.from('secret'))
    const file = () => readFile(join(folder, 'vault.json'), 'utf8')
    expect(costOf(await file())).toEqual(SHIPPED)
    await vault.protect('another passphrase', 'file')
    expect(costOf(await file())).toEqual(SHIPPED)
    const again = await unlockVault({ mode: 'file', folder, passphrase: 'another passphrase' })
    expect(await again.get('account')).toEqual(new Uint8Array(Buffer.from('secret')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('so does a text that is carried elsewhere', async () => {
  const text = await sealUnderPassphrase('sotto-accounts/1', PASSPHRASE, Buffer.from('secret'))
  expect(costOf(text)).toEqual(SHIPPED)
  expect(await decryptWithPassphrase('sotto-accounts/1', PASSPHRASE, text)).toEqual(
    new Uint8Array(Buffer.from('secret')),
  )
})
