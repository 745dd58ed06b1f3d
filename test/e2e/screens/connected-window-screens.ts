import { expect } from '@playwright/test'
import type { WindowView } from '../../../src/shared/contract/desktop.ts'
import { failure } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'

const MINUTE = 60_000

/** Three windows: this one, and two of other browsers. */
export function someWindows(now: number): WindowView[] {
  return [
    {
      id: 'this',
      openedAt: now - 26 * 60 * MINUTE,
      lastUsedAt: now,
      browser:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      current: true,
    },
    {
      id: 'phone',
      openedAt: now - 3 * 60 * MINUTE,
      lastUsedAt: now - 5 * MINUTE,
      browser:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      current: false,
    },
    {
      id: 'program',
      openedAt: now - 20 * 24 * 60 * MINUTE,
      lastUsedAt: now - 12 * 24 * 60 * MINUTE,
      browser: 'curl/8.5.0',
      current: false,
    },
  ]
}

/** The browser windows in Settings. */
export const connectedWindowScreens: ScreenGroup = {
  name: 'Browser windows',
  place: '#/settings',
  set: ({ state }) => {
    state.windows = someWindows(Date.now())
  },
  shown: (page) => page.getByRole('region', { name: 'Browser windows' }).scrollIntoViewIfNeeded(),
  screens: [
    { name: 'three windows', act: (page) => expect(page.getByText('Safari on iOS')).toBeVisible() },
    {
      name: 'none',
      set: ({ state }) => {
        state.windows = []
      },
      act: (page) => expect(page.getByText('No browser windows')).toBeVisible(),
    },
    {
      name: 'not loaded',
      set: ({ state }) => {
        state.failures['windows.list'] = failure('proxy/internal')
      },
      act: (page) =>
        expect(
          page.getByRole('region', { name: 'Browser windows' }).getByRole('button', { name: 'Try again' }),
        ).toBeVisible(),
    },
    {
      name: 'not signed out',
      set: ({ state }) => {
        state.failures['windows.signOut'] = failure('proxy/internal')
      },
      act: async (page) => {
        await page
          .getByRole('listitem')
          .filter({ hasText: 'Safari on iOS' })
          .getByRole('button', { name: 'Sign out' })
          .click()
        await expect(page.getByRole('region', { name: 'Browser windows' }).getByRole('alert')).toBeVisible()
      },
    },
  ],
}
