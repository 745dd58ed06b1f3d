import { expect, type Page } from '@playwright/test'
import { conversation } from '../mock-data.ts'
import { PNG } from '../mock-purchases.ts'
import type { MockServer } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'

const at = Date.now()

function fill({ state }: MockServer): void {
  const times = { createdAt: at, updatedAt: at }
  state.projects = [
    { id: 'p1', name: 'The new house', instructions: 'Answer in metric units.', privateOnly: true, ...times },
    {
      id: 'p2',
      name: 'Work, and what has to do with it in one way or another',
      instructions: '',
      privateOnly: false,
      ...times,
    },
  ]
  state.conversations = [
    conversation('c1', 'The roof', at, [['Which tiles are quiet?', 'Clay **tiles** are.']], {
      projectId: 'p1',
    }),
    conversation('c2', 'Minutes', at - 1000, [['a', 'b']], { projectId: 'p2', private: false }),
  ]
}

async function shown(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { name: heading, exact: true, level: 1 })).toBeVisible()
}

const LEASE = '# Lease\n\nThe rent is 900 euros.\n\nThe notice period is three months.'

async function addFiles(page: Page): Promise<void> {
  await page.getByTestId('document-files').setInputFiles([
    { name: 'lease.md', mimeType: 'text/markdown', buffer: Buffer.from(LEASE) },
    {
      name: 'survey of the roof, the cellar and all that is between them.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The cellar is damp.'),
    },
    { name: 'front.png', mimeType: 'image/png', buffer: PNG },
  ])
}

/** The list of projects, one of them, and a chat in it. */
export const projectScreens: ScreenGroup = {
  name: 'Projects',
  place: '#/projects',
  set: fill,
  shown: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  screens: [
    { name: 'the projects', act: (page) => shown(page, 'Projects') },
    {
      name: 'no project yet',
      set: ({ state }) => {
        state.projects = []
      },
      act: (page) => expect(page.getByText('No projects yet')).toBeVisible(),
    },
    {
      name: 'a private-only project',
      place: '#/projects/p1',
      act: async (page) => {
        await shown(page, 'The new house')
        await expect(page.getByRole('switch', { name: 'Private only' })).toBeChecked()
      },
    },
    {
      name: 'the files of a project',
      place: '#/projects/p2',
      act: async (page) => {
        await addFiles(page)
        await expect(page.getByText('An image has no text')).toBeVisible()
      },
    },
    {
      name: 'passages of a project',
      place: '#/projects/p2',
      act: async (page, mock) => {
        await addFiles(page)
        await expect(page.getByText('An image has no text')).toBeVisible()
        await page.getByRole('button', { name: 'New chat in this project' }).click()
        const composer = page.getByLabel('Message', { exact: true })
        await composer.fill('The notice period?')
        await page.getByRole('button', { name: /passages, about/ }).click()
        await page.getByRole('checkbox').first().uncheck()
        await composer.press('Enter')
        const answer = await mock.nextAnswer()
        answer.delta('Three months [2], and the cellar is damp [1].')
        answer.end()
        await composer.fill('The rent?')
        await page.getByRole('button', { name: /passages?, about/ }).click()
        await page.getByRole('button', { name: 'Source 2' }).click()
        await expect(page.getByRole('region', { name: 'Passage' })).toBeVisible()
      },
    },
    {
      name: 'export of a project',
      place: '#/projects/p2',
      act: async (page) => {
        await page.getByRole('button', { name: /^More actions for Work/ }).click()
        await page.getByRole('menuitem', { name: 'Export…' }).click()
        await expect(page.getByRole('dialog', { name: 'Export project' })).toBeVisible()
      },
    },
    {
      name: 'import of a project',
      act: async (page) => {
        await page.getByRole('button', { name: 'Import project…' }).click()
        const dialog = page.getByRole('dialog', { name: 'Import project' })
        await dialog.getByRole('button', { name: 'Import', exact: true }).click()
        await expect(dialog.getByText('Choose a project file saved by Sotto.')).toBeVisible()
      },
    },
    { name: 'a chat in a project', place: '#/chat/c1', act: (page) => shown(page, 'The roof') },
    {
      name: 'a new chat in a project',
      place: '#/projects/p1',
      act: async (page) => {
        await page.getByRole('button', { name: 'New chat in this project' }).click()
        await expect(page.getByRole('button', { name: 'Leave the project' })).toBeVisible()
      },
    },
  ],
}
