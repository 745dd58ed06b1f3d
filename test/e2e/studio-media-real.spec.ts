import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { writeWave } from '../../src/sandbox/audio/wave.ts'
import { startWorldWindow } from './world-window.ts'

/** The window, the core and the sandbox's service: clips, speech and transcripts in both revisions. */
const SPEECH_TEXT = 'The first sentence. The second one, which is longer. And a third.'

for (const [revision, pay] of [
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const) {
  test(`a clip in Revision ${revision}, ${pay === 'balance' ? 'from the balance' : 'by itself over Lightning'}: submitted, made, watched`, async ({
    page,
  }) => {
    await using window = await startWorldWindow(revision, pay)
    await window.open(page, '#/studio/video')
    await page.getByLabel('Model', { exact: true }).selectOption('sandbox/carosello-video')
    await page.getByLabel('Prompt').fill('Hills at dawn')
    await page.getByLabel('Duration (seconds)').selectOption('5')
    await page.getByLabel('Quality').selectOption('480p')
    await expect(page.getByTestId('price')).toContainText('Costs $0.21')
    const card = page.getByRole('article', { name: 'Hills at dawn' })
    if (pay === 'balance') await page.getByRole('button', { name: 'Generate video' }).click()
    else {
      await page.getByRole('button', { name: 'Get price in sats' }).click()
      await card.getByRole('button', { name: /^Pay [\d,]+ sats$/ }).click()
    }
    await expect(card).toContainText('Done')
    await expect(card.getByTestId('job-cost')).toContainText(pay === 'balance' ? 'Cost $0.20125' : 'sats')
    const video = card.locator('video')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(5, 0)
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 4
    })
    await expect
      .poll(() =>
        video.evaluate((element: HTMLVideoElement) => element.readyState >= 2 && element.currentTime),
      )
      .toBe(4)
  })
}

for (const revision of ['A', 'B'] as const) {
  test(`speech in Revision ${revision}: a long text is spoken in pieces, joined, heard and saved`, async ({
    page,
  }) => {
    await using window = await startWorldWindow(revision, 'balance')
    await window.open(page, '#/studio/speech')
    await page
      .getByLabel('Text', { exact: true })
      .fill('The otter swims along the river and looks for a fish. '.repeat(30))
    if (revision === 'B') await page.getByRole('radio', { name: /^Bruno/ }).check()
    await expect(page.getByTestId('speech-length')).toContainText('It’s generated in 3 parts')
    await page.getByLabel('Play while generating').uncheck()
    await page.getByRole('button', { name: 'Generate speech' }).click()
    const card = page.getByRole('article').first()
    await expect(card).toContainText('Done')
    await expect
      .poll(() => card.locator('audio').evaluate((element: HTMLAudioElement) => element.duration))
      .toBeGreaterThan(60)
    const download = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Save' }).click()
    expect((await readFile(await (await download).path())).subarray(0, 4).toString('latin1')).toBe('RIFF')
    expect(
      window.world.sandbox
        .received()
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/audio/speech')),
    ).toHaveLength(3)
  })

  test(`a transcript in Revision ${revision}: written down with its times, in step, edited and kept over a reload`, async ({
    page,
  }) => {
    await using window = await startWorldWindow(revision, 'balance')
    await window.open(page, '#/studio/transcription')
    await page.getByTestId('file-input').setInputFiles({
      name: 'talk.wav',
      mimeType: 'audio/wav',
      buffer: writeWave(new Float32Array(16_000 * 12), SPEECH_TEXT),
    })
    await expect(page.getByTestId('recording-length')).toHaveText('Length: 12 s')
    await page.getByLabel('Format', { exact: true }).selectOption('srt')
    await page.getByRole('button', { name: 'Transcribe' }).click()
    const card = page.getByRole('article', { name: 'talk.wav' })
    await expect(card).toContainText('Done')
    await expect(page.getByRole('slider', { name: 'Position in the recording' })).toBeVisible()
    await card.getByRole('button', { name: 'Play from 0:03' }).click()
    await expect(page.locator('[aria-current="true"]')).toContainText('The second one, which is longer.')
    await card.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text at 0:00').fill('A better sentence.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(card.getByText('A better sentence.')).toBeVisible()
    await page.reload()
    await card.getByRole('button', { name: 'Show transcript' }).click()
    await expect(card.getByText('A better sentence.')).toBeVisible()
  })
}

test('wrong files reach neither the core’s shelf nor the service', async ({ page }) => {
  await using window = await startWorldWindow('B', 'balance')
  await window.open(page, '#/studio/transcription')
  for (const [buffer, alertText] of [
    [Buffer.from('these are words'), 'regardless of its name'],
    [Buffer.alloc(0), 'The file is empty'],
    [Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(26_000_000)]), 'larger than 25 MB'],
  ] as const) {
    await page.getByTestId('file-input').setInputFiles({ name: 'file.mp3', mimeType: 'audio/mpeg', buffer })
    await expect(page.getByRole('alert')).toContainText(alertText)
    await expect(page.getByRole('button', { name: 'Transcribe' })).toBeDisabled()
  }
  expect(window.world.sandbox.received().filter(({ path }) => path.endsWith('/transcriptions'))).toEqual([])
})
