import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../world.ts'

/**
 * The whole product on the sandbox: requests of this machine are in the service's history with their
 * receipts.
 */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-history-real-'))
  sotto = await startSotto(folder)
  const { baseUrl, key } = sotto.ready.proxy
  for (const [model, content] of [
    [PLAINTEXT_MODEL, 'one'],
    [PRIVATE_MODEL, 'two words'],
  ]) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 9 }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

test('a sealed and an open request are shown by their receipts, summed, and saved to the digit', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/history')

  const lines = page.getByRole('region', { name: 'Request list' }).getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await expect(lines.first()).toHaveText(/Private.*0\.\d+¢.*chat, source: API, key: Default.*tokens in/)
  await expect(lines.last()).toHaveText(/Provider only.*sandbox\/allegro-mini/)
  await lines.first().getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Receipt' })
  await expect(dialog).toContainText(PRIVATE_MODEL)
  await expect(dialog).toContainText('Tool, via the local API')
  await page.keyboard.press('Escape')

  await expect(page.getByTestId('totals')).toContainText('2 requests')
  await page.getByRole('tab', { name: 'By key' }).click()
  await expect(page.getByRole('figure', { name: 'Spending by key' })).toContainText('Default')
  await page.getByLabel('Key', { exact: true }).selectOption('Default')
  await expect(page.getByTestId('shown')).toHaveText('Showing 2 of 2')
  await expect(lines.first()).toContainText('Private')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as JSON' }).click()
  const saved = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { cost_usd: string }[]
  expect(saved.map(({ cost_usd: cost }) => /^0\.\d+$/.test(cost))).toEqual([true, true])
})
