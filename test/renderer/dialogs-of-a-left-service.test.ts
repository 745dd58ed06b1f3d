import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign(
        (chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()),
        store,
      )
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {},
}))
vi.mock('../../src/renderer/ui/route.ts', () => ({ useRoute: () => ({ room: 'keys' }) }))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { Keys: LocalKeys } = await import('../../src/renderer/features/local-api/keys/keys.tsx')
const { useLocalApi } = await import('../../src/renderer/features/local-api/local-api-store.ts')
const { Accounts } = await import('../../src/renderer/features/wallet/accounts/accounts.tsx')
const { useAccounts } = await import('../../src/renderer/features/wallet/accounts/account-store.ts')

/** Only what tells one service from another is of use here. */
const status = (profileId: string, creditIdMasked?: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true, creditIdMasked },
    vault: { state: 'open' },
  }) as Status
const isOpen = (drawn: unknown) => [...elements(drawn)].some(({ close }) => close !== undefined)

beforeEach(() => {
  setStatus(status('one'))
  useLocalApi.setState({
    keys: [
      {
        id: 'key',
        name: 'editor',
        first: false,
        state: 'live',
        limits: {},
        spent: '0',
        held: '0',
        requests: 0,
        createdAt: 1,
      },
    ],
  })
  useAccounts.setState({
    accounts: [{ id: 'account', name: 'Mine', active: true, keyMasked: 'k', addedAt: 1, saved: true }],
  })
})

describe.each([
  ['local keys', LocalKeys],
  ['accounts', Accounts],
])('a dialog of %s', (_, Part) => {
  test('ends with the service that it was opened at', () => {
    const drawn = draw(() => Part())
    for (const { onAct } of elements(drawn.shown()))
      if (isAct(onAct)) onAct(Part === LocalKeys ? 'revoke' : 'reveal')
    expect(isOpen(drawn.shown())).toBe(true)
    setStatus(status('two'))
    drawn.again()
    expect(isOpen(drawn.shown())).toBe(false)
  })
})

test('the credentials of a new account (another by itself, stay in view)', () => {
  const drawn = draw(() => Accounts())
  for (const { onClick, kind } of elements(drawn.shown()))
    if (kind === 'primary' && isPress(onClick)) onClick()
  expect(isOpen(drawn.shown())).toBe(true)
  setStatus(status('one', 'c…d'))
  drawn.again()
  expect(isOpen(drawn.shown())).toBe(true)
})

function isAct(value: unknown): value is (act: string) => void {
  return typeof value === 'function'
}

function isPress(value: unknown): value is () => void {
  return typeof value === 'function'
}
