import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { failure } from './mock-server.ts'
import { picture } from './mock-picture.ts'
import { clip, putFile, someClips, videoAsk } from './screens/studio-media-screens.ts'
import { putImage } from './screens/studio-screens.ts'
import { expect, test } from './window-test.ts'

const card = (page: Page, title: string) => page.getByRole('article', { name: title })
const model = 'sandbox/carousel-video'

test.beforeEach(({ window: { mock } }) => {
  mock.state.studio.models = [
    {
      id: model,
      name: 'Carousel Video',
      type: 'video',
      private: false,
      inputModalities: ['text', 'image'],
      mediaPrice: {
        base: '250000000000',
        tables: [
          {
            by: 'quality',
            of: { '720p': { by: 'duration', of: { 5: '250000000000', 10: '500000000000' } } },
          },
        ],
      },
    },
  ]
  mock.state.studio.becomes = 'held'
})

test('every field of the specification is sent as chosen, after its price, and nothing before', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/video')
  await expect(page.getByText('Visible').first()).toBeVisible()
  await page.getByLabel('Model', { exact: true }).selectOption(model)
  await expect(page.getByTestId('price')).toContainText('Describe the video')
  await page.getByLabel('Prompt').fill(videoAsk.prompt)
  // Options from the price list.
  await expect(page.getByLabel('Duration (seconds)').getByRole('option')).toHaveText([
    'Model default',
    '5',
    '10',
    'Other…',
  ])
  await page.getByLabel('Duration (seconds)').selectOption('10')
  await page.getByLabel('Quality').selectOption('720p')
  await page.getByLabel('Aspect ratio').selectOption('9:16')
  await page.getByText('Additional parameters', { exact: true }).click()
  await page.getByLabel('Additional parameters (JSON)').fill('{"seed": ')
  await expect(page.getByText('Invalid JSON object')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate video' })).toBeDisabled()
  await page.getByLabel('Additional parameters (JSON)').fill('{"seed": 7}')
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'fox.png', mimeType: 'image/png', buffer: picture(3) })
  await expect(page.getByLabel('Include image metadata')).not.toBeChecked()
  await expect(page.getByTestId('price')).toContainText('Costs $0.015')
  expect(await axeFaults(page)).toEqual([])
  expect(mock.calls.some(({ path }) => path === 'studio.start')).toBe(false)
  await page.getByRole('button', { name: 'Generate video' }).press('Enter')
  await expect(card(page, videoAsk.prompt)).toContainText('Sent to service')
  expect(mock.calls.findLast(({ path }) => path === 'studio.start')?.input).toEqual({
    pay: 'balance',
    ask: {
      kind: 'video',
      model,
      prompt: videoAsk.prompt,
      aspectRatio: '9:16',
      duration: '10',
      quality: '720p',
      image: { uploadId: expect.stringContaining('upload') },
      extra: { seed: 7 },
    },
  })
  await expect(card(page, videoAsk.prompt)).toContainText('10 seconds · 9:16 · 720p · From image fox.png')
})

test('a video isn’t paid for without its chosen image that couldn’t be added, until its owner continues without it', async ({
  window: { open, page },
}) => {
  await open('#/studio/video')
  await page.getByLabel('Model', { exact: true }).selectOption(model)
  await page.getByLabel('Prompt').fill(videoAsk.prompt)
  await expect(page.getByTestId('price')).toContainText('Costs')
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'fox.png', mimeType: 'image/png', buffer: Buffer.alloc(0) })
  await expect(page.getByTestId('price')).toHaveText(
    'Couldn’t add the image. Choose another, or continue without it.',
  )
  await expect(page.getByRole('button', { name: 'Generate video' })).toBeDisabled()
  await page.getByRole('button', { name: 'Continue without it' }).click()
  await expect(page.getByTestId('price')).toContainText('Costs')
  await expect(page.getByRole('button', { name: 'Generate video' })).toBeEnabled()
})

test('a generated image begins a video that is polled, played from any position, and saved', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.jobs = []
  putImage(mock, 'fox', { ask: { kind: 'image', model: 'sandbox/painter', prompt: 'A fox' } })
  await open('#/studio/video')
  await page.getByLabel('Model', { exact: true }).selectOption(model)
  await page.getByLabel('Prompt').fill('It walks')
  await page.getByRole('button', { name: 'Choose generated image…' }).click()
  await page.getByRole('button', { name: /^Use “A fox”/ }).click()
  await expect(page.getByTestId('price')).toContainText('Costs')
  await page.getByRole('button', { name: 'Generate video' }).click()
  await expect(card(page, 'It walks')).toContainText('Sent to service')
  expect(mock.calls.findLast(({ path }) => path === 'studio.start')?.input).toMatchObject({
    ask: { image: { jobId: 'fox', index: 1 } },
  })

  const [begun] = mock.state.studio.jobs
  if (!begun) throw new Error('Nothing was begun.')
  mock.state.studio.put({ ...begun, state: 'working', remoteId: 'gen_1' })
  await expect(card(page, 'It walks')).toContainText('In progress')
  await expect(card(page, 'It walks')).toContainText(/\d+ s/)
  await expect(card(page, 'It walks').getByTestId('job-cost')).toContainText('Estimated cost: $0.015')
  await card(page, 'It walks').getByRole('button', { name: 'Check progress' }).click()
  expect(mock.calls.filter(({ path }) => path === 'studio.poll')).toHaveLength(1)

  const file = putFile(
    mock,
    begun.id,
    { index: 1, role: 'made', name: 'it-walks.mp4', type: 'video/mp4' },
    clip(5),
  )
  mock.state.studio.put({ ...begun, state: 'done', cost: '250000000000', files: [...begun.files, file] })
  await expect(card(page, 'It walks').getByTestId('job-cost')).toContainText('Cost $0.25')
  const video = card(page, 'It walks').locator('video')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(5, 0)
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 3
  })
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBe(3)
  const download = page.waitForEvent('download')
  await card(page, 'It walks').getByRole('button', { name: 'Save' }).click()
  expect((await readFile(await (await download).path())).length).toBe(file.bytes)
})

test('a failed video shows the reason, and its fields can be reused', async ({
  window: { open, page, mock },
}) => {
  someClips(mock)
  await open('#/studio/video')
  const failed = card(page, 'What it refuses')
  await expect(failed).toContainText('The service couldn’t create the video.')
  await expect(failed).toContainText('content policy')
  await failed.getByRole('button', { name: 'Reuse prompt' }).click()
  await expect(page.getByLabel('Prompt')).toHaveValue('What it refuses')
  await expect(page.getByLabel('Duration (seconds)')).toHaveValue('5')
  await expect(page.getByLabel('Prompt')).toBeFocused()
  // The typed text survives a change of the tab.
  await page.getByRole('tab', { name: 'Speech' }).click()
  await expect(page.getByRole('radio', { name: 'Service default' })).toBeVisible()
  await page.getByRole('tab', { name: 'Video' }).click()
  await expect(page.getByLabel('Prompt')).toHaveValue('What it refuses')
})

test('without listed models, a model is named by its ID, and a price that is refused is shown in place', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.models = []
  mock.state.studio.price = () => 'model/unknown'
  await open('#/studio/video')
  await page.getByLabel('Model ID').fill('some/model')
  await page.getByLabel('Prompt').fill('Anything')
  await expect(page.getByRole('alert')).toContainText(failure('model/unknown').code)
  await expect(page.getByRole('button', { name: 'Generate video' })).toBeDisabled()
})
