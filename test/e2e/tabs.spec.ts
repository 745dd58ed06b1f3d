import type { Page } from '@playwright/test'
import { openWindow } from './open-window.ts'
import { expect, test, type Window } from './window-test.ts'

const articleOf = (page: Page) => page.getByRole('article', { name: /^Reply from/ })

test.describe('a running answer', () => {
  test('survives a reload: all of it is there, and it can still be stopped', async ({
    window: { open, send, page, messages, mock },
  }) => {
    await open()
    const answer = await send('Hello')
    answer.delta('The first half')
    await expect(messages.getByText('The first half')).toBeVisible()
    await page.reload()
    await expect(messages.getByText('The first half')).toBeVisible()
    answer.delta(' and the second')
    await expect(messages.getByText('The first half and the second')).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await answer.stopped
    await expect(messages.getByText('Stopped here.')).toBeVisible()
    expect(mock.calls.filter(({ path }) => path === 'chat.send')).toHaveLength(1)
    await expect(messages.getByRole('article')).toHaveCount(2)
  })

  test('that ended while the page was reloaded is complete', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Hello')
    answer.delta('All of')
    await expect(messages.getByText('All of')).toBeVisible()
    await page.goto('about:blank')
    answer.delta(' it.')
    answer.end()
    await page.goBack()
    await expect(messages.getByText('All of it.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  })
})

test.describe('two tabs', () => {
  async function otherTab({ page, mock }: Window): Promise<Page> {
    const other = await page.context().newPage()
    await openWindow(other, mock)
    return other
  }

  test('show the same chat: what one asks, the other shows while it arrives, and either can stop it', async ({
    window,
  }) => {
    const { open, send, messages } = window
    await open()
    const first = await send('Hello')
    first.delta('Hi.')
    first.end()
    await expect(messages.getByText('Hi.')).toBeVisible()
    const other = await otherTab(window)
    await other.getByRole('link', { name: 'Hello' }).click()
    await expect(articleOf(other)).toContainText('Hi.')

    const second = await send('And now?')
    second.delta('Still')
    await expect(articleOf(other).last()).toContainText('Still')
    second.delta(' the same.')
    await expect(articleOf(other).last()).toContainText('Still the same.')
    await other.getByRole('button', { name: 'Stop' }).click()
    await second.stopped
    await expect(messages.getByText('Stopped here.')).toBeVisible()
  })

  test('a message from the other tab follows what the first one wrote: no branch begins', async ({
    window,
  }) => {
    const { open, send, mock } = window
    await open()
    const first = await send('Hello')
    first.delta('Hi.')
    first.end()
    const other = await otherTab(window)
    await other.getByRole('link', { name: 'Hello' }).click()
    await expect(articleOf(other)).toContainText('Hi.')
    const second = await send('One more')
    second.delta('Sure.')
    second.end()
    await expect(articleOf(other).last()).toContainText('Sure.')
    await other.getByLabel('Message', { exact: true }).fill('From the other tab')
    await other.keyboard.press('Enter')
    await mock.nextAnswer()
    const messages = mock.state.conversations[0]?.messages ?? []
    const asked = messages.find(({ text }) => text === 'From the other tab')
    expect(messages.find(({ id }) => id === asked?.parentId)?.text).toBe('Sure.')
  })

  test('list the same chats: a new, a renamed and a deleted one', async ({ window }) => {
    const { open, send, page } = window
    await open()
    const other = await otherTab(window)
    const answer = await send('Hello')
    answer.end()
    await expect(other.getByRole('link', { name: 'Hello' })).toBeVisible()
    await other.getByRole('button', { name: 'More actions for Hello' }).click()
    await other.getByRole('menuitem', { name: 'Rename' }).click()
    await other.getByLabel('Title').fill('Renamed')
    await other.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: 'Renamed' })).toBeVisible()
    const third = await otherTab(window)
    await page.close()
    await third.getByRole('button', { name: 'More actions for Renamed' }).click()
    await third.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(other.getByRole('link', { name: 'Renamed' })).toHaveCount(0)
  })

  test('more tabs than a browser’s connections to a host: each loads, and shows what another one asks', async ({
    window,
  }) => {
    const { open, send, page } = window
    await open('#/wallet/purchases')
    await expect(page.getByRole('button', { name: 'Get price' })).toBeVisible()
    const others: Page[] = []
    for (let count = 0; count < 7; count++) {
      const other = await otherTab(window)
      await other.evaluate(() => (location.hash = '#/wallet/purchases'))
      await expect(other.getByRole('button', { name: 'Get price' })).toBeVisible()
      others.push(other)
    }
    await page.evaluate(() => (location.hash = '#/chat'))
    const answer = await send('Hello')
    for (const other of others) await expect(other.getByRole('link', { name: 'Hello' })).toBeVisible()
    answer.delta('Hi.')
    answer.end()
    await expect(page.getByText('Hi.')).toBeVisible()
  })

  test('share a draft: what one tab wrote is in the other when it is used', async ({ window }) => {
    const { open, page, composer, mock } = window
    const draft = () => mock.state.attachments.drafts[0]?.text
    await open()
    const other = await otherTab(window)
    const otherComposer = other.getByLabel('Message', { exact: true })
    await composer.fill('From the first')
    await expect.poll(draft).toBe('From the first')
    await other.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(otherComposer).toHaveValue('From the first')
    await otherComposer.press('End')
    await otherComposer.pressSequentially(' and the second')
    await expect.poll(draft).toBe('From the first and the second')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(composer).toHaveValue('From the first and the second')
  })
})
