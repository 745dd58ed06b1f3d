import type { Page } from '@playwright/test'
import { failure } from './mock-server.ts'
import { fullLibrary, putImage, someImages } from './screens/studio-screens.ts'
import { receipt } from './mock-data.ts'
import { expect, test } from './window-test.ts'

const cells = (page: Page) => page.getByRole('gridcell')
const found = (page: Page) => page.getByTestId('found')
const opener = (page: Page, name: string) => cells(page).getByRole('button', { name })

test('all results are listed page by page, and only the visible ones are rendered', async ({
  window: { open, page, mock },
}) => {
  fullLibrary(mock)
  await open('#/studio/library')
  await expect(found(page)).toContainText('60')
  await expect(cells(page).first()).toContainText('A quiet room by the sea, 1')
  expect(await cells(page).count()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(found(page)).toContainText('91 items')
})

test('the library shows where results are saved, and for how long', async ({
  window: { open, page, mock },
}) => {
  fullLibrary(mock)
  await open('#/studio/library')
  await expect(page.getByText('saved on this computer, encrypted.')).toBeVisible()
  mock.state.status.vault = { kind: 'memory', state: 'open' }
  await page.reload()
  await expect(page.getByText('They’re deleted when Sotto quits.')).toBeVisible()
  await expect(page.getByText('sealed.', { exact: false })).toHaveCount(0)
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await expect(page.getByText('They’re deleted when Sotto quits.')).toBeVisible()
})

test('results are found by their text and their type, and a search without results shows this', async ({
  window: { open, page, mock },
}) => {
  fullLibrary(mock)
  await open('#/studio/library')
  await page.getByRole('main').getByLabel('Search').fill('lighthouse 2')
  await expect(found(page)).toContainText(/^\d+ items$/)
  for (const text of await cells(page).allInnerTexts()) expect(text).toContain('lighthouse')
  await page.getByRole('main').getByLabel('Search').fill('')
  await page.getByLabel('Type').selectOption('speech')
  await expect(found(page)).toContainText('1 item')
  await expect(cells(page).first()).toContainText('Once upon a time')
  await page.getByRole('main').getByLabel('Search').fill('submarine')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(found(page)).toContainText('60')
})

test('arrow keys move between results, Enter opens one, and Space selects it', async ({
  window: { open, page, mock },
}) => {
  fullLibrary(mock)
  await open('#/studio/library')
  const places = page.locator('[data-place]')
  await places.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-place="1"]')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  const columns = Number(await page.getByRole('grid').getAttribute('aria-colcount'))
  await expect(page.locator(`[data-place="${String(1 + columns)}"]`)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Delete 1' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Image' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator(`[data-place="${String(1 + columns)}"]`)).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.locator('[data-place="59"]')).toBeFocused()
})

test('the focused result stays in the page while the list is scrolled with the wheel', async ({
  window: { open, page, mock },
}) => {
  fullLibrary(mock)
  await open('#/studio/library')
  await page.locator('[data-place="0"]').focus()
  await page.getByRole('grid').hover()
  await page.mouse.wheel(0, 20_000)
  await expect(page.locator('[data-place="59"]')).toBeInViewport()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-place="1"]')).toBeFocused()
})

test('an opened result has its receipt, its files, its cost and an editable title', async ({
  window: { open, page, mock },
}) => {
  someImages(mock)
  mock.state.receipts = [receipt('r-image', Date.now())]
  await open('#/studio/library')
  await page.getByRole('button', { name: /^Three lemons/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Image' })
  await expect(dialog.locator('img')).toHaveCount(3)
  await expect(dialog.getByTestId('job-cost')).toContainText('$0.0805')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save a-2.png' }).click()
  expect((await saved).suggestedFilename()).toBe('a-2.png')
  await dialog.getByLabel('Title').fill('Lemons')
  await dialog.getByRole('button', { name: 'Save title' }).click()
  await expect(dialog.getByRole('article', { name: 'Lemons' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Open receipt' }).click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Complete')
})

test('deleted results can be restored for a time, and jobs in progress remain', async ({
  window: { open, page, mock },
}) => {
  someImages(mock)
  await open('#/studio/library')
  const all = mock.state.studio.jobs.length
  await expect(cells(page)).toHaveCount(all)
  for (const box of await page.getByRole('checkbox', { name: /^Select “/ }).all()) await box.check()
  await page.getByRole('button', { name: `Delete ${String(all - 1)}` }).click()
  await expect(cells(page)).toHaveCount(1)
  await expect(cells(page).first()).toContainText('Sent to service')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cells(page)).toHaveCount(all)
})

test('the selected results, or all that are shown, are saved as one folder', async ({
  window: { open, page, mock },
}) => {
  putImage(mock, 'one', {
    at: Date.now() - 1000,
    ask: { kind: 'image', model: 'sandbox/painter', prompt: 'One' },
  })
  putImage(mock, 'two', {
    at: Date.now() - 2000,
    ask: { kind: 'image', model: 'sandbox/painter', prompt: 'Two' },
  })
  await open('#/studio/library')
  const all = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save shown as ZIP…' }).click()
  expect((await all).suggestedFilename()).toMatch(/^sotto-library-.*\.zip$/)
  await page.getByRole('checkbox', { name: 'Select “Two”' }).check()
  const one = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save 1 as ZIP…' }).click()
  await one
  expect(mock.calls.filter(({ path }) => path === 'studio.export').map(({ input }) => input)).toEqual([
    { jobIds: ['one', 'two'] },
    { jobIds: ['two'] },
  ])
})

test('the library shows the used disk space by type', async ({ window: { open, page, mock } }) => {
  const { files } = putImage(mock, 'one')
  await open('#/studio/library')
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  await expect(page.getByTestId('usage')).toContainText('in 1 file')
  await expect(page.getByTestId('usage')).toContainText(`Image: ${bytes < 1024 ? `${String(bytes)} B` : ''}`)
})

test('a list that can’t be loaded shows an error, and loads again', async ({
  window: { open, page, mock },
}) => {
  putImage(mock, 'one', { ask: { kind: 'image', model: 'sandbox/painter', prompt: 'One' } })
  mock.state.failures['studio.list'] = failure('store/damaged')
  await open('#/studio/library')
  await expect(page.getByRole('alert')).toContainText('store/damaged')
  mock.state.failures = {}
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(opener(page, 'One')).toBeVisible()
})
