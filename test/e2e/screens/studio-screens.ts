import { expect, type Page } from '@playwright/test'
import type { Job } from '../../../src/shared/job.ts'
import { receipt, usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { picture } from '../mock-picture.ts'
import { IMAGE_COST, job } from '../mock-studio.ts'
import type { ScreenGroup } from './screen.ts'

const prompts = [
  'A quiet room by the sea',
  'A lighthouse in fog, as a woodcut',
  'Three lemons on a blue cloth, seen from above, in soft morning light that falls through a window at the left',
  'The old town at night',
]

/** Adds a finished image job with `count` pictures and their bytes. */
export function putImage(
  { state }: MockServer,
  id: string,
  { count = 1, ...part }: Partial<Omit<Job, 'may'>> & { count?: number } = {},
): Job {
  const files = Array.from({ length: count }, (_, place) => {
    const bytes = picture(id.length * 3 + place * 7 + (id.codePointAt(id.length - 1) ?? 0))
    const file = {
      index: place + 1,
      role: 'made' as const,
      name: `${id}-${String(place + 1)}.png`,
      type: 'image/png',
      bytes: bytes.length,
      width: 320,
      height: 240,
    }
    state.studio.files.set(`${id}/${String(file.index)}`, { file, bytes })
    return file
  })
  const created = job(id, { cost: IMAGE_COST, files, ...part })
  state.studio.jobs = [...state.studio.jobs, created]
  return created
}

/** A gallery with every state. */
export function someImages(mock: MockServer): void {
  const now = Date.now()
  mock.state.receipts = [receipt('r-image', now - 60_000)]
  mock.state.studio.jobs = []
  mock.state.studio.jobs.push(
    job('going', {
      at: now - 41_000,
      sentAt: now - 41_000,
      state: 'sending',
      estimate: { least: usd(0.0805), most: usd(0.0805) },
    }),
  )
  putImage(mock, 'a', {
    at: now - 60_000,
    count: 3,
    receiptId: 'r-image',
    ask: {
      kind: 'image',
      model: 'sandbox/painter',
      prompt: prompts[2] ?? '',
      n: 3,
      seed: 421,
      quality: 'medium',
      size: '4:3',
    },
  })
  putImage(mock, 'b', {
    at: now - 120_000,
    ask: { kind: 'image', model: 'sandbox/sketcher', prompt: prompts[1] ?? '', seed: 7 },
  })
  mock.state.studio.jobs.push(
    job('failed', {
      at: now - 180_000,
      state: 'failed',
      failure: failure('service/rejected', { detail: [{ english: 'prompt: refused by the provider' }] }),
    }),
    job('unknown', {
      at: now - 240_000,
      sentAt: now - 240_000,
      state: 'unknown',
      failure: failure('studio/outcome-unknown'),
    }),
  )
}

const settled = async (page: Page) => {
  await expect(page.getByTestId('price')).toBeVisible()
  await expect(page.getByTestId('price')).not.toHaveAttribute('aria-busy', 'true')
}

export const studioScreens: ScreenGroup = {
  name: 'Studio',
  place: '#/studio',
  shown: (page) => expect(page.getByRole('tablist', { name: 'Studio sections' })).toBeVisible(),
  screens: [
    { name: 'images, none yet', act: settled },
    {
      name: 'images, a gallery',
      set: someImages,
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Prompt' }).fill(prompts[0] ?? '')
        await page.getByLabel('Quality').selectOption('medium')
        await expect(page.getByTestId('price')).toContainText('Costs')
        await expect(page.getByRole('region', { name: 'Images' }).locator('img').first()).toBeVisible()
      },
    },
    {
      name: 'images, one by Lightning',
      act: async (page) => {
        await settled(page)
        await page.getByRole('textbox', { name: 'Prompt' }).fill(prompts[3] ?? '')
        await page.getByRole('radio', { name: 'Per request, over Lightning' }).check()
        await page.getByRole('button', { name: 'Get price in sats' }).click()
        await expect(page.getByRole('article')).toContainText('The price is')
      },
    },
    {
      name: 'images, enlarging a wrong file',
      act: async (page) => {
        await settled(page)
        await page.getByRole('radio', { name: 'Upscale' }).check()
        await page
          .getByTestId('file-input')
          .setInputFiles({ name: 'holiday.png', mimeType: 'image/png', buffer: Buffer.from('Not an image') })
        await expect(page.getByRole('alert')).toBeVisible()
      },
    },
    {
      name: 'images, the listing fails',
      set: ({ state }) => {
        state.failures['studio.models'] = failure('service/unavailable')
        state.failures['studio.list'] = failure('service/unavailable')
      },
      act: async (page) => {
        await expect(page.getByRole('alert').first()).toBeVisible()
      },
    },
    {
      name: 'library, none yet',
      place: '#/studio/library',
      act: async (page) => {
        await expect(page.getByText('Nothing here yet')).toBeVisible()
      },
    },
    {
      name: 'library, full',
      place: '#/studio/library',
      set: fullLibrary,
      act: async (page) => {
        await expect(page.getByRole('gridcell').first().locator('img')).toBeVisible()
        await page
          .getByRole('checkbox', { name: /^Select “/ })
          .first()
          .check()
      },
    },
    {
      name: 'library, one open',
      place: '#/studio/library',
      set: someImages,
      act: async (page) => {
        await page.getByRole('button', { name: /^Three lemons/ }).click()
        await expect(page.getByRole('dialog').locator('img').first()).toBeVisible()
      },
    },
  ],
}

/** More jobs than a single page loads. */
export function fullLibrary(mock: MockServer): void {
  const now = Date.now()
  mock.state.studio.jobs = []
  for (let index = 0; index < 90; index++)
    putImage(mock, `made-${String(index)}`, {
      at: now - index * 3_600_000,
      ask: {
        kind: 'image',
        model: 'sandbox/painter',
        prompt: `${prompts[index % prompts.length] ?? ''}, ${String(index + 1)}`,
      },
    })
  mock.state.studio.jobs.push(
    job('spoken', {
      at: now - 91 * 3_600_000,
      ask: { kind: 'speech', text: 'Once upon a time there was a quiet room.' },
    }),
  )
}
