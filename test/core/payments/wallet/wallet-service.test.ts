import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unlockVault, type Vault } from '../../../../src/core/core.ts'
import { lazyWallet } from '../../../../src/core/payments/wallet/lazy-wallet.ts'
import { createWalletService, type WalletService } from '../../../../src/core/payments/wallet/index.ts'
import {
  readSpendingLimits,
  resumedAtIn,
  spendingLimits,
  usualLimits,
  writeSpendingLimits,
} from '../../../../src/core/payments/wallet/spending-settings.ts'

const KEY = 'a'.repeat(64)
const view = {
  kind: 'nwc',
  publicKey: KEY,
  relays: ['relay.example'],
  methods: ['pay_invoice'],
  canLookUp: false,
  connectedAt: 1,
}
let folder: string
let vault: Vault
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-wallet-'))
  vault = await unlockVault({ mode: 'memory', folder })
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const open = (profileId = 'one', inUse = false): Promise<WalletService> =>
  createWalletService({
    vault,
    profile: { id: profileId, lightningNetwork: 'regtest' },
    simulated: null,
    inUse: () => inUse,
    now: () => 5,
  })
const keep = (name: string, value: unknown): Promise<void> =>
  vault.set(name, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

describe('the wallet in the vault', () => {
  it('belongs to its own profile', async () => {
    await keep('wallet/one', { profileId: 'one', view, connection: 'x' })
    expect((await open()).view()).toEqual(view)
    expect((await open()).paying()).toMatchObject({ publicKey: KEY, canLookUp: false })
    expect((await open('two')).view()).toBeNull()
  })
  it.each([
    '',
    'not json',
    '{}',
    { profileId: 'two', view, connection: 'x' },
    { profileId: 'one', view },
    { profileId: 'one', view: { ...view, kind: 'other' }, connection: 'x' },
  ])('is ignored if it’s invalid: %j', async (value) => {
    await keep('wallet/one', value)
    const wallet = await open()
    expect([wallet.view(), wallet.paying()]).toEqual([null, null])
  })
  it('can’t be disconnected or replaced during a payment', async () => {
    await keep('wallet/one', { profileId: 'one', view, connection: 'x' })
    const wallet = await open('one', true)
    await expect(wallet.disconnect()).rejects.toMatchObject({ code: 'wallet/in-use' })
    await expect(wallet.connect('x', () => Promise.resolve())).rejects.toMatchObject({
      code: 'wallet/in-use',
    })
    expect(await vault.get('wallet/one')).not.toBeNull()
  })
  it('of a sandbox that doesn’t run pays nothing', async () => {
    await keep('wallet/one', { profileId: 'one', view: { ...view, kind: 'sandbox' } })
    const wallet = await open()
    expect(
      await wallet.paying()?.pay('lnbcrt1', { expiresAt: 1, signal: new AbortController().signal }),
    ).toEqual({ outcome: 'not-paid', code: 'wallet/unreachable' })
    expect(await wallet.paying()?.lookUp('0'.repeat(64), new AbortController().signal)).toEqual({
      state: 'unreachable',
    })
    await expect(wallet.connectSimulated()).rejects.toMatchObject({ code: 'sandbox/off' })
  })
})

describe('a wallet that is opened at its first use', () => {
  it('isn’t opened before, and never throws', async () => {
    let opened = 0
    const wallet = lazyWallet({ publicKey: KEY, canLookUp: true }, () => {
      opened += 1
      return Promise.reject(new Error('no'))
    })
    expect([wallet.publicKey, wallet.canLookUp, opened]).toEqual([KEY, true, 0])
    expect(await wallet.pay('lnbc1', { expiresAt: 1, signal: new AbortController().signal })).toEqual({
      outcome: 'not-paid',
      code: 'wallet/unreachable',
    })
    expect(await wallet.lookUp('0'.repeat(64), new AbortController().signal)).toEqual({
      state: 'unreachable',
    })
    expect(opened).toBe(2)
  })
})

describe('spending limits in the settings', () => {
  const settings = () => {
    const stored = new Map<string, string>()
    return {
      kept: stored,
      get: (name: string) => stored.get(name) ?? null,
      set: (name: string, value: string) => void stored.set(name, value),
    }
  }
  it('are the default ones until they’re changed', () => {
    const savedSettings = settings()
    expect(readSpendingLimits(savedSettings)).toEqual(usualLimits)
    writeSpendingLimits(savedSettings, { ...usualLimits, perDay: '0' })
    expect(spendingLimits(savedSettings)).toEqual({
      perPayment: 20_000_000n,
      perDay: 0n,
      perHostAndDay: 50_000_000n,
      automaticUpTo: 1_000_000n,
    })
  })
  it.each(['', 'x', '{}', JSON.stringify({ ...usualLimits, perDay: '-1' })])(
    'allow nothing if they can’t be read: %j',
    (value) => {
      const savedSettings = settings()
      savedSettings.set('spending-limits', value)
      expect(() => spendingLimits(savedSettings)).toThrow(expect.objectContaining({ code: 'store/damaged' }))
    },
  )
  it('store when a person resumed payments', () => {
    const savedSettings = settings()
    expect(resumedAtIn(savedSettings).read()).toBe(0)
    resumedAtIn(savedSettings).write(12.7)
    expect(resumedAtIn(savedSettings).read()).toBe(12)
    savedSettings.set('payments-resumed-at', 'soon')
    expect(resumedAtIn(savedSettings).read()).toBe(0)
  })
})
