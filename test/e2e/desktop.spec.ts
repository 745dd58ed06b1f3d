import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { windowFolder } from './build-window.ts'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const preload = join(windowFolder, '..', 'preload', 'index.cjs')

/**
 * The built preload in the page, with a fake Electron that records its calls. The bridge between Electron's
 * two worlds isn't part of it.
 */
async function withPreload(page: Page, ...more: readonly string[]): Promise<void> {
  await page.addInitScript(`(() => {
    const sent = [], listeners = {}, answers = {}
    const ipcRenderer = {
      send: (...message) => void sent.push(message),
      sendSync: (channel) => channel === 'sotto:appearance' ? ['dark', '{"language":"en","density":"compact"}'] : undefined,
      invoke: (...message) => { sent.push(message); return Promise.resolve(answers[message[0]]) },
      on: (channel, listener) => { listeners[channel] = listener },
    }
    const contextBridge = { exposeInMainWorld: (name, value) => Object.defineProperty(window, name, { value }) }
    window.shell = { sent, answers, tell: (channel, ...message) => listeners[channel]?.({}, ...message) }
    ;((require, module, exports, process) => { ${readFileSync(preload, 'utf8')} })(() => ({ ipcRenderer, contextBridge }), { exports: {} }, {}, { argv: ${JSON.stringify(more)} })
  })()`)
}

const sent = (page: Page, channel: string): Promise<unknown[]> =>
  page.evaluate(
    `window.shell.sent.filter(([name]) => name === ${JSON.stringify(channel)}).map(([, message]) => message.content ? { name: message.name, content: new TextDecoder().decode(message.content) } : message)`,
  )

test.describe('the built preload and window together', () => {
  test.skip(!existsSync(preload), 'out/preload is not built: npm run build')
  test.beforeEach(({ page }) => withPreload(page))

  test('the window begins in the theme that the desktop kept, and tells it of another', async ({
    window: { open, page },
  }) => {
    await open('#/settings')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('radio', { name: 'Light', exact: true }).check()
    expect(await sent(page, 'sotto:theme')).toEqual(['light'])
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  test('goes where menus, notifications and links lead, and to no place that is none', async ({
    window: { open, page },
  }) => {
    await open()
    await page.evaluate('window.shell.tell("sotto:go", "#/privacy")')
    await expect(page).toHaveURL(/#\/privacy$/)
    await page.evaluate('window.shell.tell("sotto:go", "#/settings")')
    await expect(page.getByRole('region', { name: 'Saved data and encryption' })).toBeVisible()
    for (const place of ['javascript:alert(1)', 'https://example.com/', '#/nowhere', '']) {
      await page.evaluate(`window.shell.tell("sotto:go", ${JSON.stringify(place)})`)
      await expect(page).toHaveURL(/\/#\/chat$/)
    }
  })

  test('opens its shortcuts and its search by the menu', async ({ window: { open, page } }) => {
    await open()
    await page.evaluate('window.shell.tell("sotto:command", "shortcuts")')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })

  test('what it saves goes to the system’s dialog, and not to the browser’s downloads', async ({
    window: { open, page, mock },
  }) => {
    let downloads = 0
    page.on('download', () => downloads++)
    await open('#/settings')
    await page.evaluate('window.shell.answers["sotto:save"] = "saved"')
    await page.getByRole('button', { name: 'Save recovery copy…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passphrase', { exact: true }).fill('several words here')
    await dialog.getByLabel('Confirm passphrase').fill('several words here')
    await dialog.getByRole('button', { name: 'Save copy' }).click()
    await expect
      .poll(() => sent(page, 'sotto:save'))
      .toEqual([{ name: 'sotto-recovery.json', content: mock.state.vault.copy.text }])
    expect(downloads).toBe(0)
  })

  test('what it opens comes from the system’s dialog', async ({ window: { open, page, mock, composer } }) => {
    mock.state.status = { ...mock.state.status, vault: { kind: 'keychain', state: 'damaged' } }
    await open()
    await page.getByRole('button', { name: 'Restore from a recovery copy…' }).click()
    const dialog = page.getByRole('dialog')
    for (const [answer, alertText] of [
      ['too-large', 'too large to be a recovery copy'],
      ['failed', 'Couldn’t read this file'],
    ] as const) {
      await page.evaluate(`window.shell.answers["sotto:open"] = ${JSON.stringify(answer)}`)
      await dialog.getByRole('button', { name: 'Choose recovery copy…' }).click()
      await expect(dialog.getByRole('alert')).toContainText(alertText)
    }
    await page.evaluate(
      `window.shell.answers["sotto:open"] = { name: 'mine.json', content: new TextEncoder().encode(${JSON.stringify(mock.state.vault.copy.text)}) }`,
    )
    await dialog.getByRole('button', { name: 'Choose recovery copy…' }).click()
    await expect(dialog.getByText('mine.json')).toBeVisible()
    await dialog.getByLabel('Backup passphrase').fill(mock.state.vault.copy.passphrase)
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(composer).toBeVisible()
    expect(await sent(page, 'sotto:open')).toEqual(['recovery-copy', 'recovery-copy', 'recovery-copy'])
  })
})

test.describe('the small window of the shortcut', () => {
  test.skip(!existsSync(preload), 'out/preload is not built: npm run build')
  test.use({ viewport: { width: 480, height: 560 } })

  test('begins a chat with a private model, without the places of the main window', async ({
    window: { open, page, mock, composer },
  }) => {
    await withPreload(page, '--sotto-quick')
    const [sealed, visible] = [true, false].map((isPrivate) =>
      mock.state.models.find((model) => model.private === isPrivate),
    )
    // The model that was used last isn't private.
    const part = { private: false, model: visible?.id ?? '' }
    mock.state.conversations = [
      data.conversation('c1', 'Minutes', Date.now(), [['a question', 'an answer']], part),
    ]
    await open()
    await expect(composer).toBeFocused()
    await expect(page.getByRole('navigation')).toBeHidden()
    await composer.fill('hello')
    await composer.press('Enter')
    const answer = await mock.nextAnswer()
    expect(answer.input).toMatchObject({ text: 'hello', model: sealed?.id })
    answer.delta('Good day.')
    answer.end()
    await expect(page.getByText('Good day.')).toBeVisible()
  })
})
