import { expect, type Page } from '@playwright/test'
import * as data from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'

const at = Date.now()
const OPEN = 'sandbox/echo'

/** A private conversation that is longer than the excerpt in the question. */
export function whatWasPrivate({ state }: MockServer): void {
  state.conversations = [
    data.conversation(
      'c1',
      'The diagnosis',
      at,
      [
        ['What does the letter of the clinic mean?', data.richAnswer],
        ['Whom do I tell first? '.repeat(20), 'Whoever will help you to carry it.'],
      ],
      { systemPrompt: 'Be gentle, and brief.' },
    ),
  ]
  state.receipts = [data.receipt('r-c1-0', at), data.receipt('r-c1-1', at)]
  state.verdict = data.goodVerdict(at)
}

/** Chooses a model that isn't private for the next reply. */
export async function chooseOpen(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Model/ }).click()
  await page
    .getByRole('group', { name: /^(Visible|Provider only)$/ })
    .getByRole('option')
    .first()
    .click()
}

export async function askAloud(page: Page, text: string): Promise<void> {
  await chooseOpen(page)
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByLabel('Message', { exact: true }).press('Enter')
}

/** Two conversations: a private one with an allowed visible reply, and one that is partly unreadable. */
function someDamaged(mock: MockServer): void {
  whatWasPrivate(mock)
  const [stored] = mock.state.conversations
  stored?.messages.push(
    {
      id: 'q-open',
      conversationId: 'c1',
      parentId: 'c1-a1',
      role: 'user',
      text: 'And what does it cost?',
      state: 'complete',
      createdAt: at,
    },
    {
      id: 'a-open',
      conversationId: 'c1',
      parentId: 'q-open',
      role: 'assistant',
      text: 'Nothing that you do not carry already.',
      state: 'complete',
      model: OPEN,
      privacy: 'forwarded',
      receiptId: 'r-open',
      createdAt: at,
    },
    {
      id: 'lost',
      conversationId: 'c1',
      role: 'assistant',
      text: '',
      state: 'failed',
      errorCode: 'store/damaged',
      damaged: true,
      createdAt: at,
    },
    {
      id: 'q-last',
      conversationId: 'c1',
      parentId: 'lost',
      role: 'user',
      text: 'Are you still there?',
      state: 'complete',
      createdAt: at,
    },
  )
  if (stored) stored.conversation.leafId = 'q-last'
  mock.state.conversations.push(
    data.conversation('lost', '', at - 1, [['What was asked', 'What was answered']], { damaged: true }),
  )
}

/** A private conversation that is about to continue with a model that isn't private. */
export const consentScreens: ScreenGroup = {
  name: 'Consent',
  place: '#/chat/c1',
  set: whatWasPrivate,
  shown: (page) => expect(page.getByRole('article').last()).toBeVisible(),
  screens: [
    {
      name: 'a public model selected',
      act: async (page) => {
        await chooseOpen(page)
        await expect(page.getByRole('button', { name: 'Send non-privately…' })).toBeVisible()
      },
    },
    {
      name: 'what would be exposed',
      act: async (page) => {
        await askAloud(page, 'And what does it cost?')
        await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
      },
    },
    {
      name: 'what would be exposed is unknown',
      act: async (page, { state }) => {
        state.failures['consents.preview'] = failure('store/damaged')
        await askAloud(page, 'And what does it cost?')
        await expect(page.getByRole('alertdialog').getByRole('alert')).toBeVisible()
      },
    },
    {
      name: 'what was exposed, and what cannot be read',
      set: someDamaged,
      act: (page) => expect(page.getByText('Are you still there?')).toBeVisible(),
    },
    {
      name: 'a conversation that cannot be read whole',
      set: someDamaged,
      place: '#/chat/lost',
      act: (page) => expect(page.getByText('This chat’s record is damaged')).toBeVisible(),
    },
    {
      name: 'the models to choose from',
      act: async (page) => {
        await page.getByRole('button', { name: /^Model/ }).click()
        await expect(page.getByText('Before each reply from these models')).toBeVisible()
      },
    },
  ],
}
