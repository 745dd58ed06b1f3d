import { expect, test, type Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { serveGallery } from './gallery-page.ts'

/** The primitives, without the product around them. */
let gallery: Awaited<ReturnType<typeof serveGallery>>
test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(() => gallery[Symbol.asyncDispose]())

async function show(page: Page): Promise<void> {
  await page.goto(gallery.address)
  await expect(page.getByRole('heading', { name: 'Gallery' })).toBeVisible()
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 480]) {
    test(`axe finds nothing, ${colorScheme} at ${String(width)} pixels`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await show(page)
      expect(await axeFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  }
}

test('axe finds nothing in forced colors and with a list of suggestions open', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await show(page)
  await page.getByRole('combobox', { name: 'Model', exact: true }).press('ArrowDown')
  expect(await axeFaults(page)).toEqual([])
})

test('a combobox suggests, and takes a suggestion or a typed text', async ({ page }) => {
  await show(page)
  const field = page.getByRole('combobox', { name: 'Model', exact: true })
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  await field.click()
  await expect(list.getByRole('option')).toHaveCount(3)
  await field.fill('SMALL')
  await expect(list.getByRole('option')).toHaveText(['sandbox-small'])
  await expect(field).not.toHaveAttribute('aria-activedescendant')
  await field.press('ArrowDown')
  const option = list.getByRole('option', { selected: true })
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await field.press('Enter')
  await expect(field).toHaveValue('sandbox-small')
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByText('Committed: sandbox-small')).toBeVisible()
  await field.press('ArrowUp')
  await expect(list.getByRole('option', { selected: true })).toHaveText('sandbox-vision')
  await field.press('Escape')
  await expect(list).toBeHidden()
  await expect(field).toHaveValue('sandbox-small')
  await field.fill('something else')
  await expect(list).toBeHidden()
  await field.press('Tab')
  await expect(page.getByText('Committed: something else')).toBeVisible()
})

test('a select opens its list in the colors of the window, and takes a choice by arrow keys or by letters', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await show(page)
  const field = page.getByLabel('Period', { exact: true })
  await expect(field).toHaveRole('combobox')
  await field.press('ArrowDown')
  const monthly = field.getByRole('option', { name: 'Monthly' })
  await expect(monthly).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(monthly).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Monthly')
  await expect(monthly).toBeHidden()
  await expect(field).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.type('da')
  await expect(field.getByRole('option', { name: 'Daily' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('Monthly')
  await expect(field).toBeFocused()
})

test('Escape closes the list of a select and not the dialog around it', async ({ page }) => {
  await show(page)
  await page.getByRole('button', { name: 'Rename chat' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename chat' })
  const field = dialog.getByLabel('Project')
  await expect(field).toBeFocused()
  await field.press('Space')
  const garden = dialog.getByRole('option', { name: 'Garden' })
  await expect(garden).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(garden).toBeHidden()
  await expect(dialog).toBeVisible()
  await field.press('Space')
  await garden.click()
  await expect(field).toHaveValue('Garden')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a slider and its number are one value, and an empty number is the default', async ({ page }) => {
  await show(page)
  const slider = page.getByRole('slider', { name: 'Temperature' })
  const number = page.getByRole('textbox', { name: 'Temperature' })
  await expect(slider).toHaveValue('0.6')
  await slider.press('ArrowRight')
  await expect(number).toHaveValue('0.7')
  await number.fill('1,5')
  await expect(slider).toHaveValue('1.5')
  await number.fill('9')
  await expect(slider).toHaveValue('2')
  await expect(page.getByRole('slider', { name: 'Top P' })).toHaveAttribute(
    'aria-valuetext',
    'Service default',
  )
  await expect(page.getByRole('textbox', { name: 'Wrong number' })).toHaveAccessibleDescription(
    'Enter a number from 0 to 2.',
  )
})

test('a drop zone takes one file, and none while it is turned off', async ({ page }) => {
  await show(page)
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    for (const name of ['one.json', 'two.json']) transfer.items.add(new File(['{}'], name))
    return transfer
  })
  const place = page.getByRole('group', { name: 'Backup file' }).getByTestId('file-place')
  await place.dispatchEvent('dragover', { dataTransfer: data })
  await expect(place).toContainText('Drop the file here.')
  await place.dispatchEvent('drop', { dataTransfer: data })
  await expect(place).toContainText('one.json')
  await expect(place).not.toContainText('two.json')
  const locked = page.getByRole('group', { name: 'Locked file' })
  await locked.getByTestId('file-place').dispatchEvent('drop', { dataTransfer: data })
  await expect(locked.getByRole('button', { name: 'Choose file…' })).toBeDisabled()
  await expect(locked).not.toContainText('one.json')
  await expect(page.getByRole('group', { name: 'Missing file' })).toHaveAccessibleDescription(
    'Choose a backup file.',
  )
})

test('a toast keeps its button reachable, and a busy one does nothing', async ({ page }) => {
  await show(page)
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await expect(page.getByText('Undone: 1')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restoring…' })).toHaveAttribute('aria-disabled', 'true')
})

test('a dialog returns the focus, and only a confirmation stays when pressed outside', async ({ page }) => {
  await show(page)
  for (const [name, role, stays] of [
    ['Rename chat', 'dialog', 0],
    ['Delete this chat?', 'alertdialog', 1],
  ] as const) {
    const button = page.getByRole('button', { name })
    await button.press('Enter')
    const dialog = page.getByRole(role, { name })
    await expect(dialog).toBeVisible()
    expect(await axeFaults(page, `[role=${role}]`)).toEqual([])
    await page.mouse.click(5, 5)
    await expect(dialog).toHaveCount(stays)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()
  }
})
