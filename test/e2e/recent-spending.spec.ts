import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { failure } from './mock-server.ts'
import { usd } from './mock-data.ts'
import { query } from './mock-history.ts'
import { noAccount } from './screens/wallet-screens.ts'
import { expect, test } from './window-test.ts'

const DAY = 86_400_000
const spending = (page: Page) => page.getByRole('region', { name: 'Last 30 days' })
const columns = (page: Page) =>
  spending(page).getByRole('group', { name: 'Spending by day' }).getByRole('img')
const walletLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Wallet' })

test.describe('the spending chart of the wallet', () => {
  test.beforeEach(({ window: { mock } }) => {
    const now = Date.now()
    mock.state.queryHistory.records = [
      query(now - 60_000, { model: 'one', cost: usd(0.9) }),
      query(now - 2 * DAY, { model: 'two', cost: usd(0.25) }),
      query(now - 2 * DAY - 1000, { model: 'one', cost: usd(0.5) }),
      query(now - 9 * DAY, { model: 'three', cost: usd(0.1) }),
    ]
  })

  test('begins with the first day that has a request, and stacks the models', async ({
    window: { open, page },
  }) => {
    await open('#/wallet')
    await expect(spending(page)).toContainText('$1.75')
    await expect(columns(page)).toHaveCount(10)
    await expect(columns(page).first()).toHaveAccessibleName(/: \$0\.10, three \$0\.10$/)
    await expect(columns(page).nth(7)).toHaveAccessibleName(/: \$0\.75, one \$0\.50, two \$0\.25$/)
    await expect(spending(page).getByRole('listitem')).toHaveText(['one', 'two', 'three'])
    for (const line of ['$0.00', '$0.50', '$1.00', '$1.50'])
      await expect(spending(page).getByText(line, { exact: true })).toBeVisible()
    const heights = await columns(page).evaluateAll((all) =>
      all.map((column) => column.getBoundingClientRect().height),
    )
    expect(new Set(heights)).toEqual(new Set([180]))
    expect(await axeFaults(page, 'main')).toEqual([])
  })

  test('shows the values of a day under the pointer and by keyboard', async ({ window: { open, page } }) => {
    await open('#/wallet')
    const tooltip = page.getByTestId('tooltip')
    await columns(page).nth(7).hover()
    await expect(tooltip).toContainText('one $0.50')
    await columns(page).last().focus()
    await expect(tooltip).toContainText('one $0.90')
    await page.keyboard.press('Home')
    await expect(columns(page).first()).toBeFocused()
    await expect(tooltip).toContainText('three $0.10')
    await page.keyboard.press('ArrowRight')
    await expect(columns(page).nth(1)).toBeFocused()
  })

  test('can fail without the rest, and is loaded again on request', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['history.summary'] = failure('service/unreachable')
    await open('#/wallet')
    await expect(spending(page).getByRole('alert')).toContainText('can’t be reached')
    await expect(page.getByTestId('balance')).toHaveText('$4.21')
    mock.state.failures = {}
    await spending(page).getByRole('button', { name: 'Try again' }).click()
    await expect(spending(page)).toContainText('$1.75')
    await spending(page).getByRole('link', { name: 'View activity' }).click()
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('the balance next to Wallet', () => {
  test('is shown from the start, is never rounded up, and follows the wallet', async ({
    window: { open, page, mock },
  }) => {
    mock.state.accounts.balance = '4219900000000'
    await open()
    await expect(walletLink(page)).toContainText('$4.21')
    await walletLink(page).click()
    mock.state.accounts.balance = '9000000000000'
    await page.getByRole('region', { name: 'Balance' }).getByRole('button', { name: 'Refresh' }).click()
    await expect(walletLink(page)).toContainText('$9.00')
  })

  test('is missing if the service doesn’t report it', async ({ window: { open, page, mock } }) => {
    mock.state.failures['accounts.balance'] = failure('service/unreachable')
    await open('#/wallet')
    await expect(page.getByRole('region', { name: 'Balance' }).getByRole('alert')).toBeVisible()
    await expect(walletLink(page)).toHaveText('Wallet')
  })

  test('is not requested without an account', async ({ window: { open, page, mock } }) => {
    noAccount(mock)
    await open('#/wallet')
    await expect(page.getByRole('main')).toContainText('No account is active')
    await expect(walletLink(page)).toHaveText('Wallet')
    expect(mock.calls.some(({ path }) => path === 'accounts.balance')).toBe(false)
  })
})
