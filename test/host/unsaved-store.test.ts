import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clientOf } from '../../src/cli/client.ts'
import type * as keychains from '../../src/core/storage/vault/keychain.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import { startHost } from '../../src/host/host.ts'
import { readSettings } from '../../src/host/settings.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'

vi.mock('../../src/core/storage/vault/keychain.ts', async (original) => {
  const fails = (): Promise<never> => Promise.reject(new Error('no keychain here'))
  return {
    ...(await original<typeof keychains>()),
    systemKeychain: () => ({ get: fails, set: fails, delete: fails }),
  }
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-unsaved-'))
  await placeRoots(join(folder, 'sandbox'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('isn’t locked as long as the disk refuses the store, and a notice states that nothing is saved', async () => {
  await using host = await startHost({
    settings: await readSettings({ SOTTO_DATA_DIR: folder }),
    anyPort: true,
    folder: await DataFolder.check(folder),
    confirm: { ask: () => Promise.resolve(true), pending: () => null, answer: () => ({ accepted: false }) },
  })
  const client = clientOf(host)
  const begun = (): Promise<boolean> => client.app.status().then(({ firstStart }) => !firstStart)
  await client.app.begin()
  await symlink(join(folder, 'nowhere', 'at-all'), join(folder, 'profiles'))
  const protect = () => client.vault.protect({ passphrase: 'correct horse' })
  await expect(protect()).rejects.toMatchObject({ data: { code: 'store/unwritable' } })
  await expect(host.lock()).rejects.toMatchObject({ code: 'vault/cannot-lock' })
  expect((await host.notices()).map(({ id }) => id)).toContain('vault-memory')
  expect(await begun()).toBe(true)

  await rm(join(folder, 'profiles'))
  await protect()
  expect((await host.notices()).map(({ id }) => id)).not.toContain('vault-memory')
  expect(await host.lock()).toBe(true)
  await client.vault.unlock({ passphrase: 'correct horse' })
  expect(await begun()).toBe(true)
}, 60_000)
