import type { Page } from '@playwright/test'
import { seriousFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { failure, type MockDoor } from './mock-door.ts'
import { expect, test } from './window-test.ts'

interface Screen {
  readonly name: string
  readonly place?: string
  readonly set?: (door: MockDoor) => void
  readonly act?: (page: Page, door: MockDoor) => Promise<void>
}

const now = Date.now()

function full({ state }: MockDoor): void {
  state.conversations = [
    data.conversation('c1', 'How sealing works', now, [['How is a request sealed?', data.richAnswer]]),
    data.conversation('c2', 'Plan for the move to the new house, with a title that is longer than its place', now - 86_400_000, [['a', 'b']], { private: false }),
    ...Array.from({ length: 12 }, (_, index) => data.conversation(`x${String(index)}`, `Older ${String(index)}`, now - index * 86_400_000, [['a', 'b']])),
  ]
  state.receipts = [data.receipt('r-c1-0', now), data.refusedReceipt('r2', now), data.receipt('r3', now, { privacy: 'forwarded', model: 'sandbox/echo' })]
  state.verdict = data.goodVerdict(now)
}

async function ask(page: Page, door: MockDoor) {
  await page.getByLabel('Message', { exact: true }).fill('What does the report bind?')
  await page.keyboard.press('Enter')
  return door.nextAnswer()
}

const screens: readonly Screen[] = [
  { name: 'first start', set: ({ state }) => { state.status = { ...state.status, firstStart: true } }, act: async (page) => {
    await page.getByRole('button', { name: /Connect an account/ }).click()
    await expect(page.getByLabel('API key')).toBeVisible()
  } },
  { name: 'a new account’s credentials', set: ({ state }) => { state.status = { ...data.serviceStatus(), firstStart: true, account: { connected: false } } }, act: async (page) => {
    await page.getByRole('button', { name: /Make a new account/ }).click()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('button', { name: 'Save an encrypted backup…' }).click()
    await expect(page.getByLabel('Passphrase of the backup')).toBeVisible()
  } },
  { name: 'starting without an account', set: ({ state }) => { state.status = { ...state.status, firstStart: true } }, act: async (page) => {
    await page.getByRole('button', { name: /No account/ }).click()
    await expect(page.getByRole('button', { name: 'Start without an account' })).toBeVisible()
  } },
  { name: 'locked vault', set: ({ state }) => { state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'locked' } } }, act: async (page) => {
    await page.getByLabel('Passphrase').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toBeVisible()
  } },
  { name: 'passphrase needed', set: ({ state }) => { state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'passphrase-needed' } } } },
  { name: 'empty chat with notices', set: ({ state }) => {
    state.status = { ...state.status, vault: { kind: 'memory', state: 'open' }, notices: [{ id: 'n', says: 'Port 7788 is taken, so the local address is on port 7789 this time.', lasting: false }] }
  } },
  { name: 'conversation', set: full, place: '#/chat/c1' },
  { name: 'public conversation', set: full, place: '#/chat/c2' },
  { name: 'waiting', set: full, act: async (page, door) => {
    (await ask(page, door)).stage('proving')
    await expect(page.getByTestId('stage')).toBeVisible()
  } },
  { name: 'refused answer', set: full, act: async (page, door) => {
    door.state.verdict = data.refusedVerdict(now)
    ;(await ask(page, door)).end({ state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' }, data.refusedReceipt('r9', now), failure('attestation/failed', { step: 'measurement/match' }))
    await expect(page.getByRole('button', { name: 'See the proof' })).toBeVisible()
  } },
  { name: 'failed list', set: ({ state }) => { state.failures['conversations.list'] = failure('store/damaged') } },
  { name: 'model picker', set: full, place: '#/chat/c1', act: async (page) => {
    await page.getByRole('button', { name: /^Model/ }).click()
    await expect(page.getByRole('listbox', { name: 'Models' })).toBeVisible()
  } },
  { name: 'receipt', set: full, place: '#/chat/c1', act: async (page) => {
    await page.getByRole('button', { name: /Sealed.*Receipt/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  } },
  { name: 'link dialog', set: full, place: '#/chat/c1', act: async (page) => {
    // By the keyboard: rows above find their heights while a conversation opens, and what is pressed with a mouse may slide away.
    await page.getByRole('button', { name: 'HPKE' }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
  } },
  { name: 'palette', set: full, act: async (page) => {
    await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
  } },
  { name: 'privacy, verified', set: full, place: '#/privacy' },
  { name: 'privacy, refused', set: (door) => { full(door); door.state.verdict = data.refusedVerdict(now); door.state.faults = ['other-measurement'] }, place: '#/privacy' },
  { name: 'privacy, not checked', place: '#/privacy' },
  { name: 'local API', set: full, place: '#/local-api' },
  { name: 'settings', set: full, place: '#/settings' },
]

async function show(open: (place?: string) => Promise<void>, page: Page, door: MockDoor, { set, place, act }: Screen): Promise<void> {
  set?.(door)
  await open(place)
  await expect(page.locator('main, [role="dialog"]').first()).toBeVisible()
  await act?.(page, door)
}

test.describe('every screen', () => {
  // What axe sees of a colour while it fades is neither of its two.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  for (const screen of screens) {
    test(`${screen.name}: nothing serious for axe in light and dark, nothing sideways at 360 pixels`, async ({ window: { open, page, door } }) => {
      await show(open, page, door, screen)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousFaults(page), colorScheme).toEqual([])
      }
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('[document.documentElement, document.body, document.querySelector("main")].filter(Boolean).filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.tagName)')).toEqual([])
      expect(await seriousFaults(page), 'at 360 pixels').toEqual([])
    })
  }
})

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  test('the rooms and the conversations are in the menu', async ({ window: { open, page, door, messages } }) => {
    full(door)
    await open()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'How sealing works' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(messages).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: /Privacy/ }).click()
    await expect(page.getByRole('button', { name: 'Verify again' })).toBeVisible()
  })
})

test('the keyboard alone goes from the address bar to a sent message and back to the rooms', async ({ window: { open, page, door, composer } }) => {
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  const answer = await door.nextAnswer()
  answer.delta('Hello.')
  answer.end()
  await expect(page.getByRole('button', { name: 'Copy answer' })).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Copy answer' })).toBeFocused()
  const outline = await page.getByRole('button', { name: 'Copy answer' }).evaluate((element) => getComputedStyle(element).outlineStyle)
  expect(outline).toBe('solid')
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test('nothing moves by itself', async ({ window: { open, send, page } }) => {
    await open()
    ;(await send('Hello')).stage('waiting')
    await expect(page.getByTestId('stage')).toBeVisible()
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  })
})
