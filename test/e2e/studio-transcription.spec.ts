import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import type { MockServer } from './mock-server.ts'
import { showTranscript, someTranscripts, sound } from './screens/studio-media-screens.ts'
import { expect, test } from './window-test.ts'

test.use({
  permissions: ['microphone'],
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--autoplay-policy=no-user-gesture-required',
      ],
    }),
})

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByTestId('file-input').setInputFiles({ name, mimeType: 'audio/mpeg', buffer })
const starts = ({ calls }: MockServer) =>
  calls.filter(({ path }) => path === 'studio.start').map(({ input }) => input)
const uploads = ({ calls }: MockServer) => calls.filter(({ path }) => path === 'studio.upload.begin').length
const send = (page: Page) => page.getByRole('button', { name: 'Transcribe' })

test('a recording is transcribed in the selected format, priced by its length, and named after its file', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.becomes = 'held'
  await open('#/studio/transcription')
  await expect(page.getByText('Visible').first()).toBeVisible()
  await choose(page, 'talk.wav', sound('A word. '.repeat(20)))
  await expect(page.getByTestId('recording-length')).toHaveText(/^Length: \d+ s$/)
  await page.getByLabel('Format', { exact: true }).selectOption('srt')
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Model', { exact: true }).selectOption('ear-3')
  await page.getByLabel('Expected names and words').fill('Quellgasse')
  await expect(page.getByTestId('price')).toContainText('Costs')
  expect(await axeFaults(page)).toEqual([])
  expect(starts(mock)).toEqual([])
  await send(page).press('Enter')
  await expect(page.getByRole('article', { name: 'talk.wav' })).toContainText('Sent to service')
  expect(starts(mock)).toEqual([
    {
      pay: 'balance',
      ask: {
        kind: 'transcription',
        format: 'srt',
        language: 'de',
        model: 'ear-3',
        prompt: 'Quellgasse',
        file: { uploadId: expect.any(String) },
        seconds: expect.any(Number),
      },
    },
  ])
  // The same file can be transcribed in another format, without another upload.
  await page.getByLabel('Format', { exact: true }).selectOption('verbose_json')
  await send(page).click()
  await expect.poll(() => starts(mock).length).toBe(2)
  expect(starts(mock)[1]).toMatchObject({ ask: { file: { jobId: expect.any(String), index: 10_000 } } })
  expect(uploads(mock)).toBe(1)
})

test('the upload progress of a recording is shown, and then the duration of the work', async ({
  window: { open, page, mock },
}) => {
  const { studio } = mock.state
  studio.becomes = 'held'
  await open('#/studio/transcription')
  await choose(page, 'talk.wav', sound('A word. '.repeat(20)))
  await send(page).click()
  const card = page.getByRole('article', { name: 'talk.wav' })
  await expect(card).toContainText('Sent to service')
  const [going] = studio.jobs
  studio.put({ ...going!, onItsWay: { sent: 5 * 1024 * 1024, of: 20 * 1024 * 1024 } })
  await expect(card).toContainText('5.2 MB of 21.0 MB sent')
  await expect(card.getByRole('progressbar', { name: 'Sending' })).toHaveJSProperty('position', 0.25)
  // The same recording can be sent again, once its price is known again.
  await expect(send(page)).toBeEnabled()
  expect(await axeFaults(page)).toEqual([])
  studio.put({ ...going!, onItsWay: { sent: 20 * 1024 * 1024, of: 20 * 1024 * 1024 } })
  await expect(card).not.toContainText('sent ·')
  await expect(card.getByRole('progressbar', { name: 'Sent to service' })).toBeVisible()
})

for (const [name, bytes, code, alertText] of [
  [
    'a text called .mp3',
    Buffer.from('these are words'),
    'studio/audio-type',
    'Choose an MP3, MP4, M4A, WAV, or WebM file',
  ],
  ['nothing', Buffer.alloc(0), 'studio/file-empty', 'The file is empty.'],
  [
    '26 MB of WebM',
    Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(26_000_000)]),
    'studio/audio-too-large',
    'lower its quality or trim it',
  ],
] as const) {
  test(`${name}: the view shows what to do before anything is uploaded`, async ({
    window: { open, page, mock },
  }) => {
    await open('#/studio/transcription')
    await choose(page, 'file.mp3', bytes)
    await expect(page.getByRole('alert')).toContainText(alertText)
    await expect(page.getByRole('alert')).toContainText(code)
    await expect(send(page)).toBeDisabled()
    expect([uploads(mock), starts(mock).length]).toEqual([0, 0])
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('button', { name: 'Choose file…' })).toBeVisible()
  })
}

test('a WAV file of 26 MB is sent in pieces if the user chooses this', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.becomes = 'held'
  await open('#/studio/transcription')
  await choose(page, 'long.wav', Buffer.concat([sound('Long.'), Buffer.alloc(26_000_000)]))
  await expect(page.getByText('The recording is larger than 25 MB')).toBeVisible()
  await expect(send(page)).toBeDisabled()
  await page.getByLabel('Send in parts').check()
  await expect(page.getByTestId('price')).toContainText('Costs')
  await send(page).click()
  await expect.poll(() => starts(mock).length).toBe(1)
  expect(starts(mock)[0]).toMatchObject({ ask: { split: true } })
})

test('the microphone is requested with its reason; the recording can be played, remains after a change of tab, and is sent', async ({
  window: { open, page, mock },
}) => {
  mock.state.studio.becomes = 'held'
  await page.addInitScript(
    'navigator.permissions.query = () => Promise.resolve({ state: window.allowed ? "granted" : "prompt" })',
  )
  await open('#/studio/transcription')
  await page.getByRole('button', { name: 'Record…' }).click()
  const panel = page.getByRole('group', { name: 'Record', exact: true })
  await expect(panel).toContainText('You’ll be asked for microphone access next')
  await panel.getByRole('button', { name: 'Start recording' }).press('Enter')
  await expect(panel.getByRole('timer')).toHaveText(/0:0[1-9]/)
  expect(await axeFaults(page)).toEqual([])
  await panel.getByRole('button', { name: 'Stop recording' }).press('Enter')
  await expect(page.getByTestId('recording-length')).toBeVisible()
  await expect(page.getByLabel('Play recording')).toBeVisible()
  expect(starts(mock)).toEqual([])
  await page.getByRole('tab', { name: 'Video' }).click()
  await page.getByRole('tab', { name: 'Transcription' }).click()
  await expect(page.getByTestId('recording-length')).toBeVisible()
  await expect(page.getByTestId('price')).toContainText('Costs')
  await send(page).click()
  await expect(page.getByRole('article', { name: 'recording.webm' })).toBeVisible()
  // The reason is no longer shown after permission is granted.
  await page.evaluate('window.allowed = true')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Record…' }).click()
  await expect(panel.getByRole('timer')).toBeVisible()
  await panel.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('button', { name: 'Record…' })).toBeVisible()
})

test('text and sound are synchronized: a click on a line or on the waveform and the arrow keys seek to that time', async ({
  window: { open, page, mock },
}) => {
  someTranscripts(mock)
  await open('#/studio/transcription')
  await showTranscript(page)
  const audio = page.getByLabel('Play The fox.wav')
  const at = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
  await page.getByRole('button', { name: 'Play from 0:04' }).click()
  await expect.poll(at).toBeGreaterThanOrEqual(4)
  await expect(page.locator('[aria-current="true"]')).toContainText(
    /Where does it go|We do not know|It is gone/,
  )
  await audio.evaluate((element: HTMLAudioElement) => element.pause())
  const slider = page.getByRole('slider', { name: 'Position in the recording' })
  await slider.focus()
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuenow', '0')
  await slider.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', /^0:05 of 0:0?\d+/)
  await expect(page.locator('[aria-current="true"]')).toContainText('Where does it go')
  await slider.click({ position: { x: 4, y: 20 } })
  await expect(page.locator('[aria-current="true"]')).toContainText('The fox crosses the field.')
  await expect(page.getByText(/^\d+ s of audio, /)).toBeVisible()
  const drawn = await page.locator('canvas').evaluate((canvas: HTMLCanvasElement) =>
    canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.some((value) => value > 0),
  )
  expect(drawn).toBe(true)
})

test('lines are corrected and saved, and every format is saved with the corrections', async ({
  window: { open, page, mock },
}) => {
  someTranscripts(mock)
  await open('#/studio/transcription')
  await showTranscript(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Text at 0:02').fill('Somebody sees it!')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Somebody sees it!')).toBeVisible()
  expect(mock.calls.findLast(({ path }) => path === 'studio.edit')?.input).toMatchObject({
    jobId: 'heard',
    text: expect.stringMatching(/^The fox crosses the field\.\nSomebody sees it!\n/),
  })
  const saved = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name, exact: true }).click()
    expect((await download).suggestedFilename()).toMatch(
      name === 'Original response' ? /\.json$/ : /^The fox\.(?:txt|srt|vtt|json)$/,
    )
    return readFile(await (await download).path(), 'utf8')
  }
  expect(await saved('SRT')).toContain('2\n00:00:02,000 --> 00:00:04,000\nSomebody sees it!\n')
  expect(await saved('VTT')).toContain('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n')
  expect(await saved('Text')).toContain('Somebody sees it!')
  expect(JSON.parse(await saved('JSON'))).toMatchObject({
    language: 'en',
    segments: [{}, { text: 'Somebody sees it!' }, {}, {}, {}],
  })
  expect(await saved('Original response')).toContain('Nobody sees it!')
  await page.getByRole('button', { name: 'Restore original' }).click()
  await expect(page.getByText('Nobody sees it!')).toBeVisible()
})

test('a transcript without times is shown whole, can be edited, and offers no subtitles', async ({
  window: { open, page, mock },
}) => {
  someTranscripts(mock)
  mock.state.studio.transcript = () => ({ text: 'All of it at once.' })
  await open('#/studio/transcription')
  await page
    .getByRole('article', { name: 'The fox.wav' })
    .getByRole('button', { name: 'Show transcript' })
    .click()
  await expect(page.getByRole('region', { name: 'Text', exact: true })).toHaveText('All of it at once.')
  await expect(page.getByText('This format has no timestamps')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SRT' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('All of it, and more.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Text', exact: true })).toHaveText('All of it, and more.')
})
