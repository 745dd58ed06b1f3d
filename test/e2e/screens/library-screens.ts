import { expect, type Page } from '@playwright/test'
import { conversation } from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'

const at = Date.now()

/** Conversations, two of which contain the same word. */
export function fill(mock: MockServer): void {
  mock.state.conversations = [
    conversation('tea', 'Tea', at, [
      ['Which kettle is quiet?', 'A <b>copper</b> kettle is. \u202eSee the manual'],
    ]),
    conversation('roof', 'The roof', at - 1, [['How long does copper last?', 'A century.']]),
    conversation('cat', 'A cat', at - 2, [['What does it eat?', 'Fish.']], {
      imported: true,
      private: false,
    }),
  ]
}

export const field = (page: Page) => page.getByRole('combobox', { name: 'Search chats' })
export const found = (page: Page) => page.getByRole('listbox', { name: 'Chats found' }).getByRole('option')

/** On a narrow screen the list is in the menu. */
async function toList(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await expect(field(page)).toBeVisible()
}

const dialogOf = (item: string, title: string) => async (page: Page) => {
  await toList(page)
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
}

export const libraryScreens: ScreenGroup = {
  name: 'Library',
  place: undefined,
  set: fill,
  shown: (page) => expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible(),
  screens: [
    {
      name: 'what was found',
      act: async (page) => {
        await toList(page)
        await field(page).fill('copper')
        await expect(found(page)).toHaveCount(2)
      },
    },
    { name: 'the export', act: dialogOf('Export all…', 'Export all chats') },
    { name: 'the backup', act: dialogOf('Back up…', 'Back up chats') },
    { name: 'the restore', act: dialogOf('Restore…', 'Restore chats') },
    {
      name: 'an import that skipped some',
      act: async (page) => {
        await dialogOf('Import…', 'Import chats')(page)
        await page
          .getByRole('dialog')
          .getByTestId('files-input')
          .setInputFiles({
            name: 'conversations.json',
            mimeType: 'application/json',
            buffer: Buffer.from('[]'),
          })
        await page.getByRole('button', { name: 'Import', exact: true }).click()
        await expect(page.getByTestId('import-outcome')).toBeVisible()
      },
    },
  ],
}
