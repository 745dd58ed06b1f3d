import type { Page } from '@playwright/test'
import type { KeyCall, ToolStep } from '../../src/shared/tool-call.ts'
import { expect, test } from './window-test.ts'

const DIGEST = 'a'.repeat(64)

const step = (index: number, changes: Partial<ToolStep> = {}): ToolStep => ({
  id: `a1.0.${String(index)}`,
  conversationId: 'c1',
  answerId: 'a1',
  round: 0,
  index,
  callId: `call_${String(index)}`,
  functionName: 'notes__search',
  tool: {
    kind: 'server',
    sourceId: 'server-1',
    sourceName: 'notes',
    name: 'search',
    programDigest: DIGEST,
    definitionDigest: DIGEST,
    sendsTo: 'program',
    mayAlways: true,
  },
  arguments: `{"query":"tax ${String(index)}"}`,
  state: 'asked',
  ...changes,
})

const keyCall = (index: number): KeyCall => ({
  step: step(index),
  keyName: 'Claude Code',
  model: 'private/sandbox-large',
  privacy: 'sealed',
  until: Date.now() + 120_000,
})

/** Presses "Allow once" as soon as there is one such button in the page. @returns waits for the press */
async function pressAtOnce(page: Page) {
  const pressing = await page.evaluateHandle(() => {
    const { promise: pressed, resolve } = Promise.withResolvers<undefined>()
    const observer = new MutationObserver(() => {
      const found = [...document.querySelectorAll('button')].filter(
        ({ textContent }) => textContent === 'Allow once',
      )
      if (found.length !== 1) return
      observer.disconnect()
      found[0]?.click()
      resolve(undefined)
    })
    observer.observe(document, { childList: true, subtree: true })
    return { pressed }
  })
  return () => pressing.evaluate(({ pressed }) => pressed)
}

test('a double press allows one call of a local key, and the next one is shown', async ({
  window: { open, page, mock },
}) => {
  await open('#/settings')
  mock.state.tools.keyCalls = [keyCall(0), keyCall(1), keyCall(2)]
  const dialog = page.getByRole('alertdialog', { name: 'Allow a tool call?' })
  const query = dialog.getByLabel('Arguments for notes › search')
  const allow = dialog.getByRole('button', { name: 'Allow once' })
  await expect(query).toContainText('tax 0')
  await allow.dblclick({ delay: 150 })
  await expect(query).toContainText('tax 1')
  await expect(allow).toBeEnabled()
  expect(mock.state.tools.decisions).toEqual([{ callId: 'a1.0.0', decision: 'once' }])
  // The system counts slower presses as a double press too, and the button accepts presses again by then.
  await allow.evaluate((button) =>
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 })),
  )
  await allow.click({ delay: 100 })
  await expect(query).toContainText('tax 2')
  expect(mock.state.tools.decisions.map(({ callId }) => callId)).toEqual(['a1.0.0', 'a1.0.1'])
})

test('a press just after a call of a local key appears doesn’t allow it', async ({
  window: { open, page, mock },
}) => {
  await open('#/settings')
  const dialog = page.getByRole('alertdialog', { name: 'Allow a tool call?' })
  const allow = dialog.getByRole('button', { name: 'Allow once' })
  const pressed = await pressAtOnce(page)
  mock.state.tools.keyCalls = [keyCall(0)]
  await pressed()
  await expect(allow).toBeEnabled()
  expect(mock.state.tools.decisions).toEqual([])
})

test('Enter that stays down allows one call of a local key', async ({ window: { open, page, mock } }) => {
  await open('#/settings')
  mock.state.tools.keyCalls = [keyCall(0), keyCall(1)]
  const dialog = page.getByRole('alertdialog', { name: 'Allow a tool call?' })
  const allow = dialog.getByRole('button', { name: 'Allow once' })
  await expect(allow).toBeEnabled()
  await allow.focus()
  await page.keyboard.down('Enter')
  await expect(dialog.getByLabel('Arguments for notes › search')).toContainText('tax 1')
  await expect(allow).toBeEnabled()
  await allow.focus()
  for (let press = 0; press < 3; press += 1) await page.keyboard.down('Enter')
  expect(mock.state.tools.decisions).toEqual([{ callId: 'a1.0.0', decision: 'once' }])
  await page.keyboard.up('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => mock.state.tools.decisions.length).toBe(2)
})

test('a double press allows one call of a reply, and the next one takes its place', async ({
  window: { open, page, send, messages, mock },
}) => {
  await open()
  const answer = await send('Search my notes')
  answer.step(step(0))
  answer.step(step(1))
  const allow = messages.getByRole('button', { name: 'Allow once' })
  await expect(allow).toHaveCount(2)
  await expect(allow.last()).toBeEnabled()
  await allow.first().click()
  await expect.poll(() => mock.state.tools.decisions).toHaveLength(1)
  // The first button shows its label again.
  await expect(allow).toHaveCount(2)
  const pressed = await pressAtOnce(page)
  answer.step(step(0, { state: 'running' }))
  await pressed()
  await expect(allow).toBeEnabled()
  expect(mock.state.tools.decisions).toEqual([{ callId: 'a1.0.0', decision: 'once' }])
  answer.end()
})
