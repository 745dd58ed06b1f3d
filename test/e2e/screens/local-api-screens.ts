import { expect, type Page } from '@playwright/test'
import { goodVerdict } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { someKeys, someRequests } from '../mock-local-api.ts'
import { actOn } from './key-screens.ts'
import type { ScreenGroup } from './screen.ts'

/** Keys of every kind, and the requests made with them. */
export function full({ state }: MockServer): void {
  // Computed on each call, because a worker may have loaded this file long before.
  const now = Date.now()
  state.localApi.keys = someKeys(now)
  state.localApi.requests = someRequests(now, 400)
  state.verdict = goodVerdict(now)
}

export const listOf = (page: Page) => page.getByRole('region', { name: 'Request list' })

export const localApiScreens: ScreenGroup = {
  name: 'Developer',
  place: '#/developer/keys',
  shown: (page) => expect(page.getByRole('tab', { name: 'Keys', includeHidden: true })).toBeAttached(),
  screens: [
    {
      name: 'keys of every kind',
      set: full,
      act: async (page) => {
        await expect(page.getByRole('article', { name: 'Claude Code' })).toBeVisible()
      },
    },
    {
      name: 'the first key alone',
      act: async (page) => {
        await expect(page.getByRole('article', { name: 'First key' })).toBeVisible()
      },
    },
    {
      name: 'a new key',
      set: full,
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
        await expect(page.getByText('Enter a name')).toBeVisible()
      },
    },
    {
      name: 'a soft budget',
      set: full,
      act: async (page) => {
        await actOn(page, 'Research', 'Edit')
        await expect(page.getByLabel('Soft budget')).toBeChecked()
      },
    },
    {
      name: 'aliases and origins',
      set: full,
      act: async (page) => {
        await actOn(page, 'Research', 'Edit')
        await page
          .getByLabel('Aliases, one per line')
          .fill('claude-*haiku* = private/sandbox-large\ngpt-4o = private/not-listed')
        await page.getByLabel('Allowed origins, one per line').fill('https://notes.example/path')
        await page.getByRole('button', { name: 'Save' }).click()
        await expect(page.getByText('isn’t an origin')).toBeVisible()
      },
    },
    {
      name: 'a temporary increase',
      set: full,
      act: async (page) => {
        await actOn(page, 'Research', 'Increase budget')
        await expect(page.getByRole('button', { name: 'Remove increase' })).toBeVisible()
      },
    },
    {
      name: 'requests',
      place: '#/developer/requests',
      set: full,
      act: async (page) => {
        await expect(listOf(page).getByRole('button').first()).toBeVisible()
      },
    },
    {
      name: 'no requests, and keys that cannot be had',
      place: '#/developer/requests',
      set: (mock) => {
        mock.state.failures['localApi.watch'] = failure('store/damaged')
      },
      act: async (page) => {
        await expect(page.getByText('Live updates are paused')).toBeVisible()
      },
    },
    {
      name: 'every tool',
      place: '#/developer/tools',
      set: full,
      act: async (page) => {
        await expect(page.getByRole('link', { name: /^curl/ })).toBeVisible()
      },
    },
    {
      name: 'a tool with its key, tried',
      place: '#/developer/claude-code',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByRole('button', { name: 'Try it' }).click()
        await expect(page.getByTestId('trial')).toBeVisible()
      },
    },
  ],
}
