import { expect } from '@playwright/test'
import { serviceStatus } from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import { wholeDesktop } from '../mock-vault.ts'
import type { ScreenGroup } from './screen.ts'

const shut =
  (kind: 'keychain' | 'file', state: 'locked' | 'damaged' | 'passphrase-needed') =>
  ({ state: mock }: MockServer): void => {
    mock.status = { ...serviceStatus(), vault: { kind, state } }
  }

const lockedByIdle =
  (kind: 'keychain' | 'file') =>
  ({ state: mock }: MockServer): void => {
    mock.status = {
      ...serviceStatus(),
      vault: { kind, state: 'locked', lockedBy: { by: 'idle', minutes: 15 } },
    }
  }

/** The screens that replace all views while the vault isn't open. */
export const vaultScreens: ScreenGroup = {
  name: 'The vault, shut',
  place: undefined,
  shown: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  screens: [
    { name: 'locked by idle time, passphrase', set: lockedByIdle('file') },
    { name: 'locked by idle time, keychain', set: lockedByIdle('keychain') },
    {
      name: 'keychain locked',
      set: (mock) => {
        shut('keychain', 'locked')(mock)
        mock.state.vault.keychain = 'locked'
      },
    },
    {
      name: 'keychain absent',
      set: (mock) => {
        shut('keychain', 'locked')(mock)
        mock.state.vault.keychain = 'absent'
      },
    },
    {
      name: 'keychain access denied',
      set: (mock) => {
        shut('keychain', 'locked')(mock)
        mock.state.vault.keychain = 'refused'
      },
    },
    {
      name: 'damaged, to be restored',
      set: shut('keychain', 'damaged'),
      act: async (page) => {
        await page.getByRole('button', { name: 'Restore from a recovery copy…' }).click()
        await expect(page.getByRole('dialog').getByLabel('Backup passphrase')).toBeVisible()
      },
    },
  ],
}

/** The vault and desktop sections of Settings. */
export const desktopScreens: ScreenGroup = {
  name: 'The vault and the desktop, in Settings',
  place: '#/settings',
  set: ({ state }) => {
    state.desktop = wholeDesktop()
  },
  shown: (page) => expect(page.getByRole('region', { name: 'Desktop' })).toBeVisible(),
  screens: [
    { name: 'keychain, and a desktop' },
    {
      name: 'another passphrase',
      set: ({ state }) => {
        state.status = { ...state.status, vault: { kind: 'file', state: 'open' } }
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Change passphrase…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Change passphrase' }).click()
        await expect(page.getByRole('dialog').getByText('Enter the current passphrase.')).toBeVisible()
      },
    },
    {
      name: 'a keychain that takes nothing',
      set: ({ state }) => {
        state.status = { ...state.status, vault: { kind: 'memory', state: 'open' } }
        Object.assign(state.vault, { keychain: 'absent', nextKeychain: 'refused' })
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Use the keychain instead…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Use keychain' }).click()
        await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
      },
    },
  ],
}
