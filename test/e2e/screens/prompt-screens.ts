import { expect, type Page } from '@playwright/test'
import { conversation } from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'

const at = Date.now()

function fill({ state }: MockServer): void {
  state.shelves.folders = [
    { id: 'f1', name: 'The new house' },
    { id: 'f2', name: 'Work, and what has to do with it in one way or another', collapsed: true },
  ]
  state.shelves.prompts = [
    {
      id: 'p1',
      name: 'Translate',
      text: 'Into {{language|French|German|Spanish}}, {{tone=plainly}}:\n\n{{text}}',
      updatedAt: at,
    },
    {
      id: 'p2',
      name: 'Proofread',
      text: 'Correct spelling and grammar. Change nothing else. Give the corrected text, and then a list of what you changed.\n\n{{text}}',
      updatedAt: at,
    },
    {
      id: 'p3',
      name: 'A prompt with a name that is longer than there is place for it in one row of the list',
      text: 'Say hello.',
      updatedAt: at,
    },
  ]
  state.conversations = [
    conversation('c1', 'Tea', at, [['Which kettle is quiet?', 'A **copper** kettle is.']], {
      private: false,
      model: 'sandbox/echo',
    }),
    conversation('c2', 'The roof', at - 1000, [['a', 'b']], { folderId: 'f1' }),
    conversation('c3', 'Where the water goes, and why', at - 2000, [['a', 'b']], {
      folderId: 'f1',
      private: false,
    }),
    conversation('c4', 'Minutes', at - 3000, [['a', 'b']], { folderId: 'f2' }),
    conversation('c5', 'Pinned', at - 4000, [['a', 'b']], { pinned: true }),
  ]
}

const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** On a narrow screen the list is in the menu. */
async function toList(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await expect(page.getByRole('button', { name: /^The new house/ })).toBeVisible()
}

async function toLibrary(page: Page): Promise<void> {
  await message(page).fill('/')
  await page.getByRole('option', { name: /^All prompts/ }).click()
  await expect(
    page.getByRole('dialog', { name: 'Prompts', exact: true }).getByRole('listitem').first(),
  ).toBeVisible()
}

export const promptScreens: ScreenGroup = {
  name: 'Prompts and folders',
  place: '#/chat/c1',
  set: fill,
  shown: (page) => expect(message(page)).toBeVisible(),
  screens: [
    { name: 'folders in the list', act: toList },
    {
      name: 'moving to a folder',
      act: async (page) => {
        await toList(page)
        await page.getByRole('button', { name: 'More actions for Tea' }).click()
        await page.getByRole('menuitem', { name: 'Move to folder…' }).click()
        await page.getByLabel('Folder', { exact: true }).selectOption('New folder…')
        await expect(page.getByLabel('Folder name')).toBeVisible()
      },
    },
    {
      name: 'prompts after a slash',
      act: async (page) => {
        await message(page).fill('/')
        await expect(page.getByRole('option', { name: /^All prompts/ })).toBeVisible()
      },
    },
    {
      name: 'what a prompt asks for',
      act: async (page) => {
        await message(page).fill('/tr')
        await expect(page.getByRole('option', { name: /^Translate/ })).toBeVisible()
        await message(page).press('Enter')
        await expect(page.getByLabel('language')).toBeFocused()
      },
    },
    { name: 'the prompt library', act: toLibrary },
    {
      name: 'no prompt yet',
      set: ({ state }) => {
        state.shelves.prompts = []
      },
      act: async (page) => {
        await message(page).fill('/')
        await page.getByRole('option', { name: /^All prompts/ }).click()
        await expect(page.getByText('No prompts yet')).toBeVisible()
      },
    },
    {
      name: 'a prompt being written',
      act: async (page) => {
        await toLibrary(page)
        await page.getByRole('button', { name: 'More actions for prompt Translate' }).click()
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        await expect(page.getByRole('dialog', { name: 'Edit prompt' })).toContainText(
          'Variables: language, tone, text',
        )
      },
    },
  ],
}

export const voiceScreens: ScreenGroup = {
  name: 'Voice',
  place: '#/chat/c1',
  set: fill,
  shown: (page) => expect(message(page)).toBeVisible(),
  screens: [
    {
      name: 'before dictating',
      act: async (page) => {
        await page.getByRole('button', { name: 'Dictate' }).click()
        await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible()
      },
    },
    {
      name: 'no microphone, in a private conversation',
      place: '#/chat/c5',
      act: async (page) => {
        await page.evaluate(
          'navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))',
        )
        await page.getByRole('button', { name: 'Dictate' }).click()
        await page.getByRole('button', { name: 'Start recording' }).click()
        await expect(page.getByText('No microphone found.')).toBeVisible()
      },
    },
    {
      name: 'recording',
      act: async (page) => {
        await page.evaluate(FAKE_MICROPHONE)
        await page.getByRole('button', { name: 'Dictate' }).click()
        await page.getByRole('button', { name: 'Start recording' }).click()
        await expect(page.getByRole('timer')).toHaveText(/0:0[1-9]/)
      },
    },
    {
      name: 'before reading aloud',
      act: async (page) => {
        await page.getByRole('button', { name: 'Read aloud' }).click()
        await expect(page.getByText(/^\d+ characters: /)).toBeVisible()
      },
    },
    {
      name: 'reading aloud',
      set: ({ state }) => {
        Object.assign(state.conversations[0]?.messages.at(-1) ?? {}, {
          text: 'This is a sentence of the long answer. '.repeat(60),
        })
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Read aloud' }).click()
        await page
          .getByRole('region', { name: 'Read aloud' })
          .getByRole('button', { name: 'Read aloud' })
          .click()
        await expect(page.getByText(/Reading part 1/)).toBeVisible()
      },
    },
  ],
}

/** A tone, in the place of a microphone. */
const FAKE_MICROPHONE = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const heard = context.createMediaStreamDestination()
  tone.connect(heard)
  tone.start()
  await context.resume()
  return heard.stream
}`
