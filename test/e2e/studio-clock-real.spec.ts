import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { unlockVault } from '../../src/core/core.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import type { Job } from '../../src/shared/job.ts'
import { sandboxFolder } from '../sandbox/cached-roots.ts'
import { startWorldWindow, type WorldWindow } from './world-window.ts'

const DAY_MS = 24 * 3_600_000
const PROMPTS = {
  kept: 'Hills at dawn',
  named: 'A fox in the snow',
  gone: 'A heron at noon',
  image: 'A quiet room by the sea',
  lost: 'A lamp that is lit',
} as const

const jobs = async ({ world }: WorldWindow) => ((await world.call('studio/list', {})) as { jobs: Job[] }).jobs
const stateOf = async (window: WorldWindow, prompt: string) =>
  (await jobs(window)).find(({ ask }) => 'prompt' in ask && ask.prompt === prompt)?.state

async function clip(page: Page, prompt: string): Promise<void> {
  // Until the tab has changed, the page shows the prompt of the images.
  const video = page.getByRole('tabpanel', { name: 'Video' })
  await video.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt)
  await expect(page.getByTestId('price')).toContainText('Costs $0.21')
  await page.getByRole('button', { name: 'Generate video' }).click()
  await expect(page.getByRole('article', { name: prompt })).toBeVisible()
}

async function image(page: Page, prompt: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
  await expect(page.getByTestId('price')).toContainText('Estimated cost: $0.0')
  await page.getByRole('button', { name: /^Generate( · |$)/ }).click()
  await expect(page.getByRole('article', { name: prompt })).toBeVisible()
}

test('a day later nothing of the library is lost, and what the service made while Sotto was off is asked about again, or lost with its cost', async ({
  page,
}) => {
  test.setTimeout(400_000)
  const folder = await mkdtemp(join(tmpdir(), 'sotto-clock-'))
  const clock = { ahead: 0 }
  // The service uses the same clock, so its addresses expire.
  const sandbox = await startSandbox({
    folder: await sandboxFolder(),
    pace: 'none',
    now: () => Date.now() + clock.ahead,
  })
  const begin = (fetch: NonNullable<Parameters<typeof startWorldWindow>[2]>['fetch']) =>
    startWorldWindow('B', 'balance', {
      outlives: { sandbox, folder, clock },
      vault: (at) => unlockVault({ mode: 'file', folder: at, passphrase: 'correct horse' }),
      ...(fetch && { fetch }),
    })
  let mayFetch = true
  let goneId: string
  try {
    {
      await using window = await begin(
        (network) => (url, init) =>
          !mayFetch && url.includes('/v1/media/')
            ? Promise.reject(new TypeError('no route'))
            : network(url, init),
      )
      await window.open(page, '#/studio/video')
      await page.getByLabel('Model', { exact: true }).selectOption('sandbox/carosello-video')
      await page.getByLabel('Duration (seconds)').selectOption('5')
      await page.getByLabel('Quality').selectOption('480p')
      await clip(page, PROMPTS.kept)
      await page.getByRole('tab', { name: 'Speech' }).click()
      await page.getByLabel('Text', { exact: true }).fill('The otter swims along the river.')
      await page.getByLabel('Play while generating').uncheck()
      await page.getByRole('button', { name: 'Generate speech' }).click()
      await expect(page.getByRole('article', { name: /^The otter swims/ })).toContainText('Done')
      await page.getByRole('tab', { name: 'Images' }).click()
      await page.getByLabel('Model', { exact: true }).selectOption('sandbox/affresco-image')
      await page.getByLabel('Quality').selectOption('low')
      await image(page, PROMPTS.image)
      await expect(page.getByRole('article', { name: PROMPTS.image })).toContainText('Done')
      await expect.poll(() => stateOf(window, PROMPTS.kept), { timeout: 60_000 }).toBe('done')

      // From here on no result can be downloaded, and then Sotto stops.
      mayFetch = false
      await image(page, PROMPTS.lost)
      await page.getByRole('tab', { name: 'Video' }).click()
      await clip(page, PROMPTS.named)
      await clip(page, PROMPTS.gone)
      for (const prompt of [PROMPTS.lost, PROMPTS.named, PROMPTS.gone])
        await expect.poll(() => stateOf(window, prompt), { timeout: 60_000 }).toBe('saving')
      goneId =
        (await jobs(window)).find(({ ask }) => 'prompt' in ask && ask.prompt === PROMPTS.gone)?.remoteId ?? ''
      expect(goneId).not.toBe('')
      await page.goto('about:blank')
    }
    clock.ahead = DAY_MS + 60_000

    // The service no longer knows one of the clips.
    await using window = await begin(
      (network) => (url, init) =>
        url.includes(goneId) && !url.includes('/v1/media/')
          ? Promise.resolve({ status: 404, headers: { get: () => null }, body: null })
          : network(url, init),
    )
    await window.open(page, '#/studio/video')
    const card = page.getByRole('article', { name: PROMPTS.named })
    await expect(card).toContainText('Done', { timeout: 60_000 })
    for (const prompt of [PROMPTS.kept, PROMPTS.named]) {
      const video = page.getByRole('article', { name: prompt }).locator('video')
      await expect
        .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
        .toBeCloseTo(5, 0)
    }
    const gone = page.getByRole('article', { name: PROMPTS.gone })
    await expect(gone).toContainText('Link expired', { timeout: 60_000 })
    await expect(gone).toContainText('its link expired before Sotto could download it')
    await expect(gone.getByTestId('job-cost')).toContainText('Cost $0.20125')
    await expect(gone.getByRole('button', { name: 'Try download again' })).toBeVisible()

    await page.getByRole('tab', { name: 'Images' }).click()
    await expect
      .poll(() =>
        page
          .getByRole('article', { name: PROMPTS.image })
          .locator('img')
          .first()
          .evaluate((element: HTMLImageElement) => element.naturalWidth),
      )
      .toBeGreaterThan(100)
    const lost = page.getByRole('article', { name: PROMPTS.lost })
    await expect(lost).toContainText('Link expired', { timeout: 60_000 })
    await expect(lost.getByTestId('job-cost')).toContainText('Cost $0.0')

    await page.getByRole('tab', { name: 'Speech' }).click()
    const audio = page.getByRole('article', { name: /^The otter swims/ }).locator('audio')
    await audio.evaluate((element: HTMLAudioElement) => {
      element.muted = true
      return element.play()
    })
    await expect
      .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
      .toBeGreaterThan(0)

    await page.getByRole('tab', { name: 'Library' }).click()
    await expect(page.getByRole('gridcell')).toHaveCount(6)
    await expect(page.getByRole('gridcell').filter({ hasText: 'Link expired' })).toHaveCount(2)
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
})
