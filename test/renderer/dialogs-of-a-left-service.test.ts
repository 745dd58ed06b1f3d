// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const account = { id: 'account', name: 'Mine', active: true, keyMasked: 'k', addedAt: 1, saved: true }

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { accounts: { list: () => Promise.resolve([account]) } },
}))
vi.mock(import('../../src/renderer/ui/route.ts'), async (original) => ({
  ...(await original()),
  useRoute: () => ({ view: 'wallet' }),
}))

/** A row, in whose place is a button for one of its acts. */
const row = vi.hoisted(() => async (name: string, wanted: string) => {
  const { createElement: create } = await import('react')
  return {
    [name]: ({ onAct }: { onAct: (act: string) => void }) =>
      create('button', { onClick: () => onAct(wanted) }, 'Act'),
  }
})
vi.mock('../../src/renderer/features/wallet/accounts/account-row.tsx', () => row('AccountRow', 'reveal'))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { Accounts } = await import('../../src/renderer/features/wallet/accounts/accounts.tsx')

/** The tests need only the parts by which services differ. */
const status = (profileId: string, creditIdMasked?: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true, creditIdMasked },
    vault: { state: 'open' },
  }) as Status
const dialog = () => screen.queryByRole('dialog') ?? screen.queryByRole('alertdialog')

beforeEach(() => {
  setStatus(status('one'))
})

test('an account dialog closes when another service is chosen', async () => {
  drawInPage(createElement(Accounts))
  await settled()
  fireEvent.click(screen.getByRole('button', { name: 'Act' }))
  expect(dialog()).not.toBeNull()
  act(() => setStatus(status('two')))
  expect(dialog()).toBeNull()
})

test('the credentials of a new account stay in view when another account becomes active', () => {
  drawInPage(createElement(Accounts))
  fireEvent.click(screen.getByRole('button', { name: 'New account…' }))
  expect(dialog()).not.toBeNull()
  act(() => setStatus(status('one', 'c…d')))
  expect(dialog()).not.toBeNull()
})

test('the dialog for an API key closes when another service is chosen, which must not get the key', () => {
  drawInPage(createElement(Accounts))
  fireEvent.click(screen.getByRole('button', { name: 'Connect account…' }))
  expect(dialog()).not.toBeNull()
  act(() => setStatus(status('two')))
  expect(dialog()).toBeNull()
})
