import type { Page } from '@playwright/test'
import { serviceStatus } from './mock-data.ts'
import { failure, type MockServer } from './mock-server.ts'
import { MOCK_NWC, MOCK_NWC_SECRET, mockConnection, OTHER_NWC } from './mock-wallet.ts'
import { wholePage } from './whole-page.ts'
import { connected, service } from './screens/wallet-connection-screens.ts'
import { expect, test } from './window-test.ts'

const PLACE = '#/wallet/connection'
const CODE = '271828'

async function confirm(page: Page): Promise<void> {
  await page.getByLabel('Code from your terminal').fill(CODE)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

const callsOf = (mock: MockServer, path: string) => mock.calls.filter((call) => call.path === path)
const wallet = (page: Page) => page.getByRole('region', { name: 'Your Lightning wallet' })
const topup = (page: Page) => page.getByRole('region', { name: 'Automatic top-up' })

test.describe('the wallet that Sotto pays with', () => {
  test('is connected by a pasted connection, confirmed outside the window and nowhere in the page afterward', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    const field = page.getByLabel('Wallet connection', { exact: true })
    await expect(field).toHaveAttribute('type', 'password')
    await expect(wallet(page)).toContainText('connection only for Sotto')
    await field.fill(MOCK_NWC)
    // The search finds the secret while the field holds it.
    expect(await wholePage(page)).toContain(MOCK_NWC_SECRET)
    await page.getByRole('button', { name: 'Connect wallet…' }).click()
    await expect(page.getByLabel('Code from your terminal')).toBeVisible()
    await expect(page.getByRole('alertdialog')).toContainText('Connect the wallet at relay.example')
    // Not even during the question.
    expect(await wholePage(page)).not.toContain(MOCK_NWC_SECRET)
    await confirm(page)
    await expect(wallet(page)).toContainText('“Pocket” (self-reported name)')
    expect(callsOf(mock, 'wallet.connect').map(({ input }) => input)).toEqual([{ connection: MOCK_NWC }])
    expect(await wholePage(page)).not.toContain(MOCK_NWC_SECRET)
    await page.reload()
    await expect(wallet(page)).toContainText('“Pocket” (self-reported name)')
    expect(await wholePage(page)).not.toContain(MOCK_NWC_SECRET)
  })

  test('isn’t connected by an invalid connection, which is cleared and never sent, and shows a refusal by the core', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    await open(PLACE)
    const field = page.getByLabel('Wallet connection', { exact: true })
    await page.getByRole('button', { name: 'Connect wallet…' }).click()
    await expect(wallet(page)).toContainText('Paste the wallet connection first.')
    await field.fill(`https://wallet.example/?secret=${MOCK_NWC_SECRET}`)
    await page.keyboard.press('Enter')
    await expect(wallet(page)).toContainText('This isn’t a wallet connection')
    await expect(field).toHaveValue('')
    await expect(field).toBeFocused()
    expect(callsOf(mock, 'wallet.connect')).toEqual([])
    expect(await wholePage(page)).not.toContain(MOCK_NWC_SECRET)
    mock.state.failures['wallet.connect'] = failure('wallet/cannot-pay')
    await field.fill(MOCK_NWC)
    await page.keyboard.press('Enter')
    await expect(wallet(page).getByRole('alert')).toContainText(
      'This connection doesn’t have permission to pay invoices.',
    )
    await expect(field).toHaveValue('')
  })

  test('isn’t connected without a confirmation', async ({ window: { open, page, mock } }) => {
    service(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await page.getByLabel('Wallet connection', { exact: true }).fill(MOCK_NWC)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alertdialog', { name: 'Confirm in your terminal' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(wallet(page).getByRole('alert')).toContainText('confirm/refused')
    await expect(page.getByLabel('Wallet connection', { exact: true })).toBeVisible()
    expect(mock.state.wallet.view.connection).toBeNull()
  })

  test('is the demo wallet after one press in the sandbox, and a real service offers none', async ({
    window: { open, page, mock },
  }) => {
    await open(PLACE)
    await page.getByRole('button', { name: 'Connect demo wallet' }).click()
    await expect(wallet(page)).toContainText('Demo wallet (no real money)')
    mock.state.wallet.view = { ...mock.state.wallet.view, connection: null }
    service(mock)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Connect wallet…' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect demo wallet' })).toHaveCount(0)
  })

  test('shows its capabilities, its balance and what this connection may spend', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    for (const part of [
      'pay invoices, look up payments',
      'also create invoices',
      'relay.example',
      '1,250,000 sats',
      'connection budget 50,000 sats, 1,200 sats used',
    ])
      await expect(wallet(page)).toContainText(part)
    await expect(wallet(page)).not.toContainText('Manual payments only')
    mock.state.wallet.funds = {}
    await page.getByRole('button', { name: 'Refresh' }).last().click()
    await expect(wallet(page)).toContainText('Not reported')
    mock.state.failures['wallet.funds'] = failure('wallet/unreachable')
    await page.getByRole('button', { name: 'Refresh' }).last().click()
    await expect(wallet(page).getByRole('alert')).toContainText('The wallet isn’t responding.')
  })

  test('without payment lookups is only for manual payments, and shows that', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    mock.state.wallet.view = {
      ...mock.state.wallet.view,
      connection: mockConnection({ canLookUp: false, methods: ['pay_invoice'] }),
    }
    await open(PLACE)
    await expect(wallet(page)).toContainText('Manual payments only.')
    await expect(wallet(page)).toContainText('You’re asked before each payment')
  })

  test('is disconnected after a question, with a reminder to remove it in the wallet until that is confirmed', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    await wallet(page).getByRole('button', { name: 'Disconnect…' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('doesn’t')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    mock.state.failures['wallet.disconnect'] = failure('wallet/in-use')
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toContainText('A payment from this wallet is in progress.')
    delete mock.state.failures['wallet.disconnect']
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await expect(wallet(page).getByRole('status')).toContainText('Remove it there too')
    await expect(page.getByLabel('Wallet connection', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'I’ve removed it' }).click()
    await expect(wallet(page)).not.toContainText('Remove it there too')
  })

  test('shows why it couldn’t be loaded, and is loaded again on request', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['wallet.get'] = failure('store/damaged')
    await open(PLACE)
    await expect(wallet(page).getByRole('alert')).toContainText('The data folder can’t be read')
    delete mock.state.failures['wallet.get']
    await wallet(page).getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Wallet connection', { exact: true })).toBeVisible()
    await expect(wallet(page).getByRole('alert')).toHaveCount(0)
  })
})

test.describe('the spending limits', () => {
  const limits = (page: Page) => page.getByRole('form', { name: 'Limits' })

  test('are in sats, explain a limit of 0, and can’t be saved with an invalid amount', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    await expect(limits(page).getByLabel('Maximum per payment')).toHaveValue('5000')
    await expect(limits(page).getByRole('button', { name: 'Save limits' })).toBeDisabled()
    await limits(page).getByLabel('Pay without asking, up to').fill('0')
    await expect(limits(page)).toContainText('At 0, you’re asked before every payment.')
    await limits(page).getByLabel('Maximum in any 24 hours').fill('many')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(limits(page)).toContainText('Enter whole sats')
    await expect(limits(page).getByLabel('Maximum in any 24 hours')).toBeFocused()
    expect(callsOf(mock, 'wallet.setLimits')).toEqual([])
    await limits(page).getByLabel('Maximum in any 24 hours').fill('10 000')
    await expect(limits(page)).not.toContainText('confirmed outside this window')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(page.getByTestId('announcer')).toHaveText('Limits saved')
    expect(mock.state.wallet.view.limits).toEqual({
      perPayment: '5000000',
      perDay: '10000000',
      perHostAndDay: '10000000',
      automaticUpTo: '0',
    })
    expect(callsOf(mock, 'confirmations.answer')).toEqual([])
  })

  test('announce that raising one is confirmed outside the window, and require it', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await limits(page).getByLabel('Maximum per payment').fill('5000.5')
    await expect(limits(page)).toContainText(
      'To raise a limit, you’ll confirm in a system dialog or your terminal.',
    )
    await page.getByRole('button', { name: 'Save limits' }).click()
    await confirm(page)
    await expect(page.getByTestId('announcer')).toHaveText('Limits saved')
    expect(mock.state.wallet.view.limits.perPayment).toBe('5000500')
    await expect(limits(page).getByRole('button', { name: 'Save limits' })).toBeDisabled()
  })

  test('show dollars if a top-up reported the rate, and otherwise only sats', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    await expect(limits(page)).toContainText('Includes the fee.')
    await expect(limits(page)).not.toContainText('$')
    mock.state.wallet.view = {
      ...mock.state.wallet.view,
      rate: { picoUsdPerSat: '800000000', learnedAt: Date.now() },
    }
    await page.reload()
    await expect(limits(page)).toContainText('About $4.00.')
    await expect(limits(page)).toContainText('About $16.00.')
  })

  test('show the amounts spent and reserved, and a host can be removed', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    for (const part of [
      '12,053 sats paid, including fees',
      '3,000 sats held',
      'limit 20,000 sats',
      'media.service.example:8443',
    ])
      await expect(wallet(page)).toContainText(part)
    await page.getByRole('button', { name: 'Remove media.service.example:8443' }).click()
    await expect(wallet(page)).not.toContainText('media.service.example:8443')
    await page.getByRole('button', { name: 'Remove api.service.example' }).click()
    await expect(wallet(page)).toContainText('You’ll confirm the first payment to each host')
    expect(callsOf(mock, 'wallet.forgetHost').map(({ input }) => input)).toEqual([
      { host: 'media.service.example:8443' },
      { host: 'api.service.example' },
    ])
  })

  for (const [reason, reasonText] of [
    ['undelivered', 'nothing was delivered'],
    ['wallet', 'The wallet failed several times'],
  ] as const) {
    test(`paused after failures (${reason}), show the reason and resume on request`, async ({
      window: { open, page, mock },
    }) => {
      service(mock)
      connected(mock)
      mock.state.wallet.view = { ...mock.state.wallet.view, paused: { reason } }
      await open(PLACE)
      await expect(wallet(page)).toContainText('Automatic payments are paused.')
      await expect(wallet(page)).toContainText(reasonText)
      await page.getByRole('button', { name: 'Resume automatic payments' }).click()
      await expect(wallet(page)).not.toContainText('Automatic payments are paused.')
    })
  }
})

test.describe('the automatic top-up', () => {
  test('explains that the service gets a spending key, enforces the minimum amounts, and suggests a budget', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    await open(PLACE)
    await expect(topup(page)).toContainText('This gives the service a spending key.')
    await topup(page).getByLabel('When the balance falls below').fill('4.99')
    await topup(page).getByLabel('Top-up amount (USD)').fill('0')
    await topup(page).getByRole('button', { name: 'Send connection to service…' }).click()
    await expect(topup(page)).toContainText('Enter $5.00 or more.')
    await expect(topup(page)).toContainText('Enter more than 0.')
    await expect(topup(page).getByLabel('When the balance falls below')).toBeFocused()
    await topup(page).getByLabel('When the balance falls below').fill('5')
    await topup(page).getByLabel('Top-up amount (USD)').fill('12.50')
    await topup(page).getByLabel('Expected top-ups per month').fill('3')
    await expect(topup(page)).toContainText('budget to about $37.50 a month')
    expect(callsOf(mock, 'wallet.connectAutomaticTopup')).toEqual([])
  })

  test('is connected after a confirmation and nowhere in the page afterward, and refers to the wallet when disconnected', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await topup(page).getByLabel('Wallet connection for the service').fill(OTHER_NWC)
    expect(await wholePage(page)).toContain(OTHER_NWC.slice(-64))
    await topup(page).getByRole('button', { name: 'Send connection to service…' }).click()
    await expect(page.getByLabel('Code from your terminal')).toBeVisible()
    expect(await wholePage(page)).not.toContain(OTHER_NWC.slice(-64))
    await confirm(page)
    await expect(topup(page)).toContainText('On: the service has a wallet connection')
    await expect(topup(page)).toContainText('$10.00')
    expect(callsOf(mock, 'wallet.connectAutomaticTopup').map(({ input }) => input)).toEqual([
      { connection: OTHER_NWC, threshold: '10.00', amount: '10.00' },
    ])
    expect(await wholePage(page)).not.toContain(OTHER_NWC.slice(-64))
    await topup(page).getByRole('button', { name: 'Disconnect…' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Disconnecting doesn’t revoke access')
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await expect(topup(page).getByRole('status')).toContainText('Remove it in your wallet now')
    await expect(topup(page).getByLabel('Wallet connection for the service')).toBeVisible()
  })

  test('refuses the connection that Sotto pays with', async ({ window: { open, page, mock } }) => {
    service(mock)
    connected(mock)
    await open(PLACE)
    await topup(page).getByLabel('Wallet connection for the service').fill(MOCK_NWC)
    await page.keyboard.press('Enter')
    await expect(topup(page).getByRole('alert')).toContainText('wallet/same-connection')
    await expect(topup(page).getByLabel('Wallet connection for the service')).toHaveValue('')
  })

  test('without a credit ID or an account, shows what is missing and sends no request', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...serviceStatus(), account: { connected: true } }
    await open(PLACE)
    await expect(topup(page)).toContainText('require the account’s credit ID')
    mock.state.status = { ...serviceStatus(), account: { connected: false } }
    await expect(topup(page)).toContainText('Automatic top-up needs an active account')
    expect(callsOf(mock, 'wallet.automaticTopup')).toEqual([])
  })

  test('in the sandbox gets a separate connection of the demo wallet', async ({
    window: { open, page, mock },
  }) => {
    await open(PLACE)
    await topup(page).getByRole('button', { name: 'Send demo wallet connection…' }).click()
    await expect(topup(page)).toContainText('On: the service has a wallet connection')
    expect(callsOf(mock, 'wallet.connectAutomaticTopup').map(({ input }) => input)).toEqual([
      { connection: 'sandbox', threshold: '10.00', amount: '10.00' },
    ])
  })
})
