import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import { MemoryKeychain } from './memory-keychain.ts'
import { startWorld } from '../../../world.ts'

const PASSPHRASE = 'correct horse battery'
const refused = (code: string) => ({ code: 'SOTTO', data: { code } })

describe('the vault, through the contract', () => {
  it('shows its kind and the state of the keychain, and checks the keychain on request', async () => {
    const keychain = new MemoryKeychain()
    keychain.trouble = 'absent'
    await using world = await startWorld({
      vault: (folder) => unlockVault({ mode: 'auto', folder, keychain }),
    })
    expect(await world.call('vault/view')).toEqual({
      kind: 'memory',
      state: 'open',
      keychain: 'absent',
      asked: 'auto',
      autoLock: null,
    })
    keychain.trouble = 'refused'
    expect(await world.call('vault/view')).toMatchObject({ keychain: 'absent' })
    expect(await world.call('vault/examine')).toMatchObject({ keychain: 'refused' })
  })

  it('moves from memory to the keychain, with its data, without confirmation; to a passphrase and back only with one', async () => {
    const keychain = new MemoryKeychain()
    keychain.trouble = 'locked'
    let isApproved = true
    const asked: string[] = []
    await using world = await startWorld({
      vault: (folder) => unlockVault({ mode: 'auto', folder, keychain }),
      confirm: (question) => {
        asked.push(question)
        return isApproved
      },
    })
    await world.call('app/begin')
    expect(await world.call('vault/moveToKeychain', {})).toMatchObject(refused('vault/keychain-unusable'))
    keychain.trouble = 'none'
    expect(await world.call('vault/moveToKeychain', {})).toMatchObject({
      kind: 'keychain',
      state: 'open',
      keychain: 'working',
    })
    expect(asked).toEqual([])
    expect(await readdir(world.folder, { recursive: true })).toContain('profiles/sandbox/sotto.db')

    isApproved = false
    expect(await world.call('vault/moveToFile', { passphrase: PASSPHRASE })).toMatchObject(
      refused('confirm/refused'),
    )
    expect(await world.call('vault/view')).toMatchObject({ kind: 'keychain' })
    isApproved = true
    expect(await world.call('vault/moveToFile', { passphrase: PASSPHRASE })).toMatchObject({
      kind: 'file',
      state: 'open',
    })

    expect(await world.call('vault/moveToKeychain', {})).toMatchObject(refused('vault/wrong-passphrase'))
    isApproved = false
    expect(await world.call('vault/moveToKeychain', { current: PASSPHRASE })).toMatchObject(
      refused('confirm/refused'),
    )
    isApproved = true
    expect(await world.call('vault/moveToKeychain', { current: PASSPHRASE })).toMatchObject({
      kind: 'keychain',
    })
    // Nothing was asked of the person where the passphrase was wrong.
    expect(asked.length).toBe(4)
    expect(await world.call('localApi/get')).toMatchObject({ key: world.key })
  })

  it('gets a passphrase without confirmation only if it has none: one set at the same moment remains', async () => {
    const keychain = new MemoryKeychain()
    keychain.trouble = 'absent'
    const asked: string[] = []
    await using world = await startWorld({
      vault: (folder) => unlockVault({ mode: 'auto', folder, keychain }),
      confirm: (question) => asked.push(question) < 0,
    })
    const [first, other] = await Promise.all([
      world.call('vault/protect', { passphrase: PASSPHRASE }),
      world.call('vault/protect', { passphrase: 'somebody else’s words' }),
    ])
    expect(first).toMatchObject({ vault: { kind: 'file' } })
    expect(other).toMatchObject(refused('vault/unavailable'))
    keychain.trouble = 'none'
    expect(await world.call('vault/moveToKeychain', { current: 'somebody else’s words' })).toMatchObject(
      refused('vault/wrong-passphrase'),
    )
    expect(await world.call('vault/moveToKeychain', { current: PASSPHRASE })).toMatchObject(
      refused('confirm/refused'),
    )
    expect(asked).toHaveLength(1)
  })

  it('moves to the keychain without confirmation only from memory, also if a passphrase is set at the same moment', async () => {
    const keychain = new MemoryKeychain()
    keychain.trouble = 'absent'
    await using world = await startWorld({
      vault: (folder) => unlockVault({ mode: 'auto', folder, keychain }),
      confirm: () => false,
    })
    keychain.trouble = 'none'
    const [, moved] = await Promise.all([
      world.call('vault/protect', { passphrase: PASSPHRASE }),
      world.call('vault/moveToKeychain', {}),
    ])
    expect(moved).toMatchObject(refused('vault/unavailable'))
    expect(await world.call('vault/view')).toMatchObject({ kind: 'file', state: 'open' })
  })

  it('creates a recovery copy only after confirmation, and restores one only if no vault is open, after confirmation', async () => {
    const keychain = new MemoryKeychain()
    let isApproved = false
    const confirm = () => isApproved
    const vault = (folder: string) => unlockVault({ mode: 'auto', folder, keychain })
    let copy: string
    let first: string
    {
      await using world = await startWorld({ vault, confirm })
      first = world.key
      expect(await world.call('vault/recoveryCopy', { passphrase: PASSPHRASE })).toMatchObject(
        refused('confirm/refused'),
      )
      isApproved = true
      const recoveryCopy = (await world.call('vault/recoveryCopy', { passphrase: PASSPHRASE })) as {
        name: string
        text: string
      }
      expect(recoveryCopy.name).toBe('sotto-recovery.json')
      copy = recoveryCopy.text
      expect(copy).not.toContain(first)
      expect(await world.call('vault/restore', { text: copy, passphrase: PASSPHRASE })).toMatchObject(
        refused('vault/unavailable'),
      )
    }
    await using world = await startWorld({
      vault: async (folder) => {
        await (await vault(folder)).close()
        keychain.items.clear()
        return vault(folder)
      },
      confirm,
    })
    expect(await world.call('app/status')).toMatchObject({ vault: { kind: 'keychain', state: 'damaged' } })
    expect(await world.call('vault/recoveryCopy', { passphrase: PASSPHRASE })).toMatchObject(
      refused('vault/damaged'),
    )
    isApproved = false
    expect(await world.call('vault/restore', { text: copy, passphrase: PASSPHRASE })).toMatchObject(
      refused('confirm/refused'),
    )
    isApproved = true
    expect(await world.call('vault/restore', { text: copy, passphrase: 'another one' })).toMatchObject(
      refused('vault/recovery-passphrase'),
    )
    expect(await world.call('vault/restore', { text: '{}', passphrase: PASSPHRASE })).toMatchObject(
      refused('vault/recovery-invalid'),
    )
    expect(await world.call('vault/restore', { text: copy, passphrase: PASSPHRASE })).toMatchObject({
      vault: { kind: 'keychain', state: 'open' },
    })
    expect(await world.call('localApi/get')).toMatchObject({ key: first })
  })
})
