import { beforeEach, expect, test, vi } from 'vitest'
import type { ServiceAccount } from '../../src/shared/service-account.ts'
import type { Status } from '../../src/shared/status.ts'

/** Backups that are being restored, until the test answers. */
const restores: ((accounts: readonly ServiceAccount[]) => void)[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { accounts: { restore: () => new Promise((answer) => restores.push(answer)) } },
}))
vi.mock('../../src/renderer/ui/confirmation-store.ts', () => ({
  confirmable: (call: (signal: AbortSignal) => unknown) => call(new AbortController().signal),
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { restoreAccounts, useAccounts } =
  await import('../../src/renderer/features/wallet/accounts/account-store.ts')

const use = (profileId: string) =>
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)

beforeEach(() => {
  use('one')
  restores.length = 0
  useAccounts.setState(useAccounts.getInitialState(), true)
})

test('accounts that were restored are shown', async () => {
  const restored = restoreAccounts('', '')
  restores[0]?.([{ id: 'a' } as ServiceAccount])
  expect(await restored).toBe(1)
  expect(useAccounts.getState().accounts?.map(({ id }) => id)).toEqual(['a'])
})

test('accounts that were restored at a service that was left meanwhile are not shown at the next one', async () => {
  const restored = restoreAccounts('', '')
  use('two')
  restores[0]?.([{ id: 'a' } as ServiceAccount])
  expect(await restored).toBe(1)
  expect(useAccounts.getState().accounts).toBeUndefined()
})
