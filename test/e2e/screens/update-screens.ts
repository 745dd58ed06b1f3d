import { expect } from '@playwright/test'
import type { UpdateView } from '../../../src/shared/updates.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { quietUpdates, wholeDesktop } from '../mock-vault.ts'
import type { ScreenGroup } from './screen.ts'

const setUpdates =
  (part: Partial<UpdateView>) =>
  ({ state }: MockServer): void => {
    state.updates = state.nextUpdates = { ...quietUpdates(), ...part }
  }

/** The versions and the changes in Settings. */
export const updateScreens: ScreenGroup = {
  name: 'Version and updates',
  place: '#/settings',
  set: ({ state }) => {
    state.desktop = wholeDesktop()
  },
  shown: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  screens: [
    {
      name: 'nothing newer',
      set: setUpdates({}),
      act: (page) => expect(page.getByText('No updates found')).toBeVisible(),
    },
    {
      name: 'being fetched',
      set: setUpdates({ phase: 'downloading', offered: '0.2.0', percent: 42 }),
      act: (page) => expect(page.getByText('Downloading Sotto 0.2.0')).toBeVisible(),
    },
    {
      name: 'ready',
      set: setUpdates({ phase: 'ready', offered: '0.2.0' }),
      act: (page) => expect(page.getByRole('button', { name: 'Restart and install 0.2.0' })).toBeVisible(),
    },
    {
      name: 'refused',
      set: setUpdates({
        offered: '0.2.0',
        failure: failure('update/refused', {
          step: 'sigstore/subject',
          stepCode: 'sigstore/subject-digest-mismatch',
        }),
      }),
      act: (page) => expect(page.getByText('couldn’t be verified as the announced release')).toBeVisible(),
    },
    {
      name: 'a build that does not look',
      set: setUpdates({ support: 'no-address', checkedAt: null }),
      act: (page) => expect(page.getByText('This build doesn’t check for updates')).toBeVisible(),
    },
    {
      name: 'what changed',
      place: '#/settings/changes',
      set: setUpdates({}),
      act: (page) => expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible(),
    },
  ],
}
