import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { unlockVault } from '../../src/core/core.ts'
import { startWorld } from '../world.ts'

/** Asks for a passphrase only once there is something to save, and then saves everything so far. */
it('a vault in memory takes a passphrase later, and what there was moves to disk, sealed', async () => {
  await using world = await startWorld({
    vault: (folder) =>
      unlockVault({ mode: 'auto', folder, keychain: { get: fails, set: fails, delete: fails } }),
  })
  expect(await world.call('app/status')).toMatchObject({ vault: { kind: 'memory', state: 'open' } })
  const before = await world.call('localApi/get')
  await world.call('app/begin')
  expect((await readdir(world.folder, { recursive: true })).filter((name) => name.endsWith('.db'))).toEqual(
    [],
  )

  expect(await world.call('vault/protect', { passphrase: 'correct horse' })).toMatchObject({
    vault: { kind: 'file', state: 'open' },
  })
  expect(await readdir(world.folder, { recursive: true })).toContain('profiles/sandbox/sotto.db')
  expect(await world.call('localApi/get')).toEqual(before)
  await world.core[Symbol.asyncDispose]()
  await world.vault.close()

  const reopened = await unlockVault({
    mode: 'auto',
    folder: world.folder,
    passphrase: 'correct horse',
    keychain: { get: fails, set: fails, delete: fails },
  })
  expect([reopened.kind, reopened.state]).toEqual(['file', 'open'])
  expect(Buffer.from((await reopened.get('local-key'))!).toString()).toBe(world.key)
})

function fails(): Promise<never> {
  return Promise.reject(new Error('no keychain here'))
}
