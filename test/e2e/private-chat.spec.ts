import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { proofSchema } from '../../src/shared/proof.ts'
import { PLAINTEXT_MODEL } from '../world.ts'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'

/** The product whole: the real window over the real core, on the sandbox, as a newcomer meets it. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-chat-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

async function msg(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

test('a new user has a private chat, with the verification on the screen', async ({ page }) => {
  await page.goto(sotto.ready.ui)
  // The code leaves the address at once.
  await expect.poll(() => page.url()).not.toContain('code=')
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect(page.getByRole('complementary', { name: 'Demo mode' })).toBeVisible()

  await msg(page, 'What is a quiet voice good for?')
  const answer = page.getByRole('article', { name: /^Reply from/ })
  await expect(answer.getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({ timeout: 30_000 })
  await answer.getByRole('button', { name: /Private.*Receipt/ }).click()
  const receipt = page.getByRole('dialog')
  await expect(receipt).toContainText('enclave.sotto-sandbox.example')
  await expect(receipt).toContainText('Limits of this proof')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^Privacy/ }).click()
  await expect(page.getByRole('main')).toContainText(/Verified/)
  await expect(page.getByRole('main')).toContainText('Limits of this proof')
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await expect(page.getByRole('main')).toContainText('Report is signed by the chip')
})

test('a reload leaves the tab connected and the chat in place', async ({ page }) => {
  await showRealWindow(page, sotto)
  await msg(page, 'Remember this line')
  await expect(
    page.getByRole('article', { name: /^Reply from/ }).getByRole('button', { name: /Private.*Receipt/ }),
  ).toBeVisible({ timeout: 30_000 })
  await page.reload()
  await expect(page.getByRole('group', { name: 'Chats' })).toContainText('Remember this line')
})

test('Stop ends the reply, and the received text stays', async ({ page }) => {
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: 'New chat' }).click()
  await msg(page, 'Write 900 words about rivers')
  await page.getByRole('button', { name: 'Stop' }).click({ timeout: 20_000 })
  await expect(page.getByRole('main')).toContainText(/stopped/i)
  await expect
    .poll(async () => {
      const receipts = (await sotto.call('receipts/list', {})) as { outcome: string }[]
      return receipts[0]?.outcome
    })
    .toBe('cancelled')
})

test('a private chat is held and branched, and its receipt is read, by keyboard only', async ({ page }) => {
  await showRealWindow(page, sotto)
  const composer = page.getByRole('textbox', { name: 'Message', exact: true })
  const answers = page.getByRole('article', { name: /^Reply from/ })
  const palette = async (command: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
  }
  /** On through what takes the focus, as a person would go. */
  const tabTo = async (key: 'Tab' | 'Shift+Tab', name: RegExp) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press(key)
      const focused = page.locator(':focus')
      const label =
        (await focused.count()) === 0
          ? ''
          : `${(await focused.getAttribute('aria-label')) ?? ''} ${(await focused.textContent()) ?? ''}`
      if (name.test(label)) return
    }
    throw new Error(`${String(name)} is not reached by the keyboard`)
  }
  await expect(composer).toBeFocused()
  await palette('new chat')
  await expect(composer).toBeFocused()
  await page.keyboard.type('Name a river')
  await page.keyboard.press('Enter')
  await expect(answers.getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({ timeout: 30_000 })
  await expect(composer).toBeFocused()
  await page.keyboard.type('And a mountain')
  await page.keyboard.press('Enter')
  await expect(answers.nth(1).getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({
    timeout: 30_000,
  })

  // Another question in the place of the last one.
  await expect(composer).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('And a desert')
  await page.keyboard.press('Enter')
  // Until it is sent, the field itself is what reads so.
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('And a desert')
  await expect(answers.nth(1).getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByRole('article')).toHaveCount(4)

  // Back to the first branch.
  await expect(composer).toBeFocused()
  await tabTo('Shift+Tab', /Previous branch/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('And a mountain')
  await expect(page.getByRole('group', { name: 'Branch 1 of 2' })).toBeVisible()

  // And the receipt of the answer that follows.
  await tabTo('Tab', /Private.*Receipt/)
  await page.keyboard.press('Enter')
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await expect(receipt).toContainText('enclave.sotto-sandbox.example')
  await expect(receipt).toContainText('Limits of this proof')
  await page.keyboard.press('Escape')
  await expect(page.locator(':focus')).toContainText('Private')
  const receipts = (await sotto.call('receipts/list', {})) as { privacy: string }[]
  expect(receipts.slice(0, 3).map(({ privacy }) => privacy)).toEqual(['sealed', 'sealed', 'sealed'])
})

test('invalid evidence blocks the message on this computer, and the failed step is shown', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await sotto.call('sandbox/setFault', { fault: 'debug-guest', on: true })
  try {
    await sotto.call('privacy/verify')
    await page.getByRole('button', { name: 'New chat' }).click()
    await msg(page, 'This must not leave')
    const refused = page.getByRole('article').last()
    await expect(refused).toContainText('Blocked')
    await expect(refused).toContainText(/Nothing was sent/i)
    await page.getByRole('link', { name: /^Privacy/ }).click()
    await expect(page.getByRole('main')).toContainText(/debug/i)
    await expect(page.getByRole('main')).toContainText('report/debug-guest')
  } finally {
    await sotto.call('sandbox/setFault', { fault: 'debug-guest', on: false })
    await sotto.call('privacy/verify')
  }
})

test('a verification is in the change log, and its proof is saved as a file that can be read again', async ({
  page,
}) => {
  await sotto.call('privacy/verify')
  await showRealWindow(page, sotto)
  await page.getByRole('link', { name: /^Privacy/ }).click()
  await page.getByRole('tab', { name: 'Change log' }).click()
  const lines = page.getByRole('region', { name: 'Enclave history' }).locator('ol > li')
  await expect(lines.first()).toContainText('last verified')
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await expect(page.getByRole('region', { name: 'Trust roots' })).toContainText('Sigstore trusted root')
  await page.getByRole('tab', { name: 'Verdict' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save evidence' }).click()
  const proof = proofSchema.parse(JSON.parse(await readFile(await (await saving).path(), 'utf8')))
  expect(proof).toMatchObject({ trust: { name: 'sandbox' }, verdict: { good: true } })
  expect(createHash('sha256').update(Buffer.from(proof.evidence, 'base64')).digest('hex')).toBe(
    proof.verdict.evidenceDigest,
  )
})

test('the Developer view shows an address and a key that work', async ({ page }) => {
  await showRealWindow(page, sotto)
  await page.getByRole('link', { name: 'Developer' }).click()
  await expect(page.getByRole('main')).toContainText(sotto.ready.proxy.baseUrl)
  await page.getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'Show the key' }).first().click()
  await expect(page.getByRole('main')).toContainText(sotto.ready.proxy.key!)
  const models = await fetch(`${sotto.ready.proxy.baseUrl}/models`, {
    headers: { authorization: `Bearer ${sotto.ready.proxy.key!}` },
  })
  expect(models.status).toBe(200)
})

test('no content of a chat is in the storage of the tab', async ({ page }) => {
  await showRealWindow(page, sotto)
  await msg(page, 'a canary in the tab')
  await expect(
    page
      .getByRole('article', { name: /^Reply from/ })
      .last()
      .getByRole('button', { name: /Private.*Receipt/ }),
  ).toBeVisible({ timeout: 30_000 })
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  )
  expect(stored).not.toContain('canary')
  expect(stored).not.toContain(sotto.ready.proxy.key!)
})

test('a route with a simulated fault fails for a tool until all faults are off', async ({ page }) => {
  await showRealWindow(page, sotto)
  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Demo mode' })
  const all = section.getByRole('status')
  await expect(all).toContainText(/^All \d+ routes/)
  const ask = async () =>
    (
      await fetch(`${sotto.ready.proxy.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sotto.ready.proxy.key!}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: PLAINTEXT_MODEL,
          messages: [{ role: 'user', content: 'hello' }],
          max_tokens: 4,
        }),
      })
    ).status
  await section.getByLabel('Chat: behavior', { exact: true }).selectOption('402: insufficient balance')
  await section.getByLabel('Chat: delay in ms', { exact: true }).fill('5')
  await section.getByLabel('Chat: delay in ms', { exact: true }).press('Enter')
  await expect(page.getByRole('complementary', { name: 'Demo mode' })).toContainText(
    'Simulated faults: 1 route',
  )
  await expect
    .poll(async () =>
      ((await sotto.call('sandbox/routes')) as { fault: unknown }[]).flatMap(({ fault }) => fault ?? []),
    )
    .toEqual([{ status: 402, latencyMs: 5 }])
  expect(await ask()).toBe(402)
  await section.getByRole('button', { name: 'Turn all off' }).click()
  await expect(all).toContainText(/^All \d+ routes/)
  expect(await ask()).toBe(200)
})
