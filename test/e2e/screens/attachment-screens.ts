import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Attachment } from '../../../src/shared/attachment.ts'
import { pdfOf } from '../files/pdf.ts'
import * as data from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import { richModels } from './model-screens.ts'
import type { ScreenGroup } from './screen.ts'
import { dropFolder } from '../files/drop.ts'
import { addToMessage } from '../open-window.ts'

const picture = readFileSync(
  join(import.meta.dirname, '../../core/conversations/image-metadata/pictures/picture.png'),
)
const image: Attachment = {
  id: 'f1',
  name: 'harbour.png',
  kind: 'image',
  type: 'image/png',
  bytes: picture.length,
  width: 24,
  height: 16,
}
const report: Attachment = {
  id: 'f2',
  name: 'A report with a long name about the quiet harbours of the north, third edition.pdf',
  kind: 'pdf',
  type: 'application/pdf',
  bytes: 36_000,
  tokens: 12_000,
  pages: 24,
}
const notes: Attachment = {
  id: 'f3',
  name: 'notes.md',
  kind: 'text',
  type: 'text/plain',
  bytes: 4_200,
  tokens: 1_400,
}

function filled({ state }: MockServer): void {
  state.models = richModels
  const thread = data.conversation(
    'c1',
    'Harbours',
    Date.now(),
    [['What do these say?', 'That the quiet harbours are in the north.']],
    { model: 'private/sandbox-vision' },
  )
  const [question] = thread.messages
  if (question) question.attachments = [image, report, notes]
  state.conversations = [thread]
  for (const [attachment, content] of [
    [image, picture],
    [report, Buffer.from('[Page 1]\nQuiet harbours\n'.repeat(60))],
    [notes, Buffer.from('# Notes\n\n- quiet\n- deep\n'.repeat(40))],
  ] as const)
    state.attachments.files.set(attachment.id, { attachment, content })
}

function draft(
  files: readonly Attachment[],
  text: string,
  model = 'private/sandbox-vision',
): (mock: MockServer) => void {
  return (mock) => {
    filled(mock)
    const [thread] = mock.state.conversations
    if (thread) thread.conversation.model = model
    mock.state.attachments.drafts = [{ conversationId: 'c1', text, attachments: [...files] }]
  }
}

const chips = (page: Page) =>
  page.locator('form').getByRole('list', { name: 'Attached files' }).getByRole('listitem')

/** Files of messages and of drafts, and how full the context is. */
export const attachmentScreens: ScreenGroup = {
  name: 'Files',
  place: '#/chat/c1',
  set: filled,
  shown: async (page) => {
    await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
    await expect(page.getByRole('article', { name: 'You' }).getByRole('listitem')).toHaveCount(3)
  },
  screens: [
    {
      name: 'in a message',
      act: (page) => expect(page.getByRole('article', { name: 'You' }).getByRole('listitem')).toHaveCount(3),
    },
    {
      name: 'a text opened',
      act: async (page) => {
        await page.getByRole('button', { name: /^notes\.md/ }).click()
        await expect(page.getByLabel('File text')).toBeVisible()
      },
    },
    {
      name: 'a picture opened',
      act: async (page) => {
        await page.getByRole('button', { name: /^harbour\.png/ }).click()
        await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
      },
    },
    {
      name: 'in the composer',
      set: draft([image, report, notes], 'Compare them'),
      act: (page) => expect(chips(page)).toHaveCount(3),
    },
    {
      name: 'a conversion to confirm',
      set: (mock) => {
        draft([notes], '')(mock)
        mock.state.status.service.documentConversion = { priceUsd: '0.01' }
      },
      act: async (page) => {
        const chooser = page.waitForEvent('filechooser')
        await addToMessage(page, 'Attach files…')
        await (
          await chooser
        ).setFiles([{ name: 'heron.pdf', mimeType: 'application/pdf', buffer: pdfOf(['the heron waits']) }])
        await page.getByRole('button', { name: 'Convert heron.pdf in the enclave…' }).click()
        await expect(page.getByRole('alertdialog')).toBeVisible()
      },
    },
    {
      name: 'a model of which nothing is said',
      set: draft([image], 'What is on it?', 'private/sandbox-large'),
      act: (page) => expect(page.getByText('The service doesn’t report whether')).toBeVisible(),
    },
    {
      name: 'a model that takes no images',
      set: (mock) => {
        draft([image], 'What is on it?', 'private/sandbox-large')(mock)
        mock.state.models = richModels.map((model) =>
          model.id === 'private/sandbox-large' ? { ...model, inputModalities: ['text'] } : model,
        )
      },
      act: (page) => expect(page.getByTestId('images-note')).toBeVisible(),
    },
    {
      name: 'not attached',
      set: draft([notes], ''),
      act: async (page) => {
        const chooser = page.waitForEvent('filechooser')
        await addToMessage(page, 'Attach files…')
        await (
          await chooser
        ).setFiles([
          {
            name: 'photo.heic',
            mimeType: 'image/heic',
            buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'),
          },
          { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
        ])
        await expect(page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')).toHaveCount(2)
      },
    },
    {
      name: 'dropping',
      act: async (page) => {
        const files = await page.evaluateHandle(() => {
          const transfer = new DataTransfer()
          transfer.items.add(new File(['x'], 'x.txt'))
          return transfer
        })
        await page
          .getByRole('textbox', { name: 'Message', exact: true })
          .dispatchEvent('dragenter', { dataTransfer: files })
        await expect(page.getByTestId('drop-target')).toBeVisible()
      },
    },
    {
      name: 'a folder to choose from',
      act: async (page) => {
        await dropFolder(page, {
          'readme.md': 'x',
          '.env': 'x',
          'logo.psd': 'x',
          'chapters/a long chapter name that needs more than one line on a phone.md': 'x',
          'chapters/two.md': 'x',
          '.git/HEAD': 'x',
        })
        await expect(page.getByRole('button', { name: 'Attach files' })).toBeEnabled()
      },
    },
    {
      name: 'more than the context',
      set: draft([{ ...report, tokens: 90_000 }], 'Sum it up'),
      act: (page) => expect(page.getByTestId('context-overflow')).toContainText('This chat is too long for'),
    },
  ],
}
