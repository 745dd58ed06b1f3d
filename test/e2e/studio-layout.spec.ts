import { axeFaults } from './axe.ts'
import { answering, askPeople, table } from './screens/data-screens.ts'
import { someImages } from './screens/studio-screens.ts'
import { expect, test } from './window-test.ts'

const buttons = [
  ['images', 'Generate'],
  ['video', 'Generate video'],
  ['speech', 'Generate speech'],
  ['transcription', 'Transcribe'],
] as const

for (const [tab, name] of buttons) {
  test(`the main button of ${tab} is in view at 1280 × 800`, async ({ window: { open, page, mock } }) => {
    someImages(mock)
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(`#/studio/${tab}`)
    const button = page.getByTestId('ask-line').getByRole('button', { name, exact: true })
    await expect(button).toBeInViewport({ ratio: 1 })
    expect(await axeFaults(page, 'main')).toEqual([])
  })
}

test('the prompt bar stays at the bottom while the images are scrolled, and the button has the price', async ({
  window: { open, page, mock },
}) => {
  someImages(mock)
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('#/studio')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A quiet room by the sea')
  const line = page.getByTestId('ask-line')
  await expect(line.getByRole('button', { name: 'Generate · ~$0.02 – $0.20' })).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Quality').selectOption('medium')
  const button = line.getByRole('button', { name: 'Generate · $0.081' })
  await expect(button).toBeEnabled()
  for (const top of [0, 400, 100_000]) {
    await page.getByRole('main').evaluate((main, to) => main.scrollTo({ top: to }), top)
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  // Without a known price, the button has none.
  await page.getByRole('textbox', { name: 'Prompt' }).fill('')
  await expect(line.getByRole('button', { name: 'Generate', exact: true })).toBeDisabled()
})

test('a lookup has its request and price at the side of its results', async ({
  window: { open, page, mock },
}) => {
  answering(mock)
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('#/data')
  await askPeople(page)
  const button = page.getByTestId('ask-line').getByRole('button', { name: 'Run lookup · $0.023' })
  await expect(button).toBeInViewport({ ratio: 1 })
  const [form, answer] = [await page.getByTestId('ask-line').boundingBox(), await table(page).boundingBox()]
  expect(answer!.x).toBeGreaterThan(form!.x + form!.width)
  await expect(table(page)).toBeInViewport()
  expect(await axeFaults(page, 'main')).toEqual([])
})
