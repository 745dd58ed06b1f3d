import { axeFaults } from './axe.ts'
import { serviceStatus } from './mock-data.ts'
import type { MockServer } from './mock-server.ts'
import { expect, test } from './window-test.ts'

const open = (mock: MockServer, kind: 'file' | 'keychain' | 'memory'): void => {
  mock.state.status = { ...serviceStatus(), vault: { kind, state: 'open' } }
}
const called = (mock: MockServer, path: string): unknown[] =>
  mock.calls.filter((call) => call.path === path).map(({ input }) => input)

test.describe('locking', () => {
  test('by keyboard saves the draft first, and the new page contains nothing of the previous one', async ({
    window: { open: openWindow, page, mock, composer },
  }) => {
    open(mock, 'file')
    await openWindow()
    await page.evaluate(() => {
      Object.assign(globalThis, { before: true })
    })
    await composer.fill('an unsent canary')
    await page.keyboard.press('Control+Shift+L')
    await expect(page.getByRole('heading', { name: 'Unlock Sotto' })).toBeVisible()
    await expect(page.getByLabel('Passphrase')).toBeFocused()
    // Another document: the heap of the one before is gone.
    await expect.poll(() => page.evaluate(() => 'before' in globalThis)).toBe(false)
    expect(await page.content()).not.toContain('an unsent canary')
    const order = mock.calls
      .map(({ path }) => path)
      .filter((path) => path === 'drafts.save' || path === 'vault.lock')
    expect(order).toEqual(['drafts.save', 'vault.lock'])
    await page.getByLabel('Passphrase').fill(mock.state.passphrase)
    await page.keyboard.press('Enter')
    await expect(composer).toBeVisible()
  })

  test('works from the command palette and from Settings, which save the chosen time', async ({
    window: { open: openWindow, page, mock },
  }) => {
    open(mock, 'file')
    await openWindow('#/settings')
    const lock = page.getByRole('group', { name: 'Lock', exact: true })
    await lock.getByLabel('Lock automatically').selectOption({ label: 'After 15 minutes without use' })
    await lock.getByRole('switch', { name: 'Lock when the computer sleeps' }).click()
    await expect
      .poll(() => called(mock, 'vault.setAutoLock'))
      .toEqual([
        { afterMinutes: 15, onSleep: false },
        { afterMinutes: 15, onSleep: true },
      ])
    // Use of the window is reported from then on.
    await page.keyboard.press('Shift')
    await expect.poll(() => called(mock, 'vault.use').length).toBe(1)
    await lock.getByRole('button', { name: /^Lock now/ }).click()
    await expect(page.getByRole('heading', { name: 'Unlock Sotto' })).toBeVisible()
    await page.getByLabel('Passphrase').fill(mock.state.passphrase)
    await page.keyboard.press('Enter')
    await expect(lock).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lock sotto')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Unlock Sotto' })).toBeVisible()
  })

  test('elsewhere reaches this page, which shows the reason', async ({
    window: { open: openWindow, page, mock },
  }) => {
    open(mock, 'file')
    await openWindow()
    await page.evaluate(() => {
      Object.assign(globalThis, { before: true })
    })
    mock.state.status = {
      ...mock.state.status,
      vault: { kind: 'file', state: 'locked', lockedBy: { by: 'idle', minutes: 15 } },
    }
    await expect(
      page.getByRole('status').filter({ hasText: 'Locked after 15 minutes without use.' }),
    ).toBeVisible({ timeout: 15_000 })
    await expect.poll(() => page.evaluate(() => 'before' in globalThis)).toBe(false)
  })

  test('of a keychain vault is undone by the keychain, without a passphrase', async ({
    window: { open: openWindow, page, mock, composer },
  }) => {
    mock.state.status = {
      ...serviceStatus(),
      vault: { kind: 'keychain', state: 'locked', lockedBy: { by: 'sleep' } },
    }
    await openWindow()
    await expect(page.getByText('Locked because the computer went to sleep.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Unlock' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(composer).toBeVisible()
    expect(called(mock, 'vault.unlock')).toEqual([{}])
  })

  test('is disabled if nothing is saved, with the reason', async ({
    window: { open: openWindow, page, mock },
  }) => {
    open(mock, 'memory')
    await openWindow('#/settings')
    const lock = page.getByRole('group', { name: 'Lock', exact: true })
    await expect(lock.getByRole('button', { name: /^Lock now/ })).toBeDisabled()
    await expect(lock).toContainText('nothing is saved, so locking would delete everything')
    await expect(lock.getByLabel('Lock automatically')).toHaveCount(0)
  })

  test('is offered when a passphrase is chosen', async ({ window: { open: openWindow, page, mock } }) => {
    mock.state.status = { ...serviceStatus(), vault: { kind: 'file', state: 'passphrase-needed' } }
    await openWindow()
    await expect(page.getByLabel('Lock automatically')).toHaveValue('')
    await page.getByLabel('Passphrase', { exact: true }).fill('several words here')
    await page.getByLabel('Confirm passphrase').fill('several words here')
    await page.getByLabel('Lock automatically').selectOption({ label: 'After 1 hour without use' })
    await page.getByRole('button', { name: 'Protect with this passphrase' }).click()
    await expect.poll(() => called(mock, 'vault.setAutoLock')).toEqual([{ afterMinutes: 60, onSleep: false }])
  })
})

test.describe('every screen of a locked Sotto', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  for (const kind of ['file', 'keychain'] as const) {
    test(`${kind}: has no axe violations in light and dark, and doesn’t scroll sideways at 360 pixels`, async ({
      window: { open: openWindow, page, mock },
    }) => {
      mock.state.status = {
        ...serviceStatus(),
        vault: { kind, state: 'locked', lockedBy: { by: 'idle', minutes: 15 } },
      }
      await openWindow()
      await expect(page.getByText('Locked after 15 minutes without use.')).toBeVisible()
      const folder = process.env['SOTTO_SHOTS']
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await axeFaults(page), colorScheme).toEqual([])
        if (folder !== undefined) await page.screenshot({ path: `${folder}/lock-${kind}-${colorScheme}.png` })
      }
      await page.setViewportSize({ width: 360, height: 740 })
      if (folder !== undefined) await page.screenshot({ path: `${folder}/lock-${kind}-narrow.png` })
      expect(
        await page.evaluate(
          '[document.documentElement, document.body, document.querySelector("main")].filter(Boolean).filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.tagName)',
        ),
      ).toEqual([])
    })
  }
})
