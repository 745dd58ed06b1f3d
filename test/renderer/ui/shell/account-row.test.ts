// @vitest-environment happy-dom
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { AccountRow, initialOf } from '../../../../src/renderer/ui/shell/account-row.tsx'
import { setStatus } from '../../../../src/renderer/ui/status-store.ts'
import { sandboxStatus } from '../../../e2e/mock-data.ts'
import { drawInPage } from '../../in-page.ts'

describe('the row of the account', () => {
  it.each([
    [{ connected: true, name: 'Savings' }, 'Savings'],
    [{ connected: true }, 'Account'],
    [{ connected: false }, 'No account'],
  ])('%j is named %s, and leads to the accounts and the settings', (account, name) => {
    setStatus({ ...sandboxStatus(), account })
    const page = drawInPage(createElement(AccountRow))
    const [accounts, settings] = page.getAllByRole('link')
    expect(accounts?.textContent).toContain(name)
    expect(accounts?.getAttribute('href')).toBe('#/wallet/accounts')
    expect(settings?.getAttribute('aria-label')).toBe('Settings')
    expect(settings?.getAttribute('href')).toBe('#/settings')
  })

  it.each([
    ['savings', 'S'],
    ['שיחה', 'ש'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧'],
    ['', ''],
  ])('the initial of “%s” is “%s”', (name, initial) => expect(initialOf(name)).toBe(initial))
})
