import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { failure } from './mock-server.ts'
import { quietUpdates, wholeDesktop } from './mock-vault.ts'
import { expect, test } from './window-test.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Version and updates' })

test.describe('version and updates, in Settings', () => {
  test('a browser tab shows the version and its changes, and doesn’t check for updates', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    await expect(section(page)).toContainText('You’re using Sotto 0.1.0.')
    await expect.poll(() => mock.calls.some(({ path }) => path === 'desktop.updates')).toBe(true)
    await expect(section(page).getByRole('switch')).toHaveCount(0)
    await section(page).getByRole('button', { name: 'What’s new' }).click()
    await expect(page.getByRole('heading', { name: 'What’s new', level: 1 })).toBeVisible()
    await expect(page.getByText('Private chat in the window')).toBeVisible()
    await page.getByRole('button', { name: 'Back to Settings' }).press('Enter')
    await expect(section(page)).toBeVisible()
  })

  test('a build without an update address shows this, and offers no switch and no check', async ({
    window: { open, page, mock },
  }) => {
    mock.state.desktop = wholeDesktop()
    mock.state.updates = { ...quietUpdates(), support: 'no-address', checkedAt: null }
    await open('#/settings')
    await expect(section(page)).toContainText('This build doesn’t check for updates')
    await expect(section(page).getByRole('switch')).toHaveCount(0)
    await expect(section(page).getByRole('button', { name: 'Check now' })).toHaveCount(0)
  })

  test('a newer version is found, downloaded with its progress shown, and installed on request', async ({
    window: { open, page, mock },
  }) => {
    mock.state.desktop = wholeDesktop()
    mock.state.updates = { ...quietUpdates(), checkedAt: null }
    mock.state.nextUpdates = { ...quietUpdates(), phase: 'downloading', offered: '0.2.0', percent: 40 }
    await open('#/settings')
    await section(page).getByRole('button', { name: 'Check now' }).press('Enter')
    await expect(section(page).getByRole('status')).toHaveText('Downloading Sotto 0.2.0: 40%')
    mock.state.updates = { ...quietUpdates(), phase: 'ready', offered: '0.2.0' }
    await expect(section(page).getByRole('status')).toContainText('Sotto 0.2.0 was downloaded and verified')
    await section(page).getByRole('button', { name: 'Restart and install 0.2.0' }).click()
    await expect(section(page).getByRole('status')).toContainText('Sotto is quitting, and Sotto 0.2.0 starts')
  })

  test('a refused update is shown with its code and step, and can be checked for again', async ({
    window: { open, page, mock },
  }) => {
    mock.state.desktop = wholeDesktop()
    mock.state.updates = quietUpdates()
    mock.state.nextUpdates = {
      ...quietUpdates(),
      offered: '0.2.0',
      failure: failure('update/refused', {
        step: 'sigstore/repository',
        stepCode: 'sigstore/repository-mismatch',
      }),
    }
    await open('#/settings')
    await section(page).getByRole('button', { name: 'Check now' }).click()
    await expect(section(page).getByRole('alert')).toContainText('It wasn’t installed.')
    await expect(section(page).getByRole('alert')).toContainText('sigstore/repository-mismatch')
    await expect(section(page).getByRole('button', { name: 'Check now' })).toBeVisible()
  })

  test('update checks are turned off and on, and other settings don’t change them', async ({
    window: { open, page, mock },
  }) => {
    mock.state.desktop = wholeDesktop()
    mock.state.updates = quietUpdates()
    await open('#/settings')
    await section(page).getByRole('switch', { name: 'Check for updates daily' }).click()
    await expect.poll(() => mock.state.desktop?.settings.lookForUpdates).toBe(false)
    await expect(section(page).getByRole('button', { name: 'Check now' })).toHaveCount(0)
    await page
      .getByRole('region', { name: 'Desktop' })
      .getByRole('switch', { name: /Keep running in the tray/ })
      .click()
    await expect
      .poll(() => mock.state.desktop?.settings)
      .toMatchObject({ closeToTray: false, lookForUpdates: false })
  })
})

test.describe('in every view of the desktop app', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(
      `Object.defineProperty(window, 'desktop', { value: { theme: 'light', preferences: '', setTheme() {}, setPreferences() {}, onGo() {}, onCommand() {} } })`,
    ),
  )

  test('the first start of a new version offers its changes, once', async ({
    window: { open, page, mock },
  }) => {
    mock.state.updates = { ...quietUpdates(), updatedFrom: '0.0.9' }
    await open()
    await expect(page.getByText('Sotto was updated from 0.0.9 to 0.1.0.')).toBeVisible()
    await page.getByRole('button', { name: 'See what’s new' }).click()
    await expect(page.getByRole('heading', { name: 'What’s new', level: 1 })).toBeVisible()
    await expect.poll(() => mock.state.updates?.updatedFrom).toBe(null)
    await expect(page.getByText('Sotto was updated from 0.0.9')).toHaveCount(0)
  })

  test('a verified update is announced, and can be postponed', async ({ window: { open, page, mock } }) => {
    mock.state.updates = { ...quietUpdates(), phase: 'ready', offered: '0.2.0' }
    await open()
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(page.getByText('Sotto 0.2.0 was downloaded and verified.')).toHaveCount(0)
    expect(await axeFaults(page)).toEqual([])
  })
})
