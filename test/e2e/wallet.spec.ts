import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { MOCK_BACKUP, MOCK_CREDIT_ID, MOCK_SERVICE_KEY, mockAccount } from './mock-accounts.ts'
import { serviceStatus } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { ended, topup } from './mock-topups.ts'
import { mockConnection } from './mock-wallet.ts'
import { readQr } from './read-qr.ts'
import { former, noAccount, several, used } from './screens/wallet-screens.ts'
import { expect, test } from './window-test.ts'

const FIRST_KEY = 'sk-kKlLmMnNoOpPqQrRsStT11'
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const invoiceOf = (page: Page, name: RegExp | string) => page.getByRole('article', { name })
const amounts = (page: Page) => page.getByRole('group', { name: 'Amounts' })
const code = (page: Page) => page.getByRole('img', { name: /^QR code/ })
const readPageState = (page: Page) =>
  page.evaluate<string>(
    'JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }])',
  )

test.describe('the balance', () => {
  test('is shown with an estimate of what it buys, from recent costs', async ({
    window: { open, page, mock },
  }) => {
    used(mock)
    await open('#/wallet')
    const balance = page.getByRole('region', { name: 'Balance' })
    for (const part of ['Account', '$4.21', 'About 3,100 private replies', 'About 52 images', 'an estimate'])
      await expect(balance).toContainText(part)
    await expect(balance.getByRole('status')).toHaveCount(0)
  })

  test('has no estimate if nothing was used', async ({ window: { open, page } }) => {
    await open('#/wallet')
    await expect(page.getByTestId('balance')).toHaveText('$4.21')
    await expect(page.getByRole('region', { name: 'Balance' })).not.toContainText('About')
  })

  test('can be refreshed, and remains visible if the service fails', async ({
    window: { open, page, mock },
  }) => {
    await open('#/wallet')
    const balance = page.getByRole('region', { name: 'Balance' })
    await expect(page.getByTestId('balance')).toHaveText('$4.21')
    mock.state.accounts.balance = '9000000000000'
    await balance.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByTestId('balance')).toHaveText('$9.00')
    mock.state.failures['accounts.balance'] = failure('service/unreachable')
    await balance.getByRole('button', { name: 'Refresh' }).click()
    await expect(balance.getByRole('alert')).toContainText('can’t be reached')
    await expect(page.getByTestId('balance')).toHaveText('$9.00')
    mock.state.failures = {}
    await balance.getByRole('button', { name: 'Try again' }).click()
    await expect(balance.getByRole('alert')).toBeHidden()
  })

  for (const [name, pico, shown, statusText] of [
    ['low', '412300000000', '$0.41', /Low balance: below \$1\.00/],
    ['used up', '0', '$0.00', /used up/],
    ['below nothing', '-311000000000', '−$0.32', /negative/],
  ] as const) {
    test(`is shown as ${name}`, async ({ window: { open, page, mock } }) => {
      used(mock)
      mock.state.accounts.balance = pico
      await open('#/wallet')
      await expect(page.getByTestId('balance')).toHaveText(shown)
      await expect(page.getByRole('region', { name: 'Balance' }).getByRole('status')).toHaveText(statusText)
    })
  }

  test('is low below the amount that the owner sets', async ({ window: { open, page, mock } }) => {
    const alert = page.getByRole('region', { name: 'Low-balance alert' })
    const status = page.getByRole('region', { name: 'Balance' }).getByRole('status')
    await open('#/wallet/connection')
    await expect(alert).toContainText('Below $1.00')
    await alert.getByRole('button', { name: 'Change…' }).click()
    const form = page.getByRole('dialog', { name: 'Low-balance alert' })
    await form.getByLabel('US dollars').fill('5,00')
    await expect(form).toContainText('Enter an amount in dollars')
    await form.getByLabel('US dollars').fill('5.00')
    await page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
    expect(mock.state.topups.lowBalance).toBe('5.00')
    await page.getByRole('tab', { name: 'Balance' }).click()
    await expect(status).toHaveText(/Low balance: below \$5\.00/)
    // The balance shows no second warning if the notice above the view already does.
    mock.state.status = {
      ...mock.state.status,
      notices: [{ id: 'low-balance-1', says: [{ english: 'The balance is below $5.00.' }], lasting: false }],
    }
    await expect(page.getByText('The balance is below $5.00.')).toBeVisible()
    await expect(status).toHaveCount(0)
    await page.getByRole('tab', { name: 'Payment methods' }).click()
    await alert.getByRole('button', { name: 'Change…' }).click()
    await form.getByLabel('US dollars').fill('0')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(alert).toContainText('Only when the balance is used up')
  })

  test('is absent without an account, and the next step is offered', async ({
    window: { open, page, mock },
  }) => {
    noAccount(mock)
    await open('#/wallet')
    await expect(page.getByRole('main')).toContainText('No account is active')
    await expect(page.getByRole('button', { name: 'Add funds' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Choose or create an account' }).click()
    await expect(page).toHaveURL(/#\/wallet\/accounts$/)
    await expect(page.getByRole('main')).toContainText('No accounts yet')
    expect(mock.calls.some(({ path }) => path === 'accounts.balance')).toBe(false)
  })
})

test.describe('a top-up', () => {
  for (const theme of ['light', 'dark'] as const) {
    test(`over Lightning has a code that a camera reads exactly in the ${theme} theme, and is marked as not payable`, async ({
      window: { open, page, mock },
      context,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.emulateMedia({ colorScheme: theme })
      const pendingTopup = topup('t1')
      mock.state.topups.list = [pendingTopup]
      await open('#/wallet')
      await expect(code(page)).toBeVisible()
      await expect.poll(() => readQr(code(page))).toBe(pendingTopup.uri)
      await expect(page.getByText('Not payable')).toBeVisible()
      // Dark on light, with a quiet zone of four modules. The frame is white in every theme.
      expect(await code(page).evaluate((svg) => getComputedStyle(svg.parentElement!).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      )
      await page.getByRole('button', { name: 'Copy invoice' }).click()
      await expect.poll(() => clipboard(page)).toBe(pendingTopup.lightningInvoice)
      await page.getByRole('button', { name: 'Copy amount in BTC' }).click()
      await expect.poll(() => clipboard(page)).toBe('0.00005')
    })
  }

  test('for another account than the active one shows which account', async ({
    window: { open, page, mock },
  }) => {
    several(mock)
    mock.state.topups.list = [topup('t1', { accountId: 'a2' })]
    await open('#/wallet')
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('for For the agents')
    // The balance in view belongs to another account.
    mock.state.topups.change('t1', { state: 'settled', uri: null })
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('Paid')
    await expect(page.getByText('Current balance')).toHaveCount(0)
  })

  test('of a real service is payable, and not marked', async ({ window: { open, page, mock } }) => {
    mock.state.status = serviceStatus()
    mock.state.topups.list = [topup('t1', { payable: true })]
    await open('#/wallet')
    await expect(code(page)).toBeVisible()
    await expect(page.getByText('Not payable')).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('Pay with any Lightning wallet')
  })

  test('survives a reload, and shows when it is paid, with the new balance', async ({
    window: { open, page, mock },
  }) => {
    await open('#/wallet/add')
    await amounts(page).getByRole('button', { name: '$5.00' }).click()
    await expect(code(page)).toBeVisible()
    await page.reload()
    await expect(code(page)).toBeVisible()
    mock.state.accounts.balance = '9210000000000'
    const pendingTopup = mock.state.topups.list[0]!
    mock.state.topups.change(pendingTopup.id, { state: 'settled', uri: null })
    const invoice = invoiceOf(page, 'Top-up: $5.00 over Lightning')
    await expect(invoice).toContainText('Paid')
    await expect(code(page)).toHaveCount(0)
    await expect(invoice).toContainText('$9.21')
    await expect(page.getByTestId('announcer')).toHaveText('The $5.00 top-up is paid')
    await invoice.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('region', { name: 'Past top-ups' })).toContainText('$5.00')
  })

  test('is followed again after a lost connection', async ({ window: { open, page, mock } }) => {
    mock.state.topups.list = [topup('t1')]
    await open('#/wallet')
    await expect(code(page)).toBeVisible()
    mock.state.topups.list = [ended('t1', { createdAt: Date.now() })]
    mock.state.topups.cut()
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('Paid')
  })

  for (const [name, part, word] of [
    ['its payment was seen', { state: 'processing' }, 'Payment detected'],
    ['the wallet is paying it', { payment: 'paying' }, 'Payment in progress'],
    ['the wallet holds the money', { payment: 'held' }, 'Held'],
    ['its payment has no known outcome', { payment: 'unknown' }, 'Outcome unknown'],
    ['it expired', { state: 'expired' }, 'Expired'],
    ['it was paid', { state: 'settled' }, 'Paid'],
    ['it is invalid', { state: 'invalid' }, 'Invalid'],
    ['the service says an unknown word', { state: 'unknown' }, 'Unknown'],
  ] as const) {
    test(`shows no code once ${name}, even if the core still sends one`, async ({
      window: { open, page, mock },
    }) => {
      mock.state.topups.list = [topup('t1')]
      await open('#/wallet')
      await expect(code(page)).toBeVisible()
      mock.state.topups.change('t1', part)
      await expect(invoiceOf(page, /^Top-up:/)).toContainText(word)
      await expect(code(page)).toHaveCount(0)
      await expect(page.getByRole('button', { name: /^Copy (invoice|address|amount)/ })).toHaveCount(0)
    })
  }

  test('requests only the rest after a partial payment, and never the whole amount again', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const pendingTopup = topup('t1', { method: 'btc' })
    mock.state.topups.list = [pendingTopup]
    await open('#/wallet')
    await expect(code(page)).toBeVisible()
    const rest = `bitcoin:${pendingTopup.address ?? ''}?amount=0.00002345`
    mock.state.topups.list = [{ ...pendingTopup, uri: rest }]
    mock.state.topups.change('t1', { received: { paid: '0.0001', covers: 'part', due: '0.00002345' } })
    const invoice = invoiceOf(page, /^Top-up:/)
    await expect(invoice).toContainText('Partly paid')
    await expect(invoice).toContainText('0.0001 of 0.00012345 BTC')
    await expect(invoice).toContainText(/Send 0\.00002345 BTC more to the same address before /)
    await expect(
      page.getByRole('status').filter({ hasText: 'A part of the $5.00 top-up arrived' }),
    ).toBeAttached()
    await invoice.getByRole('button', { name: 'Copy amount in BTC' }).click()
    await expect.poll(() => clipboard(page)).toBe('0.00002345')
    await expect.poll(() => readQr(code(page))).toBe(rest)
    expect(await axeFaults(page, 'main')).toEqual([])
    mock.state.topups.change('t1', { received: { paid: '0.0001', covers: 'part' }, uri: null })
    await expect(code(page)).toHaveCount(0)
    await expect(invoice).toContainText('Don’t pay the whole amount again.')
  })

  test('without a payment outcome is closed by keyboard after a confirmation', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '482913'
    const { uri: _, ...unpaid } = topup('t1', { payment: 'unknown' })
    mock.state.topups.list = [unpaid]
    await open('#/wallet')
    const invoice = invoiceOf(page, /^Top-up:/)
    await invoice.getByRole('button', { name: 'Close payment…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from your terminal').fill('482913')
    await page.keyboard.press('Enter')
    await expect(invoice).toContainText('Payment closed')
    await expect(invoice).toContainText('so this invoice isn’t paid again')
    await expect(invoice.getByRole('button', { name: 'Close payment…' })).toHaveCount(0)
    expect(await axeFaults(page, 'main')).toEqual([])
  })

  test('counts down, is announced a few times, and loses its code when it expires', async ({
    window: { open, page, mock },
  }) => {
    await page.clock.install()
    const start = await page.evaluate<number>('Date.now()')
    mock.state.topups.list = [topup('t1', { createdAt: start, expiresAt: start + 15 * 60_000 })]
    await open('#/wallet')
    await expect(page.getByRole('timer')).toContainText(/14 min \d+ s|15 min/)
    await page.clock.fastForward('10:05')
    await expect(page.getByTestId('announcer')).toHaveText('5 minutes left to pay')
    await page.clock.fastForward('04:00')
    await expect(page.getByTestId('announcer')).toHaveText('One minute left to pay')
    await expect(code(page)).toBeVisible()
    await page.clock.fastForward('01:00')
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('Time’s up')
    await expect(code(page)).toHaveCount(0)
    expect(await page.getByRole('article').getByText('left', { exact: false }).count()).toBe(0)
  })

  test('is checked on request', async ({ window: { open, page, mock } }) => {
    mock.state.topups.list = [topup('t1')]
    mock.state.topups.checks = () => ({ state: 'processing', uri: null })
    await open('#/wallet')
    await page.getByRole('button', { name: 'Check payment' }).click()
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('Payment detected')
    mock.state.failures['topups.check'] = { ...failure('service/unreachable'), retryAfterSeconds: 30 }
    await page.getByRole('button', { name: 'Check payment' }).click()
    await expect(page.getByRole('alert')).toContainText('can’t be reached')
    await expect(page.getByRole('alert')).toContainText('You can try again in 30 seconds.')
  })

  test('can’t be paid if its invoice differs from the request', async ({ window: { open, page, mock } }) => {
    mock.state.topups.list = [topup('t1')]
    await open('#/wallet')
    await expect(code(page)).toBeVisible()
    mock.state.topups.change('t1', { problem: 'payment/wrong-amount' })
    await expect(invoiceOf(page, /^Top-up:/)).toContainText('Doesn’t match request')
    await expect(page.getByRole('main')).toContainText('The invoice amount differs from the quote')
    await expect(code(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Copy invoice' })).toHaveCount(0)
  })

  test('shows a refusal by the service, and an error if data can’t be loaded', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['topups.create'] = failure('topup/amount-out-of-range')
    await open('#/wallet/add')
    await amounts(page).getByRole('button', { name: '$5.00' }).click()
    await expect(page.getByRole('alert')).toContainText('outside the service’s limits')
    mock.state.failures = {
      'topups.methods': failure('service/unreachable'),
      'topups.watch': failure('store/damaged'),
    }
    await page.reload()
    await expect(page.getByRole('main')).toContainText('can’t be reached')
    await expect(page.getByRole('main')).toContainText('store/damaged')
    mock.state.failures = {}
    await page.getByRole('region', { name: 'Add funds' }).getByRole('button', { name: 'Try again' }).click()
    await expect(amounts(page)).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('store/damaged')
  })
})

test.describe('the payment from the wallet', () => {
  for (const connected of [true, false])
    test(`takes one click with simulated money if the demo wallet is ${connected ? '' : 'not '}connected`, async ({
      window: { open, page, mock },
    }) => {
      if (connected)
        mock.state.wallet.view = {
          ...mock.state.wallet.view,
          connection: mockConnection({ kind: 'sandbox' }),
        }
      mock.state.topups.list = [topup('t1')]
      mock.state.topups.pays = () => Promise.resolve({ state: 'settled', payment: 'paid', uri: null })
      await open('#/wallet')
      await page.getByRole('button', { name: 'Pay with demo wallet' }).click()
      await expect(invoiceOf(page, /^Top-up:/)).toContainText('Paid')
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      expect(mock.calls.some(({ path }) => path === 'wallet.connectSandbox')).toBe(!connected)
    })

  test('shows the price first, happens after a confirmation, and shows the cost', async ({
    window: { open, page, mock },
  }) => {
    mock.state.wallet.view = { ...mock.state.wallet.view, connection: mockConnection() }
    mock.state.confirmationCode = '424242'
    let paid: () => void = () => undefined
    mock.state.topups.pays = () =>
      new Promise((resolve) => {
        paid = () => resolve({ state: 'settled', payment: 'paid', feeMsat: '3000', uri: null })
      })
    mock.state.topups.list = [topup('t1')]
    await open('#/wallet')
    await page.getByRole('button', { name: 'Pay from wallet…' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Pay with your connected wallet?' })
    for (const part of ['$5.00', '5,000 sats', '0.00005 BTC', 'Payee', 'Fee', 'can’t be undone'])
      await expect(asked).toContainText(part)
    expect(mock.calls.some(({ path }) => path === 'topups.payFromWallet')).toBe(false)
    await asked.getByRole('button', { name: 'Pay 5,000 sats' }).click()
    await page.getByLabel('Code from your terminal').fill('424242')
    await page.keyboard.press('Enter')
    const invoice = invoiceOf(page, /^Top-up:/)
    await expect(invoice).toContainText('Payment in progress')
    await expect(code(page)).toHaveCount(0)
    mock.state.accounts.balance = '9210000000000'
    paid()
    await expect(invoice).toContainText('0.00005 BTC (5,000 sats), plus 3 sats in fees')
    await expect(invoice).toContainText('$9.21')
  })

  test('doesn’t happen if it is canceled, or refused outside the window', async ({
    window: { open, page, mock },
  }) => {
    mock.state.wallet.view = { ...mock.state.wallet.view, connection: mockConnection() }
    mock.state.confirmationCode = '424242'
    mock.state.topups.list = [topup('t1')]
    await open('#/wallet')
    await page.getByRole('button', { name: 'Pay from wallet…' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect(mock.calls.some(({ path }) => path === 'topups.payFromWallet')).toBe(false)
    await page.getByRole('button', { name: 'Pay from wallet…' }).click()
    await page.getByRole('button', { name: 'Pay 5,000 sats' }).click()
    await page
      .getByRole('alertdialog', { name: 'Confirm in your terminal' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(invoiceOf(page, /^Top-up:/).getByRole('alert')).toContainText('wasn’t confirmed')
    await expect(code(page)).toBeVisible()
  })

  test('shows why it failed', async ({ window: { open, page, mock } }) => {
    mock.state.wallet.view = { ...mock.state.wallet.view, connection: mockConnection() }
    mock.state.failures['topups.payFromWallet'] = failure('payment/over-limit')
    mock.state.topups.list = [topup('t1')]
    await open('#/wallet')
    await page.getByRole('button', { name: 'Pay from wallet…' }).click()
    await page.getByRole('button', { name: 'Pay 5,000 sats' }).click()
    await expect(page.getByRole('alert')).toContainText('above a limit that you set')
  })

  test('needs a wallet, and offers to connect one', async ({ window: { open, page, mock } }) => {
    mock.state.status = serviceStatus()
    mock.state.topups.list = [topup('t1', { payable: true })]
    await open('#/wallet')
    await expect(page.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute(
      'href',
      mock.state.topups.list[0]!.uri!,
    )
    await page.getByRole('link', { name: 'Connect a Lightning wallet' }).click()
    await expect(page).toHaveURL(/#\/wallet\/connection$/)
  })
})

test.describe('past top-ups', () => {
  test('are listed with their state and their account, and can be removed from the list', async ({
    window: { open, page, mock },
  }) => {
    former(mock)
    several(mock)
    await open('#/wallet')
    const list = page.getByRole('region', { name: 'Past top-ups' })
    await expect(list.getByRole('article', { name: '$20.00 over Lightning' })).toContainText('Paid')
    await expect(list.getByRole('article', { name: '0.0005 BTC in bitcoin' })).toContainText('Expired')
    const monero = list.getByRole('article', { name: '$15.00 in monero' })
    await expect(monero).toContainText('Invalid')
    await expect(monero).toContainText('for For the agents')
    await list.getByRole('button', { name: 'Show more about $20.00 over Lightning' }).click()
    await expect(list).toContainText('0.00005 BTC (5,000 sats), plus 3 sats in fees')
    await expect(list).toContainText('invoice-paid1')
    await list.getByRole('button', { name: 'Remove from list' }).click()
    await expect(list.getByRole('article', { name: '$20.00 over Lightning' })).toHaveCount(0)
    await list.getByRole('button', { name: 'Remove all' }).click()
    await expect(list).toContainText('No past top-ups yet')
    expect(mock.state.topups.list).toEqual([])
  })

  test('have a receipt if they are paid, and only the receipt is printed', async ({
    window: { open, page, mock },
  }) => {
    mock.state.topups.list = [
      ended('paid1', { amount: '20', feeMsat: '3000', settledAt: Date.UTC(2026, 10, 24, 12) }),
    ]
    await open('#/wallet')
    const line = page.getByRole('article', { name: '$20.00 over Lightning' })
    await line.getByRole('button', { name: /^Show more/ }).click()
    await line.getByRole('button', { name: 'Show receipt' }).click()
    const receipt = page.getByRole('dialog', { name: 'Top-up receipt' })
    for (const part of [
      '$20.00',
      'Bitcoin (Lightning)',
      '0.00005 BTC (5,000 sats), plus 3 sats in fees',
      'invoice-paid1',
      '24 Nov 2026',
    ])
      await expect(receipt).toContainText(part)
    expect(await axeFaults(page, '[role=dialog]')).toEqual([])
    await page.evaluate('window.print = () => { window.printed = true }')
    await receipt.getByRole('button', { name: 'Print receipt…' }).click()
    expect(await page.evaluate('window.printed')).toBe(true)
    await page.emulateMedia({ media: 'print' })
    await expect(receipt).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(receipt.getByText('$20.00')).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expect(page.locator('main')).toBeHidden()
    await expect(receipt.getByRole('button', { name: 'Print receipt…' })).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Escape')
    await expect(receipt).toHaveCount(0)
    await expect(line.getByRole('button', { name: 'Show receipt' })).toBeFocused()
  })

  test('that were paid late, in part, or refunded show the received amount and why they must not be paid', async ({
    window: { open, page, mock },
  }) => {
    mock.state.topups.list = [
      ended('part1', { method: 'btc', state: 'expired', received: { paid: '0.0001', covers: 'part' } }),
      ended('late1', { method: 'ltc', state: 'expired', received: { paid: '0.05812', covers: 'whole' } }),
      ended('back1', { method: 'lbtc', state: 'refunded', received: { paid: '0.00005', covers: 'whole' } }),
      ended('over1', { method: 'xmr', received: { paid: '0.05', covers: 'more' } }),
    ]
    await open('#/wallet')
    for (const [name, status, received] of [
      ['$5.00 in bitcoin', 'Partly paid', '0.0001 of 0.00012345 BTC'],
      ['$5.00 in litecoin', 'Paid late', 'The payment arrived after the invoice expired.'],
      ['$5.00 in bitcoin on Liquid', 'Refunded', 'it sent the money back'],
      ['$5.00 in monero', 'Overpaid', '0.05 of 0.031415926535 XMR'],
    ] as const) {
      const line = page.getByRole('article', { name, exact: true })
      await expect(line).toContainText(status)
      await line.getByRole('button', { name: /^Show more/ }).click()
      await expect(line).toContainText(received)
    }
    await expect(code(page)).toHaveCount(0)
    expect(await axeFaults(page, 'main')).toEqual([])
  })

  test('that expired can be checked once more', async ({ window: { open, page, mock } }) => {
    former(mock)
    mock.state.topups.checks = () => ({ state: 'settled' })
    await open('#/wallet')
    const late = page.getByRole('article', { name: '0.0005 BTC in bitcoin' })
    await late.getByRole('button', { name: /^Show address|^Show invoice|^Show/ }).click()
    await late.getByRole('button', { name: 'Refresh' }).click()
    await expect(late).toContainText('Paid')
  })
})

test.describe('accounts', () => {
  test('are shown masked, with the active one marked by text and icon', async ({
    window: { open, page, mock },
  }) => {
    several(mock)
    await open('#/wallet/accounts')
    const first = page.getByRole('article', { name: 'Account', exact: true })
    await expect(first).toContainText('Active')
    await expect(first.locator('svg').first()).toBeVisible()
    await expect(first).toContainText('sk-…tT11')
    await expect(page.getByRole('article', { name: 'Key alone' })).toContainText(
      'Connected with an API key only',
    )
    const all = await readPageState(page)
    for (const {
      credentials: { apiKey, creditId },
    } of mock.state.accounts.list) {
      for (const secret of [apiKey, creditId]) if (secret !== undefined) expect(all).not.toContain(secret)
    }
  })

  test('are switched, and the new balance is shown', async ({ window: { open, page, mock } }) => {
    several(mock)
    await open('#/wallet/accounts')
    await expect(page.getByTestId('balance')).toHaveText('$4.21')
    mock.state.accounts.balance = '77000000000'
    await page.getByRole('button', { name: 'Use For the agents' }).click()
    await expect(page.getByRole('article', { name: 'For the agents' })).toContainText('Active')
    await expect(page.getByRole('article', { name: 'Account', exact: true })).not.toContainText('Active')
    await expect(page.getByTestId('balance')).toHaveText('$0.077')
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('For the agents')
  })

  test('that the service returned without an API key show the credit ID, and what needs the key', async ({
    window: { open, page, mock },
  }) => {
    mock.state.accounts.created = { creditId: MOCK_CREDIT_ID }
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'New account…' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    const saving = page.getByRole('dialog', { name: 'Credentials for Account 2' })
    await expect(saving.getByTestId('secret')).toHaveText([MOCK_CREDIT_ID])
    await expect(saving).toContainText('No API key, so chat, media, and top-ups aren’t available')
    expect(await axeFaults(page, '[role=dialog]')).toEqual([])
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    const row = page.getByRole('article', { name: 'Account 2' })
    await expect(row).toContainText('Credit ID …77aa')
    await expect(row).toContainText('No API key')
    await row.getByRole('button', { name: 'Remove Account 2' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('deletes its credentials')
  })

  test('are created; the credentials are copied, backed up, marked as saved, and then removed from the window', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'New account…' }).click()
    await page.getByLabel('Name (optional)').fill('Trip')
    await page.getByRole('button', { name: 'Create account' }).click()
    const saving = page.getByRole('dialog', { name: 'Credentials for Trip' })
    await expect(saving.getByTestId('secret')).toHaveText([MOCK_SERVICE_KEY, MOCK_CREDIT_ID])
    await saving.getByRole('button', { name: 'Copy API key' }).click()
    await expect.poll(() => clipboard(page)).toBe(MOCK_SERVICE_KEY)
    // A stray key doesn't close it.
    await page.keyboard.press('Escape')
    await expect(saving.getByRole('alert')).toContainText('the only proof that the account is yours')
    await saving.getByRole('button', { name: 'Save encrypted backup…' }).click()
    await saving.getByLabel('Backup passphrase').fill('too short')
    await saving.getByRole('button', { name: 'Save backup' }).click()
    await expect(saving).toContainText('Use at least twelve characters')
    await saving.getByLabel('Backup passphrase').fill('correct horse battery')
    await saving.getByLabel('Confirm passphrase').fill('correct horse')
    await saving.getByRole('button', { name: 'Save backup' }).click()
    await expect(saving).toContainText('The passphrases don’t match')
    await saving.getByLabel('Confirm passphrase').fill('correct horse battery')
    const saved = page.waitForEvent('download')
    await saving.getByRole('button', { name: 'Save backup' }).click()
    expect((await saved).suggestedFilename()).toBe('sotto-accounts-2026-11-22.json')
    await expect(saving).toContainText('exported as sotto-accounts-2026-11-22.json')
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await expect(saving).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'Trip' })).toContainText('Active')
    await expect(page.getByRole('article', { name: 'Trip' })).toContainText('also saved elsewhere')
    expect(mock.calls.some(({ path }) => path === 'accounts.markSaved')).toBe(true)
    const all = await readPageState(page)
    expect(all).not.toContain(MOCK_SERVICE_KEY)
    expect(all).not.toContain('correct horse')
  })

  test('that exist are connected, and an invalid value is shown next to its field', async ({
    window: { open, page, mock },
  }) => {
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Connect account…' }).click()
    const form = page.getByRole('dialog', { name: 'Connect an account' })
    await form.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(form).toContainText('at least 8 characters')
    await form.getByLabel('API key').fill(FIRST_KEY)
    await form.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(form.getByRole('alert')).toContainText('already been added')
    await form.getByLabel('API key').fill('sk-another-key-of-mine-09')
    await form.getByLabel('Name (optional)').fill('Work')
    await form.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'Work' })).toContainText('Active')
    expect(mock.state.accounts.list).toHaveLength(2)
    expect(await readPageState(page)).not.toContain('sk-another-key-of-mine-09')
  })

  test('are renamed', async ({ window: { open, page } }) => {
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Rename Account' }).click()
    const form = page.getByRole('dialog', { name: 'Rename Account' })
    await form.getByLabel('Name').fill('')
    await expect(form).toContainText('Enter a name')
    await form.getByLabel('Name').fill('At home')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'At home' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('At home')
  })

  test('show their credentials after a confirmation outside the window, and hide them after half a minute', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '424242'
    await page.clock.install()
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Show credentials for Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Credentials for Account' })
    await dialog.getByRole('button', { name: 'Show for 30 seconds' }).click()
    expect(await readPageState(page)).not.toContain(FIRST_KEY)
    await page.clock.runFor(1000)
    await page.getByLabel('Code from your terminal').fill('424242')
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('secret').first()).toHaveText(FIRST_KEY)
    await page.clock.runFor(25_000)
    await expect(page.getByTestId('secret').first()).toBeVisible()
    await page.clock.runFor(6_000)
    await expect(page.getByTestId('secret')).toHaveCount(0)
    await expect(page.getByTestId('announcer')).toHaveText('Credentials are hidden again')
    expect(await readPageState(page)).not.toContain(FIRST_KEY)
  })

  test('don’t show their credentials without the confirmation', async ({ window: { open, page, mock } }) => {
    mock.state.confirmationCode = '424242'
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Show credentials for Account' }).click()
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('wasn’t confirmed')
    await expect(page.getByTestId('secret')).toHaveCount(0)
  })

  test('clear a copied key from the clipboard after a minute, but nothing that was copied later', async ({
    window: { open, page },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await open('#/wallet/accounts')
    const copyKey = async () => {
      await page.getByRole('button', { name: 'Show credentials for Account' }).click()
      await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
      await page.getByRole('button', { name: 'Copy API key' }).click()
      await expect.poll(() => clipboard(page)).toBe(FIRST_KEY)
      await page.getByRole('button', { name: 'Hide now' }).click()
    }
    await copyKey()
    await page.clock.runFor(59_000)
    expect(await clipboard(page)).toBe(FIRST_KEY)
    await page.clock.runFor(2_000)
    await expect.poll(() => clipboard(page)).toBe('')
    await copyKey()
    await page.evaluate('navigator.clipboard.writeText("from elsewhere")')
    await page.clock.runFor(61_000)
    await expect.poll(() => clipboard(page)).toBe('from elsewhere')
  })

  test('also clear a clipboard that can’t be read, with a notice before', async ({
    window: { open, page },
    context,
  }) => {
    await context.grantPermissions(['clipboard-write'])
    await page.clock.install()
    await open('#/wallet/accounts')
    await page.evaluate(
      'globalThis.written = []; const write = navigator.clipboard.writeText.bind(navigator.clipboard); navigator.clipboard.writeText = (text) => { written.push(text); return write(text) }',
    )
    await page.getByRole('button', { name: 'Show credentials for Account' }).click()
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
    await expect(page.getByRole('dialog')).toContainText('this also clears anything you copied since')
    await page.getByRole('button', { name: 'Copy API key' }).click()
    await expect(page.getByRole('dialog')).toContainText(/cleared in \d+ s/)
    await page.getByRole('button', { name: 'Hide now' }).click()
    await page.clock.runFor(61_000)
    await expect.poll(() => page.evaluate<string[]>('written')).toEqual([FIRST_KEY, ''])
  })

  test('are backed up and restored, and a wrong file or passphrase shows an error', async ({
    window: { open, page, mock },
  }) => {
    mock.state.accounts.backup.holds = [
      mockAccount('b1', { name: 'From before' }, { apiKey: 'sk-from-the-backup-000001' }),
    ]
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Back up…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Back up accounts' })
    await dialog.getByLabel('Backup passphrase').fill('correct horse battery staple')
    await dialog.getByLabel('Confirm passphrase').fill('correct horse battery staple')
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save backup' }).click()
    await saved
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Restore…' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore accounts' })
    const file = (text: string) => ({
      name: 'backup.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(restore).toContainText('Choose a backup file saved by Sotto')
    await restore.getByTestId('file-input').setInputFiles(file('{}'))
    await restore.getByLabel('Backup passphrase').fill('wrong')
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(restore.getByRole('alert')).toContainText('isn’t an account backup')
    await restore.getByTestId('file-input').setInputFiles(file(MOCK_BACKUP))
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(restore.getByRole('alert')).toContainText('doesn’t unlock this backup')
    await restore.getByLabel('Backup passphrase').fill('correct horse battery staple')
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Restore complete' })).toContainText('One account added')
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('article', { name: 'From before' })).toBeVisible()
    await expect(page.getByRole('article', { name: 'Account', exact: true })).toContainText('Active')
  })

  test('refuse a backup file that is too large', async ({ window: { open, page, mock } }) => {
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Restore…' }).click()
    await page.getByTestId('file-input').setInputFiles({
      name: 'large.json',
      mimeType: 'application/json',
      buffer: Buffer.alloc(1024 * 1024 + 1, 32),
    })
    await page.getByLabel('Backup passphrase').fill('any')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('isn’t an account backup')
    expect(mock.calls.some(({ path }) => path === 'accounts.restore')).toBe(false)
  })

  test('are removed after a warning, and can all be inactive', async ({ window: { open, page, mock } }) => {
    several(mock)
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Remove Key alone' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Remove Key alone?' })
    await expect(asked).toContainText('there’s no other copy')
    await asked.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('article', { name: 'Key alone' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Remove For the agents' }).click()
    await expect(page.getByRole('alertdialog')).not.toContainText('there’s no other copy')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Use without account…' }).click()
    await page.getByRole('button', { name: 'Use without account', exact: true }).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(page.getByRole('article').getByText('Active')).toHaveCount(0)
    await expect(page.getByTestId('balance')).toHaveCount(0)
  })

  test('show an error where the action failed', async ({ window: { open, page, mock } }) => {
    several(mock)
    mock.state.failures = { 'accounts.list': failure('store/damaged') }
    await open('#/wallet/accounts')
    const accountsView = page.getByRole('region', { name: 'Accounts' })
    await expect(accountsView.getByRole('alert')).toContainText('store/damaged')
    mock.state.failures = { 'accounts.activate': failure('vault/locked') }
    await accountsView.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Use For the agents' }).click()
    await expect(page.getByRole('article', { name: 'For the agents' }).getByRole('alert')).toContainText(
      'vault/locked',
    )
  })
})
