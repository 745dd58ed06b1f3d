import { goByPalette, tabTo } from './by-keyboard.ts'
import { usd } from './mock-data.ts'
import { MOCK_NWC, OTHER_NWC } from './mock-wallet.ts'
import { connected, service } from './screens/wallet-connection-screens.ts'
import { expect, test } from './window-test.ts'

const CODE = '314159'

test.describe('with the keyboard only', () => {
  test('a wallet is connected, its limits are changed and raised, and it is disconnected', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    mock.state.confirmationCode = CODE
    const { keyboard } = page
    await open()
    await goByPalette(page, 'Connect Lightning wallet')
    await tabTo(page, /^Wallet connection/)
    await keyboard.insertText(MOCK_NWC)
    await keyboard.press('Enter')
    await expect(page.getByLabel('Code from your terminal')).toBeFocused()
    await keyboard.type(CODE)
    await keyboard.press('Enter')
    await expect(page.getByText('“Pocket” (self-reported name)')).toBeVisible()

    await tabTo(page, /^Pay without asking, up to/)
    await keyboard.press('Control+a')
    await keyboard.type('250')
    await expect(
      page.getByText('To raise a limit, you’ll confirm in a system dialog or your terminal.'),
    ).toBeVisible()
    await tabTo(page, /^Save limits$/)
    await keyboard.press('Enter')
    await expect(page.getByLabel('Code from your terminal')).toBeFocused()
    await keyboard.type(CODE)
    await keyboard.press('Enter')
    await expect(page.getByTestId('announcer')).toHaveText('Limits saved')
    expect(mock.state.wallet.view.limits.automaticUpTo).toBe('250000')

    await tabTo(page, /^Disconnect…$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await tabTo(page, /^Disconnect$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await tabTo(page, /^I’ve removed it$/)
    await keyboard.press('Enter')
    await expect(page.getByText('Remove it there too')).toHaveCount(0)
    expect(mock.state.wallet.view.connection).toBeNull()
  })

  test('the automatic top-up is set up with its terms, and canceled', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    mock.state.confirmationCode = CODE
    const { keyboard } = page
    const topup = page.getByRole('region', { name: 'Automatic top-up' })
    await open()
    await goByPalette(page, 'Connect Lightning wallet')
    await tabTo(page, /^When the balance falls below/)
    await keyboard.press('Control+a')
    await keyboard.type('5')
    await tabTo(page, /^Wallet connection for the service/)
    await keyboard.insertText(OTHER_NWC)
    await tabTo(page, /^Send connection to service…$/)
    await keyboard.press('Enter')
    await expect(page.getByLabel('Code from your terminal')).toBeFocused()
    await keyboard.type(CODE)
    await keyboard.press('Enter')
    await expect(topup).toContainText('On: the service has a wallet connection')
    expect(mock.state.wallet.automaticTopup).toMatchObject({ connected: true, threshold: usd(5) })
    // The wallet's own button comes first in the tab order.
    await tabTo(page, /^Disconnect…$/)
    if (
      !(await topup
        .getByRole('button', { name: 'Disconnect…' })
        .evaluate((element) => element === document.activeElement))
    )
      await tabTo(page, /^Disconnect…$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await tabTo(page, /^Disconnect$/)
    await keyboard.press('Enter')
    await expect(topup.getByRole('status')).toContainText('Remove it in your wallet now')
    expect(mock.state.wallet.automaticTopup.connected).toBe(false)
    expect(mock.state.wallet.view.connection).not.toBeNull()
  })

  test('an account is created, marked as saved, renamed, shown and removed', async ({
    window: { open, page, mock },
  }) => {
    const { keyboard } = page
    await open()
    await goByPalette(page, 'Accounts')
    await tabTo(page, /^New account…$/)
    await keyboard.press('Enter')
    const making = page.getByRole('dialog')
    await expect(making.getByLabel('Name (optional)')).toBeFocused()
    await keyboard.type('Trip')
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Credentials for Trip' })).toBeVisible()
    await tabTo(page, /^I’ve saved them$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'Trip' })).toContainText('Active')

    await tabTo(page, /^Rename Trip$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Rename Trip' }).getByLabel('Name')).toBeFocused()
    await keyboard.press('Control+a')
    await keyboard.type('Journey')
    await keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'Journey' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await tabTo(page, /^Show credentials for Journey$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await tabTo(page, /^Show for 30 seconds$/)
    await keyboard.press('Enter')
    await expect(page.getByTestId('secret').first()).toBeVisible()
    await keyboard.press('Escape')
    await expect(page.getByTestId('secret')).toHaveCount(0)

    await tabTo(page, /^Remove Journey$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await tabTo(page, /^Remove$/)
    await keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'Journey' })).toHaveCount(0)
    expect(mock.state.accounts.list.map(({ account }) => account.name)).not.toContain('Journey')
  })
})

test('an account isn’t connected with a credit ID that is too short, and the field states why', async ({
  window: { open, page, mock },
}) => {
  await open('#/wallet/accounts')
  const before = mock.state.accounts.list.length
  await page.getByRole('button', { name: 'Connect account…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('API key').fill('sk-12345678')
  await dialog.getByLabel('Credit ID (optional)').fill('short')
  await dialog.getByLabel('Credit ID (optional)').press('Enter')
  await expect(dialog).toContainText('A credit ID has at least 8 characters.')
  await dialog.getByLabel('Credit ID (optional)').fill('12345678')
  await expect(dialog).not.toContainText('A credit ID has at least 8 characters.')
  expect(mock.state.accounts.list).toHaveLength(before)
})

test('a dialog that begins with a file moves the focus to the button that chooses it', async ({
  window: { open, page },
}) => {
  await open('#/wallet/accounts')
  await page.getByRole('button', { name: 'Restore…' }).press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Choose file…' })).toBeFocused()
})
