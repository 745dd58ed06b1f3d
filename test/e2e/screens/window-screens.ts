import { expect, type Page } from '@playwright/test'
import { SkippedEntries } from '../../../src/core/gateway/relay/skipped-entries.ts'
import type { Notice } from '../../../src/shared/status.ts'
import * as data from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { longChat, summarizedChat } from './long-chat.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** Conversations, receipts and a verdict, as after some days of use. */
export function full({ state }: MockServer): void {
  state.conversations = [
    data.conversation('c1', 'How sealing works', now, [['How is a request sealed?', data.richAnswer]]),
    data.conversation(
      'c2',
      'Plan for the move to the new house, with a title that is longer than its place',
      now - 86_400_000,
      [['a', 'b']],
      { private: false },
    ),
    ...Array.from({ length: 12 }, (_, index) =>
      data.conversation(`x${String(index)}`, `Older ${String(index)}`, now - index * 86_400_000, [
        ['a', 'b'],
      ]),
    ),
  ]
  state.receipts = [
    data.receipt('r-c1-0', now),
    data.refusedReceipt('r2', now),
    data.receipt('r3', now, { privacy: 'forwarded', model: 'sandbox/echo' }),
  ]
  state.verdict = data.goodVerdict(now)
}

function skippedNotices(): Notice[] {
  const skipped = new SkippedEntries()
  skipped.note('models', { entries: [], unreadable: 2 })
  skipped.note('voices', { entries: [], unreadable: 1 })
  return skipped.notices()
}

async function ask(page: Page, mock: MockServer) {
  await page.getByLabel('Message', { exact: true }).fill('What does the report bind?')
  await page.keyboard.press('Enter')
  return mock.nextAnswer()
}

/** The screens before the views, the views themselves, and the dialogs over them. */
export const windowScreens: ScreenGroup = {
  name: 'The window',
  place: undefined,
  shown: (page) => expect(page.locator('main, [role="dialog"]').first()).toBeVisible(),
  screens: [
    {
      name: 'first start',
      set: ({ state }) => {
        state.status = { ...state.status, firstStart: true }
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'I have an API key' }).click()
        await expect(page.getByLabel('API key')).toBeVisible()
      },
    },
    {
      name: 'a new account’s credentials',
      set: ({ state }) => {
        state.status = { ...data.serviceStatus(), firstStart: true, account: { connected: false } }
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Create account' }).click()
        await page.getByRole('button', { name: 'Create account' }).click()
        await page.getByRole('button', { name: 'Save encrypted backup…' }).click()
        await expect(page.getByLabel('Backup passphrase')).toBeVisible()
      },
    },
    {
      name: 'starting without an account',
      set: ({ state }) => {
        state.status = { ...state.status, firstStart: true }
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Pay per request' }).click()
        await expect(page.getByRole('button', { name: 'Start without an account' })).toBeVisible()
      },
    },
    {
      name: 'locked vault',
      set: ({ state }) => {
        state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'locked' } }
      },
      act: async (page) => {
        await page.getByLabel('Passphrase').fill('wrong')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('alert')).toBeVisible()
      },
    },
    {
      name: 'passphrase needed',
      set: ({ state }) => {
        state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'passphrase-needed' } }
      },
    },
    {
      name: 'empty chat with notices',
      set: ({ state }) => {
        state.status = {
          ...state.status,
          vault: { kind: 'memory', state: 'open' },
          notices: [
            {
              id: 'n',
              says: [
                {
                  english:
                    'Port 7788 is in use, so Sotto is using port 7789 for the local address this time.',
                },
              ],
              lasting: false,
            },
            ...skippedNotices(),
          ],
        }
      },
    },
    { name: 'conversation', set: full, place: '#/chat/c1' },
    { name: 'public conversation', set: full, place: '#/chat/c2' },
    {
      name: 'a chat that is too long',
      set: longChat,
      place: '#/chat/long',
      act: async (page) => {
        await expect(page.getByTestId('context-overflow')).toBeVisible()
      },
    },
    {
      name: 'a chat with a summary',
      set: summarizedChat,
      place: '#/chat/long',
      act: async (page) => {
        await page.getByTestId('context-cut').getByText('Summary', { exact: true }).click()
        await page.getByTestId('context-cut').scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'a chat whose model is gone',
      set: ({ state }) => {
        state.conversations = [
          data.conversation('c1', 'How sealing works', now, [['Hello', 'Hi']], {
            model: 'private/retired-2025-10-31',
          }),
        ]
      },
      place: '#/chat/c1',
      act: async (page) => {
        await expect(page.getByTestId('unlisted-model-note')).toBeVisible()
      },
    },
    {
      name: 'waiting',
      set: full,
      act: async (page, mock) => {
        ;(await ask(page, mock)).stage('proving')
        await expect(page.getByTestId('stage')).toBeVisible()
      },
    },
    {
      name: 'refused answer',
      set: full,
      act: async (page, mock) => {
        mock.state.verdict = data.refusedVerdict(now)
        ;(await ask(page, mock)).end(
          { state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' },
          data.refusedReceipt('r9', now),
          failure('attestation/failed', { step: 'measurement/match' }),
        )
        await expect(page.getByRole('button', { name: 'View verification' })).toBeVisible()
      },
    },
    {
      name: 'failed list',
      set: ({ state }) => {
        state.failures['conversations.list'] = failure('store/damaged')
      },
    },
    {
      name: 'model picker',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: /^Model/ }).click()
        await expect(page.getByRole('listbox', { name: 'Models' })).toBeVisible()
      },
    },
    {
      name: 'receipt',
      set: (mock) => {
        full(mock)
        mock.state.receipts = mock.state.receipts.map((receipt) => ({
          ...receipt,
          askedModel: 'claude-haiku-4-5-20251001[1m]',
        }))
      },
      place: '#/chat/c1',
      act: async (page) => {
        // With the keyboard, because rows above get their heights while a conversation opens, which can move
        // a button away from the mouse.
        await page.getByRole('button', { name: /Private.*Receipt/ }).press('Enter')
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    {
      name: 'link dialog',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: 'HPKE' }).press('Enter')
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    {
      name: 'palette',
      set: full,
      act: async (page) => {
        await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
        await page.keyboard.press('Control+k')
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    {
      name: 'find in a chat',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: 'Find in this chat' }).press('Enter')
        await page.getByRole('textbox', { name: 'Find in this chat' }).fill('the')
        await expect(page.getByRole('search')).toContainText('of')
      },
    },
    {
      name: 'privacy sheet',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByTitle('Show who can read this chat').press('Enter')
        await expect(page.getByRole('dialog', { name: 'Privacy' })).toBeVisible()
      },
    },
    {
      name: 'what a message can have',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: 'Add to message' }).press('Enter')
        await expect(page.getByRole('menu')).toBeVisible()
      },
    },
    { name: 'privacy, verified', set: full, place: '#/privacy' },
    {
      name: 'the checks of a verdict',
      set: full,
      place: '#/privacy/evidence',
      act: (page) => expect(page.locator('[data-step]').first()).toBeAttached(),
    },
    {
      name: 'receipts',
      set: full,
      place: '#/privacy/receipts',
      act: (page) => expect(page.getByRole('region', { name: 'Receipts' })).toBeVisible(),
    },
    {
      name: 'the self-test and simulated faults',
      set: full,
      place: '#/privacy/self-test',
      act: (page) => expect(page.getByRole('region', { name: 'Simulated faults' })).toBeVisible(),
    },
    {
      name: 'privacy, refused',
      set: (mock) => {
        full(mock)
        mock.state.verdict = data.refusedVerdict(now)
        mock.state.faults = ['other-measurement']
      },
      place: '#/privacy',
    },
    { name: 'privacy, not checked', place: '#/privacy' },
    { name: 'Developer', set: full, place: '#/developer' },
    { name: 'settings', set: full, place: '#/settings' },
    {
      name: 'answer that comes',
      set: full,
      place: '#/chat/c1',
      act: async (page, mock) => {
        const answer = await ask(page, mock)
        answer.reasoning('The report binds a key, and the key is what the body is sealed to.')
        answer.delta(data.richAnswer.slice(0, 700))
        await expect(page.getByRole('article').last().getByRole('cell', { name: 'X25519' })).toBeVisible()
      },
    },
    {
      name: 'interrupted answer',
      set: full,
      place: '#/chat/c1',
      act: async (page, mock) => {
        const answer = await ask(page, mock)
        answer.delta('The report binds three things: the code that was measured, ')
        answer.end(
          { state: 'interrupted', errorCode: 'service/interrupted' },
          data.receipt('r8', now, { outcome: 'interrupted' }),
          failure('service/interrupted'),
        )
        await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      },
    },
    {
      name: 'renaming',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: 'More actions for How sealing works' }).click()
        await page.getByRole('menuitem', { name: 'Rename' }).click()
        await expect(page.getByLabel('Title', { exact: true })).toBeVisible()
      },
    },
    {
      name: 'deleted, to be undone',
      set: full,
      place: '#/chat/c1',
      act: async (page) => {
        await page.getByRole('button', { name: 'More actions for How sealing works' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await expect(page.getByTestId('undo')).toBeVisible()
      },
    },
    {
      name: 'code from the terminal',
      set: (mock) => {
        full(mock)
        mock.state.confirmationCode = '123456'
      },
      place: '#/settings',
      act: async (page) => {
        await page.getByRole('radio', { name: /The service/ }).check()
        await page.getByRole('button', { name: 'Change service' }).click()
        await expect(page.getByLabel('Code from your terminal')).toBeVisible()
      },
    },
    {
      name: 'tab that the door forgot',
      set: full,
      act: async (page, mock) => {
        await expect(page.getByRole('link', { name: 'How sealing works' })).toBeVisible()
        mock.forgetSessions()
        await page.evaluate('location.hash = "#/privacy"')
        await expect(page.getByText('sotto open', { exact: true })).toBeVisible()
      },
    },
  ],
}
