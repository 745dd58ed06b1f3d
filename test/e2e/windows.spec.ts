import { failure, type MockServer } from './mock-server.ts'
import { someWindows } from './screens/connected-window-screens.ts'
import { expect, test } from './window-test.ts'

const signedOut = (mock: MockServer): unknown[] =>
  mock.calls.filter(({ path }) => path === 'windows.signOut').map(({ input }) => input)

test.describe('the browser windows in Settings', () => {
  test.beforeEach(({ mock }) => {
    mock.state.windows = someWindows(Date.now())
  })

  test('are listed with browser, system and last use', async ({ window: { open, page } }) => {
    await open('#/settings')
    const rows = page.getByRole('region', { name: 'Browser windows' }).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0)).toContainText('Chrome on Linux')
    await expect(rows.nth(0)).toContainText('This window')
    await expect(rows.nth(1)).toContainText('Safari on iOS')
    await expect(rows.nth(1)).toContainText('Last used 5 minutes ago')
    await expect(rows.nth(2)).toContainText('Browser')
    await expect(rows.nth(2).getByRole('button', { name: 'Sign out' })).toHaveAccessibleDescription(
      /Browser.*Last used 12 days ago/,
    )
  })

  test('are signed out one by one, and all others at once, by the keyboard', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Browser windows' })
    const rows = section.getByRole('listitem')
    await rows.filter({ hasText: 'Safari on iOS' }).getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(2)
    expect(signedOut(mock)).toEqual([{ id: 'phone' }])
    await expect(page.getByTestId('announcer')).toHaveText('Signed out')
    // The focus stays in the list: the next Tab reaches its first button.
    await page.keyboard.press('Tab')
    await expect(section.getByRole('button', { name: 'Sign out this window' })).toBeFocused()
    await section.getByRole('button', { name: 'Sign out all others' }).focus()
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(1)
    expect(signedOut(mock)).toEqual([{ id: 'phone' }, { id: 'program' }])
    await expect(section.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0)
  })

  test('include this one, which ends as a tab that is not connected', async ({ window: { open, page } }) => {
    await open('#/settings')
    await page.getByRole('button', { name: 'Sign out this window' }).click()
    await expect(page.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
    expect(await page.evaluate(`sessionStorage.getItem('sotto.session')`)).toBeNull()
  })

  test('stay listed with the reason if they can’t be signed out', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['windows.signOut'] = failure('proxy/internal')
    await open('#/settings')
    const row = page
      .getByRole('region', { name: 'Browser windows' })
      .getByRole('listitem')
      .filter({ hasText: 'Safari on iOS' })
    await row.getByRole('button', { name: 'Sign out' }).click()
    await expect(row.getByRole('alert')).toContainText('proxy/internal')
  })

  test('that can’t be listed are listed on another try', async ({ window: { open, page, mock } }) => {
    mock.state.failures['windows.list'] = failure('proxy/internal')
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Browser windows' })
    await expect(section.getByRole('alert')).toContainText('proxy/internal')
    delete mock.state.failures['windows.list']
    await section.getByRole('button', { name: 'Try again' }).click()
    await expect(section.getByRole('listitem')).toHaveCount(3)
    await expect(section.getByRole('alert')).toHaveCount(0)
  })
})
