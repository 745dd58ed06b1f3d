import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { goByPalette, tabTo } from './by-keyboard.ts'
import { mockConnection } from './mock-wallet.ts'
import { readQr } from './read-qr.ts'
import { expect, test } from './window-test.ts'

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const invoiceOf = (page: Page, name: RegExp | string) => page.getByRole('article', { name })
const amounts = (page: Page) => page.getByRole('group', { name: 'Amounts' })
const methods = (page: Page) => page.getByRole('group', { name: 'Pay with' })
const code = (page: Page) => page.getByRole('img', { name: /^QR code/ })

test.describe('a new top-up', () => {
  test('is two clicks away, and its code and buttons fit in the window', async ({
    window: { open, page, mock },
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await open()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Wallet' }).click()
    await page.getByRole('button', { name: 'Add funds' }).click()
    await expect(code(page)).toBeVisible()
    await expect.poll(() => readQr(code(page))).toBe(mock.state.topups.list[0]!.uri)
    expect(mock.calls.find(({ path }) => path === 'topups.create')?.input).toEqual({
      method: 'btc-lightning',
      amount: '25',
      currency: 'USD',
    })
    await expect(invoiceOf(page, 'Top-up: $25.00 over Lightning').getByRole('heading')).toBeFocused()
    for (const part of [code(page), page.getByRole('button', { name: 'Copy invoice' }), methods(page)])
      await expect(part).toBeInViewport({ ratio: 1 })
    const below = await page
      .getByRole('main')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    expect(below).toBe(0)
    const box = (await code(page).boundingBox())!
    expect([box.width, box.height].every((size) => size > 220 && size <= 240)).toBe(true)
    expect(await axeFaults(page, 'main')).toEqual([])
  })

  test('is created once for two clicks, and again only for another amount', async ({
    window: { open, page, mock },
  }) => {
    const created = () => mock.calls.filter(({ path }) => path === 'topups.create').length
    await open('#/wallet/add')
    await expect(page.getByRole('button', { name: 'Create invoice' })).toBeVisible()
    expect(created()).toBe(0)
    await amounts(page).getByRole('button', { name: '$10.00' }).dblclick()
    await expect(invoiceOf(page, 'Top-up: $10.00 over Lightning')).toBeVisible()
    expect(created()).toBe(1)
    await amounts(page).getByRole('button', { name: '$25.00' }).click()
    await expect(invoiceOf(page, 'Top-up: $25.00 over Lightning')).toBeVisible()
    await amounts(page).getByRole('button', { name: '$10.00' }).click()
    await expect(invoiceOf(page, 'Top-up: $10.00 over Lightning')).toBeVisible()
    expect(created()).toBe(2)
    // The same top-up is shown after a return to the page, without a new one.
    await page.getByRole('link', { name: 'Balance' }).click()
    await page.getByRole('button', { name: 'Add funds' }).click()
    await expect(invoiceOf(page, 'Top-up: $10.00 over Lightning')).toBeVisible()
    expect(created()).toBe(2)
  })

  test('is compared with the service’s limits while the amount is typed', async ({
    window: { open, page, mock },
  }) => {
    await open('#/wallet/add')
    await amounts(page).getByRole('button', { name: 'Other' }).click()
    const amount = page.getByLabel('Amount', { exact: true })
    await expect(amount).toBeFocused()
    await amount.fill('0.05')
    await expect(page.getByText('Enter $0.10 or more.')).toBeVisible()
    await amount.fill('1000.01')
    await expect(page.getByText('Enter $1,000.00 or less.')).toBeVisible()
    await amount.fill('5,00')
    await expect(page.getByText('Enter an amount in dollars')).toBeVisible()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(amount).toBeFocused()
    await page.getByLabel('Currency', { exact: true }).selectOption('SATS')
    await amount.fill('99')
    await expect(page.getByText('Enter 100 sats or more.')).toBeVisible()
    await amount.fill('5000')
    await expect(amount).toHaveAttribute('aria-invalid', 'false')
    expect(await axeFaults(page, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Continue with 5,000 sats' }).click()
    await expect(invoiceOf(page, 'Top-up: 5,000 sats over Lightning')).toBeVisible()
    expect(mock.calls.find(({ path }) => path === 'topups.create')?.input).toEqual({
      method: 'btc-lightning',
      amount: '5000',
      currency: 'SATS',
    })
    // A method that takes only dollars asks for dollars.
    await methods(page).getByRole('button', { name: 'Litecoin' }).click()
    await expect(page.getByLabel('Currency', { exact: true })).toHaveValue('USD')
    await amount.fill('1000.01')
    await expect(page.getByText('Enter $1,000.00 or less.')).toBeVisible()
  })

  for (const [method, name, unit] of [
    ['btc', 'Bitcoin', 'BTC'],
    ['ltc', 'Litecoin', 'LTC'],
    ['lbtc', 'Bitcoin (Liquid)', 'L-BTC'],
    ['xmr', 'Monero', 'XMR'],
  ] as const) {
    test(`by ${name} shows a code, the address and the amount, each with a copy button`, async ({
      window: { open, page, mock },
      context,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await open('#/wallet/add')
      await methods(page).getByRole('button', { name, exact: true }).click()
      await expect(code(page)).toBeVisible()
      const created = mock.state.topups.list[0]!
      expect(created.method).toBe(method)
      await expect.poll(() => readQr(code(page))).toBe(created.uri)
      const invoice = page.getByRole('article', { name: /^Top-up: \$25\.00/ })
      await expect(invoice).toContainText(`${created.coinAmount!} ${unit}`)
      await expect(invoice).toContainText(created.address!)
      await invoice.getByRole('button', { name: 'Copy address' }).click()
      await expect.poll(() => clipboard(page)).toBe(created.address)
      await invoice.getByRole('button', { name: `Copy amount in ${unit}` }).click()
      await expect.poll(() => clipboard(page)).toBe(created.coinAmount)
      await expect(invoice.getByRole('button', { name: /^Pay / })).toHaveCount(0)
    })
  }

  test('lists Lightning first, and only presets within the limits of the method', async ({
    window: { open, page, mock },
  }) => {
    mock.state.topups.methods = mock.state.topups.methods.toReversed()
    await open('#/wallet/add')
    await expect(methods(page).getByRole('button')).toHaveText([
      'Bitcoin (Lightning)',
      'Monero',
      'Bitcoin (Liquid)',
      'Litecoin',
      'Bitcoin',
    ])
    await expect(amounts(page).getByRole('button', { name: '$25.00' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await amounts(page).getByRole('button', { name: '$5.00' }).click()
    await expect.poll(() => mock.state.topups.list[0]?.amount).toBe('5')
    // A bitcoin top-up of $5 is below the limit, so the lowest that is offered comes in its place.
    await methods(page).getByRole('button', { name: 'Bitcoin', exact: true }).click()
    await expect(amounts(page).getByRole('button')).toHaveText(['$10.00', '$25.00', '$50.00', 'Other'])
    await expect.poll(() => mock.state.topups.list[0]).toMatchObject({ method: 'btc', amount: '10' })
  })
})

test('is completed by keyboard only', async ({ window: { open, page, mock }, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  mock.state.wallet.view = { ...mock.state.wallet.view, connection: mockConnection() }
  await open()
  const press = (key: string) => page.keyboard.press(key)
  await goByPalette(page, 'Add funds')
  await expect(page.getByRole('button', { name: 'Create invoice' })).toBeVisible()
  await page.getByRole('tab', { name: 'Balance' }).focus()
  await tabTo(page, /^Bitcoin \(Lightning\)$/)
  // An arrow key creates no invoice.
  await press('ArrowRight')
  expect(mock.state.topups.list).toEqual([])
  await page.getByRole('tab', { name: 'Balance' }).focus()
  await tabTo(page, /^Other$/)
  await press('Enter')
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused()
  await page.keyboard.type('5')
  await tabTo(page, /^Continue with \$5\.00$/)
  await press('Enter')
  await expect(page.getByRole('heading', { name: '$5.00 over Lightning' })).toBeFocused()
  await tabTo(page, /^Copy invoice$/)
  await press('Enter')
  await expect.poll(() => clipboard(page)).toBe(mock.state.topups.list[0]!.lightningInvoice)
  await tabTo(page, /^Pay from wallet…$/)
  await press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await press('Tab')
  await press('Enter')
  await expect(invoiceOf(page, /^Top-up:/)).toContainText('3 sats in fees')
  await page.getByRole('heading', { name: '$5.00 over Lightning' }).focus()
  await tabTo(page, /^Done$/)
  await press('Enter')
  await expect(page.getByRole('article', { name: '$5.00 over Lightning', exact: true })).toContainText('Paid')
})
