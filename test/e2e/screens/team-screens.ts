import { expect, type Page } from '@playwright/test'
import { teamFailure, type MockTeam } from '../mock-team.ts'
import type { ScreenGroup } from './screen.ts'

/** Chooses an action in the menu of a member, a group or a key. */
export async function actOn(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: action, exact: true }).press('Enter')
}

export const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

const signsIn = (id: string) => (mock: MockTeam) => {
  mock.state.signsIn = id
}
const isEmpty = ({ state }: MockTeam) => Object.assign(state, { groups: [], keys: [], requests: [] })
const dialog = (page: Page) => expect(page.getByRole('dialog')).toBeVisible()
const question = (page: Page) => expect(page.getByRole('alertdialog')).toBeVisible()

export const signInScreens: ScreenGroup<MockTeam> = {
  name: 'Team sign-in',
  place: undefined,
  shown: (page) => expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused(),
  screens: [
    { name: 'before a sign-in' },
    {
      name: 'a refused sign-in',
      set: (mock) => {
        mock.state.signsIn = undefined
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Sign in' }).press('Enter')
        await expect(page.getByRole('alert')).toBeVisible()
      },
    },
  ],
}

export const teamScreens: ScreenGroup<MockTeam> = {
  name: 'Team',
  place: '#/members',
  shown: async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  },
  screens: [
    { name: 'members', act: (page) => expect(row(page, 'Mia Sørensen')).toBeVisible() },
    { name: 'members for an auditor', set: signsIn('ben') },
    {
      name: 'a faulty new member',
      act: async (page) => {
        await page.getByRole('button', { name: 'Add member' }).click()
        await page.getByLabel('Budget').check()
        await page.getByLabel('US dollars').fill('ten')
        await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click()
        await expect(page.getByText('Enter an email address')).toBeVisible()
      },
    },
    {
      name: 'the removal of a member',
      act: async (page) => {
        await actOn(page, 'Mia Sørensen', 'Remove')
        await question(page)
      },
    },
    {
      name: 'members that fail to load',
      set: ({ state }) => {
        state.failures['members.list'] = teamFailure('database/unreachable', 'The database can’t be reached.')
      },
      act: (page) => expect(page.getByRole('alert')).toBeVisible(),
    },
    { name: 'groups', place: '#/groups', act: (page) => expect(row(page, 'Research')).toBeVisible() },
    { name: 'no groups', place: '#/groups', set: isEmpty },
    {
      name: 'a group with self-service',
      place: '#/groups',
      act: async (page) => {
        await actOn(page, 'Research', 'Edit')
        await dialog(page)
      },
    },
    {
      name: 'keys',
      place: '#/keys',
      act: async (page) => {
        await page.getByLabel('Show revoked').check()
        await expect(row(page, 'Old laptop')).toBeVisible()
      },
    },
    {
      name: 'a new key',
      place: '#/keys',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click()
        await dialog(page)
      },
    },
    {
      name: 'the secret of a new key',
      place: '#/keys',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByLabel('Name').fill('Laptop')
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
        await expect(page.getByTestId('new-secret')).toBeVisible()
      },
    },
    {
      name: 'keys of a member',
      place: '#/keys',
      set: signsIn('mia'),
      act: (page) => expect(row(page, 'Notebook')).toBeVisible(),
    },
    { name: 'no keys', place: '#/keys', set: isEmpty },
    {
      name: 'activity',
      place: '#/activity',
      act: (page) => expect(page.getByRole('list', { name: 'Request list' })).toBeVisible(),
    },
    {
      name: 'activity of a member',
      place: '#/activity',
      set: signsIn('mia'),
      act: (page) => expect(page.getByTestId('own-sum')).toBeVisible(),
    },
    { name: 'no activity', place: '#/activity', set: isEmpty },
    {
      name: 'appearance',
      act: async (page) => {
        await page.getByRole('button', { name: 'Account of Ada Keller' }).press('Enter')
        await page.getByRole('menuitem', { name: 'Change appearance' }).press('Enter')
        await dialog(page)
      },
    },
  ],
}
