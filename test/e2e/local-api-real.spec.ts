import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { actOn } from './screens/key-screens.ts'

/**
 * The whole product: runs the commands that the window offers to copy, like a person, against the real proxy
 * on the sandbox.
 */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-local-api-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)

test('a key for curl is created, the shown command runs, and its request appears in the list', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await showRealWindow(page, sotto, '#/developer/curl')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy: In a terminal' }).click()
  await expect(page.getByTestId('announcer')).toHaveText('Copied')
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(command).toContain(sotto.ready.proxy.baseUrl)

  // An open list shows the request as soon as the tool sends it.
  await page.getByRole('tab', { name: 'Requests' }).click()
  await expect(page.getByText('No requests from tools yet')).toBeVisible()
  const { stdout } = await run('bash', ['-c', `${command} --silent`])
  expect(stdout).toMatch(/^HTTP\/1\.1 200/)
  expect(stdout.toLowerCase()).toContain('x-sotto-privacy: sealed')
  const line = page.getByRole('region', { name: 'Request list' }).getByRole('button')
  await expect(line).toHaveText(/curl.*private\/.*Private.*tokens in.*ms overhead.*0\.\d+¢/)
  await line.click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Tool, via the local API')
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Keys' }).click()
  const key = page.getByRole('article', { name: 'curl' })
  await expect(key).toContainText(/[\d.]+¢ of \$1\.00 per day/)
  await expect(key).toContainText('1 request')
  await actOn(page, 'curl', 'Revoke')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(key).toBeHidden()
  const refused = await run('bash', ['-c', `${command} --silent`])
  expect(refused.stdout).toMatch(/^HTTP\/1\.1 401/)
})

for (const [id, name] of [
  ['openai-python', 'OpenAI for Python'],
  ['codex', 'Codex CLI'],
  ['claude-code', 'Claude Code'],
] as const) {
  test(`${name} is tested in its own dialect, and the reply is sealed`, async ({ page }) => {
    await showRealWindow(page, sotto, `#/developer/${id}`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    const trial = page.getByTestId('trial')
    await expect(trial).toContainText('It works', { timeout: 30_000 })
    await expect(trial).toContainText('Private')
    await expect(trial.locator('blockquote')).toHaveText(/\w/)
    await trial.getByRole('button', { name: 'Open receipt' }).click()
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText(/\$0\.\d/)
  })
}

test('no key’s secret is in the tab’s storage or in an unsealed file', async ({ page }) => {
  await showRealWindow(page, sotto, '#/developer/aider')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Show key' }).click()
  const terminal = page.getByRole('region', { name: 'In a terminal' })
  await expect(terminal).not.toContainText('•')
  const shown = await terminal.innerText()
  const secret = /OPENAI_API_KEY='([^']+)'/.exec(shown)?.[1] ?? ''
  expect(secret.length).toBeGreaterThan(20)
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      await indexedDB.databases(),
    ]),
  )
  expect(stored).not.toContain(secret)
  const found = await run('grep', ['-rlF', secret, folder]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  expect(found).toBe('')
})
