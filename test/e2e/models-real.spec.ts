import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { addToMessage } from './open-window.ts'

/** The product whole, over the sandbox: models are chosen, compared and search the web, as a person does it. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-models-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

test('a private and a public model side by side: sealed at once, readable once it is allowed, both paid for and both with a receipt', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('button', { name: 'Compare…' }).click()
  const options = page.getByRole('listbox', { name: 'Models' }).getByRole('option')
  for (const chosen of ['Sandbox Lento 8B', 'Sandbox Allegro Mini']) {
    const option = options.filter({ hasText: chosen })
    if ((await option.getAttribute('aria-selected')) !== 'true') await option.click()
  }
  for (const option of await options.all()) {
    const other = !/Lento|Allegro/.test(await option.innerText())
    if (other && (await option.getAttribute('aria-selected')) === 'true') await option.click()
  }
  await page.getByRole('button', { name: 'Compare 2 models' }).click()
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('Compare a kettle and a pot in a table')
  await composer.press('Enter')
  const sealed = page.getByRole('article', { name: 'Sandbox Lento 8B' })
  const readable = page.getByRole('article', { name: 'Sandbox Allegro Mini' })
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Compare a kettle and a pot in a table')
  // Behind the dialog, the private one answers already, and the other was not asked.
  await expect(page.locator('article').getByText('Private')).toBeVisible()
  await expect(page.locator('article')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  await expect(sealed.getByText('Private')).toBeVisible()
  await expect(readable.getByText('Provider only')).toBeVisible()
  for (const column of [sealed, readable]) {
    await expect(column.getByText('complete', { exact: true })).toBeVisible()
    await expect(column.locator('dd').first()).toHaveText(/^[\d.]+¢$/)
  }
  await expect(page.getByText(/^Total [\d.]+¢/)).toBeVisible()
  await sealed.getByRole('button', { name: /Continue with this/ }).click()
  await expect(page.getByRole('button', { name: 'Model: Sandbox Lento 8B' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Show replies side by side' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('a search of the web names its invented sources, and its price is in the true cost', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill('allegro')
  await page.keyboard.press('Enter')
  await addToMessage(page, 'Search the web…')
  await page.getByRole('switch', { name: 'Search the web first' }).click()
  await expect(page.getByText('A search costs $0.02, plus tokens for its results.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Number of results' }).fill('2')
  await page.keyboard.press('Escape')
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('What is new in Turin?')
  await composer.press('Enter')
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages.getByText('2 sources reported by the service')).toBeVisible()
  await expect(messages.getByText(/invented by the sandbox/)).toHaveCount(2)
  await expect(messages.getByText(/\$0\.02\d*, \d+ tokens/)).toBeVisible()
  await messages
    .getByRole('link', { name: '[1]' })
    .or(messages.getByRole('button', { name: '[1]' }))
    .first()
    .press('Enter')
  await expect(page.getByTestId('link-target')).toContainText('.example/')
})
