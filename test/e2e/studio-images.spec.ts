import type { Page } from '@playwright/test'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import { receipt } from './mock-data.ts'
import { failure, type MockServer } from './mock-server.ts'
import { picture } from './mock-picture.ts'
import { putImage, someImages } from './screens/studio-screens.ts'
import { expect, test } from './window-test.ts'

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' })
const price = (page: Page) => page.getByTestId('price')
const gallery = (page: Page) => page.getByRole('region', { name: 'Images' })
const cards = (page: Page) => gallery(page).getByRole('article')
const started = ({ calls }: MockServer) =>
  calls
    .filter(({ path }) => path === 'studio.start')
    .map(({ input }) => input as { ask: JobAsk; pay: string })

async function showImages({
  open,
  page,
}: {
  open: (place?: string) => Promise<void>
  page: Page
}): Promise<void> {
  await open('#/studio')
  await expect(page.getByRole('form', { name: 'Create image' })).toBeVisible()
}

test('an image is generated from text, with the price before, the model’s parameters, and the cost after', async ({
  window: { open, page, mock },
}) => {
  await showImages({ open, page })
  await expect(price(page)).toContainText('Enter a prompt to see the price')
  await expect(page.getByText('Visible').first()).toBeVisible()
  await prompt(page).fill('A quiet room by the sea')
  await expect(price(page)).toContainText('Estimated cost: $0.02 – $0.20.')
  await expect(price(page)).toContainText('The cost depends on the options you left to the service')
  await page.getByLabel('Quality').selectOption('medium')
  await page.getByLabel('Quantity').selectOption('2')
  await expect(price(page)).toContainText('Costs $0.17.')
  // In the spelling of the price list.
  await page.getByLabel('Resolution').selectOption('2K')
  await page.getByText('Seed, negative prompt, and more').click()
  await page.getByLabel('Seed').fill('421')
  await page.getByLabel('Negative prompt').fill('people')
  await page.getByLabel('Format').selectOption('webp')
  await page.getByLabel('Additional parameters (JSON)').fill('{"steps": 30}')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page).first().locator('img')).toHaveCount(2)
  await expect(cards(page).first()).toContainText('Done')
  await expect(cards(page).first()).toContainText('Seed 421')
  await expect(cards(page).getByTestId('job-cost')).toContainText('$0.0805')
  expect(started(mock)).toEqual([
    {
      pay: 'balance',
      ask: {
        kind: 'image',
        model: 'sandbox/painter',
        prompt: 'A quiet room by the sea',
        n: 2,
        quality: 'medium',
        resolution: '2K',
        negativePrompt: 'people',
        outputFormat: 'webp',
        seed: 421,
        extra: { steps: 30 },
      },
    },
  ])
})

test('a job shows its progress, and a failed, lost or unknown one shows what to do', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.becomes = 'held'
  await showImages({ open, page })
  await prompt(page).fill('Fog')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(cards(page).first()).toContainText('Sent to service')
  await expect(cards(page).first().getByRole('progressbar')).toBeVisible()
  const [going] = mock.state.studio.jobs
  mock.state.studio.finish(going?.id ?? '', 'unknown')
  await expect(cards(page).first()).toContainText('Unknown')
  await expect(cards(page).first()).toContainText('studio/outcome-unknown')
  mock.state.studio.matches = {
    matches: [{ at: Date.now(), model: 'sandbox/painter', cost: '80500000000' }],
    whole: true,
  }
  await page.getByRole('button', { name: 'Compare with service history' }).click()
  await expect(cards(page).first()).toContainText('Check the service’s history')
  mock.state.studio.becomes = 'done'
  await page.getByRole('button', { name: 'Send and pay again' }).click()
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).first()).toContainText('Done')
})

test('an interrupted watch continues, and shows the jobs that ended', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.becomes = 'held'
  await showImages({ open, page })
  await prompt(page).fill('Fog')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(cards(page).first()).toContainText('Sent to service')
  mock.state.studio.cut()
  await expect(gallery(page)).toContainText('Not up to date')
  mock.state.studio.finish(mock.state.studio.jobs[0]?.id ?? '')
  await expect(cards(page).first()).toContainText('Done')
})

test('an image is edited: chosen, dropped or pasted, stored on this computer, and sent only with the job', async ({
  window: { open, page, mock },
}) => {
  await showImages({ open, page })
  await page.getByRole('radio', { name: 'Edit image' }).check()
  await expect(price(page)).toContainText('Choose an image')
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'Café at noon.png', mimeType: 'image/png', buffer: picture(3) })
  const field = page.getByRole('group', { name: 'Image', exact: true })
  await expect(field).toContainText('Café at noon.png')
  await expect(field).toContainText('320 × 240')
  await expect(
    page.getByText('Location, time, and camera details are removed before the image is sent.'),
  ).toBeVisible()
  expect([...mock.state.studio.uploads.values()].map(({ bytes }) => bytes.equals(picture(3)))).toEqual([true])
  expect(started(mock)).toEqual([])
  await page.getByRole('textbox', { name: 'Describe the change' }).fill('Make it evening')
  await page.getByText('Seed, negative prompt, and more').click()
  await page.getByLabel('Upload with the edits form').check()
  await page.getByRole('button', { name: 'Edit image' }).click()
  await expect(cards(page).first()).toContainText('Done')
  const [{ ask } = { ask: undefined }] = started(mock)
  expect(ask).toMatchObject({
    kind: 'image',
    model: 'sandbox/painter',
    prompt: 'Make it evening',
    form: true,
    image: { uploadId: expect.any(String) },
  })
  expect(ask).not.toHaveProperty('keepMetadata')
  // The upload is used up, but the job's own file can be sent again.
  await page.getByRole('button', { name: 'Edit image' }).click()
  await expect(cards(page)).toHaveCount(2)
  expect(started(mock)[1]?.ask).toMatchObject({ image: { jobId: expect.any(String), index: 10_000 } })

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByTestId('file-place').evaluate(
    (place, bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }))
      place.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
    },
    [...picture(5)],
  )
  await expect(field).toContainText('dropped.png')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.evaluate(
    (bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' }))
      dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))
    },
    [...picture(6)],
  )
  await expect(field).toContainText('pasted.png')
  await page.getByLabel('Include camera metadata').check()
  await page.getByRole('button', { name: 'Edit image' }).click()
  await expect(cards(page)).toHaveCount(3)
  expect(started(mock)[2]?.ask).toMatchObject({ keepMetadata: true })
})

test('an earlier result is upscaled or loses its background with the models that do only that', async ({
  window: { open, page, mock },
}) => {
  putImage(mock, 'former')
  await showImages({ open, page })
  await page.getByRole('radio', { name: 'Upscale' }).check()
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('sandbox/lens-upscale')
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Choose generated image…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Use “A quiet room/ })
    .click()
  await page.getByRole('button', { name: 'Upscale' }).click()
  await expect(cards(page)).toHaveCount(2)
  await page.getByRole('radio', { name: 'Remove background' }).check()
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('sandbox/cutter-background')
  await page.getByRole('button', { name: 'Remove background' }).click()
  await expect(cards(page)).toHaveCount(3)
  expect(started(mock).map(({ ask }) => ask)).toMatchObject([
    { model: 'sandbox/lens-upscale', image: { jobId: 'former', index: 1 } },
    { model: 'sandbox/cutter-background', image: { index: 10_000 } },
  ])
})

test.describe('a wrong file', () => {
  for (const [name, buffer, code] of [
    ['a text that is called .png', Buffer.from('Not an image'), 'studio/image-type'],
    ['an empty one', Buffer.alloc(0), 'studio/file-empty'],
    ['one of 26 MB', Buffer.alloc(26 * 1024 * 1024 + 1), 'studio/file-too-large'],
    ['one of 20,000 pixels', wide(), 'studio/image-too-large'],
  ] as const) {
    test(`${name} is refused before anything is sent, with instructions`, async ({
      window: { open, page, mock },
    }) => {
      await showImages({ open, page })
      await page.getByRole('radio', { name: 'Upscale' }).check()
      await page.getByTestId('file-input').setInputFiles({ name: 'wrong.png', mimeType: 'image/png', buffer })
      await expect(page.getByRole('alert')).toContainText(code)
      await expect(page.getByRole('button', { name: 'Upscale' })).toBeDisabled()
      expect(started(mock)).toEqual([])
      await page
        .getByTestId('file-input')
        .setInputFiles({ name: 'right.png', mimeType: 'image/png', buffer: picture(2) })
      await expect(page.getByRole('button', { name: 'Upscale' })).toBeEnabled()
    })
  }
})

/** A PNG whose header claims a width of 20,000 pixels. */
function wide(): Buffer {
  const bytes = Buffer.from(picture(1))
  bytes.writeUInt32BE(20_000, 16)
  return bytes
}

test('an upload shows its progress, and can be stopped', async ({ window: { open, page, mock } }) => {
  let go: () => void = () => undefined
  mock.state.studio.beforeUpload = () =>
    new Promise((resolve) => {
      go = resolve
    })
  await showImages({ open, page })
  await page.getByRole('radio', { name: 'Upscale' }).check()
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: picture(2) })
  await expect(page.getByRole('progressbar', { name: 'Adding slow.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Choose file…' })).toBeVisible()
  go()
})

test('an image is paid per request over Lightning, with its price in sats first', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = { ...mock.state.status, account: { connected: false } }
  await showImages({ open, page })
  await expect(page.getByRole('radio', { name: 'From the account balance' })).toBeDisabled()
  await prompt(page).fill('Fog')
  await page.getByRole('button', { name: 'Get price in sats' }).click()
  await expect(cards(page).first()).toContainText('Waiting for payment')
  await expect(cards(page).first()).toContainText('The price is 53 sats')
  await expect(
    cards(page)
      .first()
      .getByRole('img', { name: /^Lightning invoice/ }),
  ).toBeVisible()
  await cards(page).first().getByRole('button', { name: 'Cancel' }).click()
  await expect(cards(page).first()).toContainText('Stopped')
  expect(started(mock)).toMatchObject([{ pay: 'single' }])
})

test('Revision A generates up to ten images, and has only its own parameters', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = { ...mock.state.status, service: { ...mock.state.status.service, revision: 'A' } }
  await showImages({ open, page })
  await expect(page.getByLabel('Quantity').getByRole('option')).toHaveCount(10)
  for (const label of ['Resolution', 'Format', 'Negative prompt'])
    await expect(page.getByLabel(label)).toHaveCount(0)
  await page.getByRole('radio', { name: 'Upscale' }).check()
  await expect(page.getByRole('textbox', { name: 'Describe the change' })).toBeVisible()
  await page.getByText('Seed, negative prompt, and more').click()
  await expect(page.getByLabel('Upload with the edits form')).toHaveCount(0)
})

test('an earlier request can be reused, edited, compared, copied and saved', async ({
  window: { open, page, mock },
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  someImages(mock)
  await showImages({ open, page })
  const lemons = cards(page).filter({ hasText: 'Three lemons' })
  await lemons.getByRole('button', { name: 'Reuse settings' }).click()
  await expect(prompt(page)).toHaveValue(/^Three lemons/)
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
  await lemons.getByRole('button', { name: 'Copy prompt' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Three lemons')
  await lemons.getByRole('button', { name: /^More actions for .*1 of 3$/ }).click()
  await page.getByRole('menuitem', { name: 'Copy image' }).click()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types)))
    .toEqual(['image/png'])
  await lemons.getByRole('button', { name: 'Compare', exact: true }).first().click()
  await cards(page)
    .filter({ hasText: 'A lighthouse' })
    .getByRole('button', { name: 'Compare with selected' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Compare images' })
  await expect(dialog.getByRole('img')).toHaveCount(2)
  await expect(dialog).toContainText('Seed 421')
  await expect(dialog).toContainText('Seed 7')
  await page.keyboard.press('Escape')
  const saved = page.waitForEvent('download')
  await lemons.getByRole('button', { name: 'Save…' }).first().click()
  expect((await saved).suggestedFilename()).toBe('a-1.png')
})

test('an image whose URL expired gets a new one', async ({ window: { open, page, mock } }) => {
  putImage(mock, 'former')
  await showImages({ open, page })
  const image = cards(page).locator('img')
  const natural = () =>
    image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))
  await expect.poll(natural).toBe(320)
  const before = await image.getAttribute('src')
  mock.state.studio.endLinks()
  await image.dispatchEvent('error')
  await expect(image).not.toHaveAttribute('src', before ?? '')
  await expect.poll(natural).toBe(320)
})

test('a file that isn’t an image is never shown as one, whatever its name', async ({
  window: { open, page, mock },
}) => {
  const created = putImage(mock, 'former')
  mock.state.studio.jobs = [
    { ...created, files: created.files.map((file) => ({ ...file, type: 'image/svg+xml' })) },
  ]
  await showImages({ open, page })
  await expect(cards(page)).toContainText('can’t safely display this file')
  await expect(cards(page).locator('img')).toHaveCount(0)
})

test('an image links to its receipt, and a deleted one can be restored', async ({
  window: { open, page, mock },
}) => {
  mock.state.receipts = [receipt('r-image', Date.now())]
  putImage(mock, 'former', { receiptId: 'r-image' })
  await showImages({ open, page })
  await cards(page).getByRole('button', { name: 'Open receipt' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await cards(page).getByRole('button', { name: 'Delete' }).click()
  await expect(cards(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(1)
})

test('a refusal before anything is sent preserves the prompt', async ({ window: { open, page, mock } }) => {
  await showImages({ open, page })
  await prompt(page).fill('Fog')
  await expect(price(page)).toContainText('Estimated cost: ')
  mock.state.failures['studio.start'] = failure('service/insufficient-balance')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByRole('alert')).toContainText('service/insufficient-balance')
  await expect(prompt(page)).toHaveValue('Fog')
})
