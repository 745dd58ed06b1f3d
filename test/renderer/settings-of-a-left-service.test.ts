// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const { balances, contacts, waits } = vi.hoisted(() => {
  const balances: ((answer: unknown) => void)[] = []
  const contacts: ((answer: unknown) => void)[] = []
  return {
    balances,
    contacts,
    waits: (asked?: ((answer: unknown) => void)[]) => () => new Promise((answer) => asked?.push(answer)),
  }
})

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    accounts: { balance: waits(balances) },
    diagnostics: { contacts: waits(contacts) },
    vault: { view: waits() },
    profiles: { list: waits() },
    desktop: { view: waits(), updates: waits() },
    windows: { list: waits() },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { SettingsView } = await import('../../src/renderer/features/settings/settings-view.tsx')
const { ContactsSection } = await import('../../src/renderer/features/settings/contacts-section.tsx')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status

beforeEach(() => {
  setStatus(status('one'))
  balances.length = 0
  contacts.length = 0
})

test('a balance is never shown for the next service', async () => {
  drawInPage(createElement(SettingsView))
  const account = () => within(screen.getByRole('region', { name: 'Account' }))
  const shown = () =>
    account()
      .getAllByRole('definition')
      .map(({ textContent }) => textContent)
      .join('\n')
  const ask = () => fireEvent.click(account().getByRole('button', { name: 'Show balance' }))
  ask()
  balances[0]?.({ picoUsd: '5000000000000' })
  await settled()
  expect(shown()).toContain('$5')
  act(() => setStatus(status('two')))
  expect(shown()).not.toContain('$5')
  ask()
  act(() => setStatus(status('one')))
  balances[1]?.({ picoUsd: '5000000000001' })
  await settled()
  expect(shown()).not.toContain('0000001')
})

test('the network connections are those of the current service', async () => {
  drawInPage(createElement(ContactsSection))
  const hosts = () =>
    within(screen.getByRole('region', { name: 'Network connections' }))
      .queryAllByRole('term')
      .map(({ textContent }) => textContent)
  contacts[0]?.([{ host: 'one.example', use: 'service', loopback: false }])
  await settled()
  expect(hosts()).toEqual(['one.example'])
  act(() => setStatus(status('two')))
  contacts[1]?.([{ host: 'two.example', use: 'service', loopback: false }])
  await settled()
  expect(hosts()).toEqual(['two.example'])
})
