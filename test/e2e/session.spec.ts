import { seriousFaults } from './axe.ts'
import { expect, test } from './window-test.ts'

test.describe('the session', () => {
  test('the code leaves the address at once, and the tab keeps its bearer over a reload', async ({
    window: { open, page, composer },
  }) => {
    await open()
    await expect(composer).toBeVisible()
    expect(
      await page.evaluate('[location.href, document.referrer, JSON.stringify({ ...localStorage })].join()'),
    ).not.toContain('code')
    await page.reload()
    await expect(composer).toBeVisible()
  })

  test('a tab without a code says how to get one', async ({ window: { page, mock } }) => {
    await page.goto(mock.origin)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await expect(page.getByText('sotto open', { exact: true })).toBeVisible()
    expect(mock.calls).toEqual([])
  })

  test('a code works once', async ({ window: { page, mock, composer }, context }) => {
    const address = mock.newAddress()
    await page.goto(address)
    await expect(composer).toBeVisible()
    const second = await context.newPage()
    await second.goto(address)
    await expect(second.getByText('This address was already used')).toBeVisible()
  })

  test('a fresh address pasted into a dead tab revives it', async ({ window: { page, mock, composer } }) => {
    await page.goto(mock.origin)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await page.goto(mock.newAddress())
    await expect(composer).toBeVisible()
    await expect(page).not.toHaveURL(/code=/)
  })

  test('a bookmark without a session says how to open Sotto, and the new tab opens its view', async ({
    window: { page, mock },
    context,
  }) => {
    await page.goto(`${mock.origin}/#/wallet/activity`)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await expect(page.getByText('The new tab then opens Wallet.')).toBeVisible()
    await expect(page).toHaveURL(/#\/wallet\/activity$/)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    expect(await seriousFaults(page)).toEqual([])
    const copy = page.getByRole('button', { name: 'Copy command' })
    await copy.press('Enter')
    await expect(copy).toHaveText('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('sotto open')
    const second = await context.newPage()
    await second.goto(mock.newAddress())
    await expect(second.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
    await expect(second).toHaveURL(/#\/wallet\/activity$/)
    const third = await context.newPage()
    await third.goto(mock.newAddress())
    await expect(third.getByLabel('Message', { exact: true })).toBeVisible()
  })

  test('a locked vault is unlocked first, and the view of the address opens then', async ({
    window: { page, mock },
  }) => {
    const { status } = mock.state
    mock.state.status = { ...status, vault: { kind: 'file', state: 'locked' } }
    await page.goto(`${mock.origin}/#/wallet/activity`)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await page.goto(mock.newAddress())
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/#\/wallet\/activity$/)
    mock.state.status = status
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  })

  test('a door that forgot the tab is met with the same screen', async ({
    window: { open, page, mock, composer },
  }) => {
    await open()
    await expect(composer).toBeVisible()
    mock.forgetSessions()
    // Through the address, because the window may have noticed automatically and shown the screen already.
    await page.evaluate(`location.hash = '#/privacy'`)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    expect(await page.evaluate(`sessionStorage.getItem('sotto.session')`)).toBeNull()
  })
})
