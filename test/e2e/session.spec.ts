import { axeFaults } from './axe.ts'
import { expect, test } from './window-test.ts'

test.describe('the session', () => {
  test('removes the code from the URL at once, and preserves the tab’s token over a reload', async ({
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

  test('is missing in a tab without a code, which explains how to get one', async ({
    window: { page, mock },
  }) => {
    await page.goto(mock.origin)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await expect(page.getByText('sotto open', { exact: true })).toBeVisible()
    expect(mock.calls).toEqual([])
  })

  test('starts only once per code', async ({ window: { page, mock, composer }, context }) => {
    const address = mock.newAddress()
    await page.goto(address)
    await expect(composer).toBeVisible()
    const second = await context.newPage()
    await second.goto(address)
    await expect(second.getByText('This address was already used')).toBeVisible()
  })

  test('resumes if a new address is pasted into a disconnected tab', async ({
    window: { page, mock, composer },
  }) => {
    await page.goto(mock.origin)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await page.goto(mock.newAddress())
    await expect(composer).toBeVisible()
    await expect(page).not.toHaveURL(/code=/)
  })

  test('opens the view of a bookmark in a new tab, after instructions how to open Sotto', async ({
    window: { page, mock },
    context,
  }) => {
    await page.goto(`${mock.origin}/#/wallet/activity`)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await expect(page.getByText('The new tab then opens Wallet.')).toBeVisible()
    await expect(page).toHaveURL(/#\/wallet\/activity$/)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    expect(await axeFaults(page)).toEqual([])
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

  test('unlocks a locked vault first, and then opens the view of the URL', async ({
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

  test('that the server no longer knows shows the same screen', async ({
    window: { open, page, mock, composer },
  }) => {
    await open()
    await expect(composer).toBeVisible()
    mock.forgetSessions()
    // Through the address, because the window may have noticed automatically and shown the screen already.
    await page.evaluate(`location.hash = '#/privacy'`)
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    await expect(page.getByText('Sotto restarted or signed out this tab.')).toBeVisible()
    expect(await page.evaluate(`sessionStorage.getItem('sotto.session')`)).toBeNull()
  })
})
