import { MOCK_CREDIT_ID, MOCK_SERVICE_KEY } from './mock-accounts.ts'
import { MOCK_PREIMAGE } from './mock-purchases.ts'
import { secretOf } from './mock-service-keys.ts'
import { MOCK_NWC, MOCK_NWC_SECRET, OTHER_NWC } from './mock-wallet.ts'
import { ready as readyKeys, row } from './screens/key-screens.ts'
import { ask, withoutWallet } from './screens/purchase-screens.ts'
import { service } from './screens/wallet-connection-screens.ts'
import { windowMemory } from './window-memory.ts'
import { expect, test } from './window-test.ts'

const OTHER_SECRET = OTHER_NWC.slice(-64)

test.describe('payment secrets in the memory of the window', () => {
  test('wallet connections are found while an object has them, and not after they were sent', async ({
    window: { open, page, mock },
  }) => {
    service(mock)
    await open('#/wallet/connection')
    // A text deep in an object is found, and is gone when the object is.
    await page.evaluate((text) => {
      Object.assign(globalThis, { kept: [{ deep: new Map([['text', text.toUpperCase().toLowerCase()]]) }] })
    }, MOCK_NWC)
    expect((await windowMemory(page)).includes(MOCK_NWC_SECRET)).toBe(true)
    await page.evaluate(() => {
      Object.assign(globalThis, { kept: undefined })
    })
    expect((await windowMemory(page)).includes(MOCK_NWC_SECRET)).toBe(false)

    await page.getByLabel('Wallet connection', { exact: true }).fill(MOCK_NWC)
    await page.keyboard.press('Enter')
    await expect(page.getByText('“Pocket” (self-reported name)')).toBeVisible()
    await page.getByLabel('Wallet connection for the service').fill(OTHER_NWC)
    await page.keyboard.press('Enter')
    await expect(page.getByText('On: the service has a wallet connection')).toBeVisible()
    const memory = await windowMemory(page)
    expect(['Pocket', MOCK_NWC_SECRET, OTHER_SECRET].map((text) => memory.includes(text))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a preimage isn’t found after it proved its payment', async ({ window: { open, page, mock } }) => {
    withoutWallet(mock)
    await open('#/wallet/purchases')
    await ask(page)
    await page.getByLabel('Preimage', { exact: false }).fill(MOCK_PREIMAGE)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Delivered', { exact: true })).toBeVisible()
    const memory = await windowMemory(page)
    expect(['Delivered', MOCK_PREIMAGE].map((text) => memory.includes(text))).toEqual([true, false])
  })

  test('the credentials of an account are found only while they’re shown', async ({
    window: { open, page, mock },
  }) => {
    const { apiKey = '', creditId = '' } = mock.state.accounts.list[0]!.credentials
    const seen = (memory: string): boolean[] => [memory.includes(apiKey), memory.includes(creditId)]
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'Show credentials for Account' }).click()
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
    await expect(page.getByTestId('secret').first()).toBeVisible()
    expect(seen(await windowMemory(page))).toEqual([true, true])
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('secret')).toHaveCount(0)
    expect(seen(await windowMemory(page))).toEqual([false, false])
  })

  test('a new API key is found only while it’s shown', async ({ window: { open, page, mock } }) => {
    readyKeys(mock)
    await open('#/developer/new-api-key')
    await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('Phone')
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('secret')).toBeVisible()
    const secret = secretOf('made1')
    expect((await windowMemory(page)).includes(secret)).toBe(true)
    await page.getByRole('button', { name: 'I’ve copied it' }).click()
    await expect(row(page, 'Phone')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect((await windowMemory(page)).includes(secret)).toBe(false)
  })

  test('the credentials of a new account are found only while they’re shown', async ({
    window: { open, page },
  }) => {
    await open('#/wallet/accounts')
    await page.getByRole('button', { name: 'New account…' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByTestId('secret').first()).toBeVisible()
    const seen = (memory: string): boolean[] => [
      memory.includes(MOCK_SERVICE_KEY),
      memory.includes(MOCK_CREDIT_ID),
    ]
    expect(seen(await windowMemory(page))).toEqual([true, true])
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(seen(await windowMemory(page))).toEqual([false, false])
  })
})
