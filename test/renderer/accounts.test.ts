// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import type { ServiceAccount } from '../../src/shared/service-account.ts'
import type { Status } from '../../src/shared/status.ts'

/** Backups that are being restored, until the test answers. */
const restores: ((accounts: readonly ServiceAccount[]) => void)[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    accounts: {
      restore: () => new Promise((answer) => restores.push(answer)),
      // Accounts without a credit ID, which the status can't tell apart.
      activate: () => Promise.resolve(status('one')),
    },
  },
}))
vi.mock('../../src/renderer/ui/confirmation-store.ts', () => ({
  confirmable: (call: (signal: AbortSignal) => unknown) => call(new AbortController().signal),
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readAnswer } = await import('../../src/renderer/data/use-answer.ts')
const { accountsQuestion, activateAccount, restoreAccounts } =
  await import('../../src/renderer/features/wallet/accounts/account-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string) =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status
const use = (profileId: string) => setStatus(status(profileId))

beforeEach(() => {
  use('one')
  restores.length = 0
  currentScope().client.clear()
})

test('restored accounts are shown', async () => {
  const restored = restoreAccounts('', '')
  restores[0]?.([{ id: 'a' } as ServiceAccount])
  expect(await restored).toBe(1)
  expect(readAnswer(currentScope(), accountsQuestion)?.map(({ id }) => id)).toEqual(['a'])
})

test('accounts that were restored at the previous service aren’t shown at the next one', async () => {
  const restored = restoreAccounts('', '')
  use('two')
  restores[0]?.([{ id: 'a' } as ServiceAccount])
  expect(await restored).toBe(1)
  expect(readAnswer(currentScope(), accountsQuestion)).toBeUndefined()
})

test('the balance of the previous account isn’t shown when another one becomes active', async () => {
  const scope = currentScope()
  scope.client.setQueryData([scope.service, 'balance'], { picoUsd: '1', at: 1 })
  await activateAccount('b')
  expect(currentScope()).toBe(scope)
  expect(scope.client.getQueryData([scope.service, 'balance'])).toBeUndefined()
})
