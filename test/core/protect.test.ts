import { readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { unlockVault } from '../../src/core/core.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../world.ts'
import { askChat } from './conversations/ask-chat.ts'

afterEach(() => void vi.useRealTimers())

/** Asks for a passphrase only once there is something to save, and then saves everything so far. */
it('a vault in memory takes a passphrase later, and what there was moves to disk, sealed', async () => {
  await using world = await startInMemory()
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

  const reopened = await reopen(world.folder)
  expect([reopened.kind, reopened.state]).toEqual(['file', 'open'])
  expect(Buffer.from((await reopened.get('local-key'))!).toString()).toBe(world.key)
})

describe('a store that the disk refuses', () => {
  it('stays in memory, and is reported so, until it is protected successfully', async () => {
    await using world = await startInMemory()
    await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'Remember me.' })
    await fillDisk(world)
    const protect = (passphrase = 'correct horse') => world.call('vault/protect', { passphrase })
    expect(await protect()).toMatchObject({ data: { code: 'store/unwritable' } })
    await expectUnsaved(world)
    expect(await protect()).toMatchObject({ data: { code: 'store/unwritable' } })

    await freeDisk(world)
    expect(await protect('another horse')).toMatchObject({ data: { code: 'vault/wrong-passphrase' } })
    await expectUnsaved(world)
    expect(await protect()).toMatchObject({ vault: { kind: 'file', state: 'open' } })
    expect(world.core.status().canLock).toBe(true)
    await expectSaved(world)
  })

  it('is saved within a minute when the disk accepts it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using world = await startInMemory()
    await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'Remember me.' })
    await fillDisk(world)
    await world.call('vault/protect', { passphrase: 'correct horse' })
    vi.advanceTimersByTime(60_000)
    await expectUnsaved(world)
    await freeDisk(world)
    vi.advanceTimersByTime(60_000)
    await expect.poll(() => world.core.status().canLock).toBe(true)
    expect(await world.call('vault/view')).toMatchObject({ kind: 'file' })
    await expectSaved(world)
  })

  it('is saved at the end if the disk accepts it by then', async () => {
    await using world = await startInMemory()
    await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'Remember me.' })
    await fillDisk(world)
    await world.call('vault/protect', { passphrase: 'correct horse' })
    await freeDisk(world)
    await expectSaved(world)
  })
})

const noKeychain = { get: fails, set: fails, delete: fails }
const startInMemory = (): Promise<World> =>
  startWorld({ vault: (folder) => unlockVault({ mode: 'auto', folder, keychain: noKeychain }) })
const reopen = (folder: string) =>
  unlockVault({ mode: 'auto', folder, passphrase: 'correct horse', keychain: noKeychain })

/** From now on, no folder of a profile can be created, as on a full disk. */
const fillDisk = ({ folder }: World): Promise<void> =>
  symlink(join(folder, 'nowhere', 'at-all'), join(folder, 'profiles'))
const freeDisk = ({ folder }: World): Promise<void> => rm(join(folder, 'profiles'))

async function expectUnsaved(world: World): Promise<void> {
  expect(world.vault.kind).toBe('file')
  expect(world.core.status().canLock).toBe(false)
  expect(await world.call('app/status')).toMatchObject({ vault: { kind: 'memory', state: 'open' } })
  expect(await world.call('vault/view')).toMatchObject({ kind: 'memory', autoLock: null })
  expect(await world.call('vault/setAutoLock', { afterMinutes: 5, onSleep: true })).toMatchObject({
    data: { code: 'vault/cannot-lock' },
  })
}

/** The next start has the chat. */
async function expectSaved(world: World): Promise<void> {
  await world.core[Symbol.asyncDispose]()
  await world.vault.close()
  const { sandbox, folder, clock } = world
  await using next = await startWorld({ vault: reopen, outlives: { sandbox, folder, clock } })
  expect(await next.call('conversations/list')).toMatchObject([{ title: 'Remember me.' }])
}

function fails(): Promise<never> {
  return Promise.reject(new Error('no keychain here'))
}
