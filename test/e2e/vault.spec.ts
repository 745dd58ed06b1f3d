import { readFile } from 'node:fs/promises'
import { tabTo } from './by-keyboard.ts'
import { serviceStatus } from './mock-data.ts'
import { expect, test } from './window-test.ts'
import { wholeDesktop } from './mock-vault.ts'

const PASSPHRASE = 'several words here'

test.describe('a locked vault', () => {
  for (const [keychain, heading] of [
    ['locked', 'System keychain locked'],
    ['absent', 'System keychain unavailable'],
    ['refused', 'System keychain access denied'],
  ] as const) {
    test(`shows that the keychain is ${keychain}, and checks it again on request`, async ({
      window: { open, page, mock, composer },
    }) => {
      mock.state.status = { ...serviceStatus(), vault: { kind: 'keychain', state: 'locked' } }
      mock.state.vault.keychain = keychain
      await open()
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(composer).toBeVisible()
      expect(mock.calls.filter(({ path }) => path === 'vault.unlock').map(({ input }) => input)).toEqual([{}])
    })
  }

  test('is restored from a recovery copy, confirmed outside the window', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.status = { ...serviceStatus(), vault: { kind: 'keychain', state: 'damaged' } }
    mock.state.confirmationCode = '123456'
    await open()
    await page.getByRole('button', { name: 'Restore from a recovery copy…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore from a recovery copy' })
    await dialog.getByLabel('Backup passphrase').fill('words of the copy')
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Choose a recovery copy saved by Sotto.')
    expect(mock.calls.some(({ path }) => path === 'vault.restore')).toBe(false)
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose recovery copy…' }).click()
    await (
      await choosing
    ).setFiles({
      name: 'sotto-recovery.json',
      mimeType: 'application/json',
      buffer: Buffer.from(mock.state.vault.copy.text),
    })
    await expect(dialog.getByText('sotto-recovery.json')).toBeVisible()
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByLabel('Code from your terminal').fill('123456')
    await page.keyboard.press('Enter')
    await expect(composer).toBeVisible()
  })

  test('stays locked if the recovery copy or its passphrase is wrong', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...serviceStatus(), vault: { kind: 'file', state: 'locked' } }
    await open()
    await page.getByRole('button', { name: 'Restore from a recovery copy…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore from a recovery copy' })
    for (const [text, passphrase, alertText] of [
      ['{}', 'words of the copy', 'isn’t a vault recovery copy'],
      [mock.state.vault.copy.text, 'others', 'doesn’t unlock the recovery copy'],
    ] as const) {
      const choosing = page.waitForEvent('filechooser')
      await dialog.getByRole('button', { name: /^Choose/ }).click()
      await (
        await choosing
      ).setFiles({ name: 'copy.json', mimeType: 'application/json', buffer: Buffer.from(text) })
      await dialog.getByLabel('Backup passphrase').fill(passphrase)
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
      await expect(dialog.getByRole('alert')).toContainText(alertText)
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { name: 'Unlock Sotto' })).toBeVisible()
  })
})

test.describe('the vault in Settings', () => {
  test('changes from the keychain to a passphrase, changes that, and changes back, by keyboard only', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Saved data and encryption' })
    await expect(section.getByText('Working')).toBeVisible()
    await section.getByRole('button', { name: 'Use a passphrase instead…' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await tabTo(page, /^Passphrase/)
    await page.keyboard.type(PASSPHRASE)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSPHRASE)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(section).toContainText('protected by a passphrase')
    expect(mock.state.passphrase).toBe(PASSPHRASE)

    await section.getByRole('button', { name: 'Change passphrase…' }).press('Enter')
    await dialog.getByLabel('Current passphrase').fill('not this one')
    await dialog.getByLabel('New passphrase').fill('other words here')
    await dialog.getByLabel('Confirm passphrase').fill('other words here')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('doesn’t unlock the vault')
    await dialog.getByLabel('Current passphrase').fill(PASSPHRASE)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    expect(mock.state.passphrase).toBe('other words here')

    await section.getByRole('button', { name: 'Use the keychain instead…' }).press('Enter')
    await dialog.getByLabel('Current passphrase').fill('other words here')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(section).toContainText('is in this system’s keychain')
  })

  test('shows the result of a keychain check, and changes nothing if the keychain saves nothing', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...mock.state.status, vault: { kind: 'memory', state: 'open' } }
    Object.assign(mock.state.vault, { keychain: 'absent', nextKeychain: 'locked' })
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Saved data and encryption' })
    await expect(section).toContainText('Not found: no keychain is available')
    await section.getByRole('button', { name: 'Check now' }).click()
    await expect(section).toContainText('Locked: unlock the keychain')
    await section.getByRole('button', { name: 'Use the keychain instead…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use keychain' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('didn’t accept Sotto’s key')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(section).toContainText('Nothing is saved')
  })

  test('offers no other kind if one was set at the start', async ({ window: { open, page, mock } }) => {
    mock.state.vault.asked = 'keychain'
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Saved data and encryption' })
    await expect(section).toContainText('SOTTO_VAULT')
    await expect(section.getByRole('button', { name: 'Use a passphrase instead…' })).toHaveCount(0)
  })

  test('saves a recovery copy with a separate passphrase', async ({ window: { open, page, mock } }) => {
    await open('#/settings')
    await page.getByRole('button', { name: 'Save recovery copy…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await dialog.getByLabel('Confirm passphrase').fill(PASSPHRASE)
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save copy' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('sotto-recovery.json')
    expect(await readFile(await download.path(), 'utf8')).toBe(mock.state.vault.copy.text)
    expect(mock.state.vault.copy.passphrase).toBe(PASSPHRASE)
    await expect(dialog).toHaveCount(0)
  })
})

test.describe('the desktop in Settings', () => {
  test('is hidden in a browser tab', async ({ window: { open, page, mock } }) => {
    await open('#/settings')
    await expect(page.getByRole('region', { name: 'Saved data and encryption' })).toContainText('Working')
    await expect.poll(() => mock.calls.some(({ path }) => path === 'desktop.view')).toBe(true)
    await expect(page.getByRole('region', { name: 'Desktop' })).toHaveCount(0)
  })

  test('turns each setting on and off, and shows only those that this system supports', async ({
    window: { open, page, mock },
  }) => {
    mock.state.desktop = { ...wholeDesktop(), can: { closeToTray: true, startAtLogin: false, notify: true } }
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Desktop' })
    await expect(section.getByRole('switch', { name: /Start at login/ })).toHaveCount(0)
    await section.getByRole('switch', { name: /Keep running in the tray/ }).click()
    await section.getByRole('switch', { name: /Low balance/ }).press('Space')
    await section.getByRole('switch', { name: /small chat/ }).click()
    await expect
      .poll(() => mock.state.desktop?.settings)
      .toEqual({
        closeToTray: false,
        startAtLogin: false,
        quickEntry: true,
        notifications: {
          'job-done': true,
          'balance-low': false,
          'release-changed': true,
          'verification-failed': true,
        },
        lookForUpdates: true,
      })
    await expect(section.getByRole('switch', { name: /Low balance/ })).not.toBeChecked()
  })

  test('is unchanged if the system refuses a setting', async ({ window: { open, page, mock } }) => {
    mock.state.desktop = wholeDesktop()
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Desktop' })
    const login = section.getByRole('switch', { name: /Start at login/ })
    await expect(login).not.toBeChecked()
    mock.state.failures['desktop.change'] = {
      code: 'desktop/setting-refused',
      says: 'The system did not take this setting.',
      remedy: 'Try again.',
    }
    await login.click()
    await expect(section.getByRole('alert')).toContainText('did not take this setting')
    await expect(login).not.toBeChecked()
  })
})

test('the local proxy is stopped and started next to its state', async ({ window: { open, page, mock } }) => {
  await open('#/developer')
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
  await expect(page.getByText('Stopped. Tools can’t connect.').first()).toBeVisible()
  expect(mock.state.status.proxy.serving).toBe(false)
  await page.getByRole('button', { name: 'Start', exact: true }).first().click()
  await expect(page.getByText('Stopped. Tools can’t connect.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Stop', exact: true }).first()).toBeVisible()
})
