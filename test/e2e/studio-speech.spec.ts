import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Job } from '../../src/shared/job.ts'
import { speechPieces } from '../../src/shared/speech-pieces.ts'
import { axeFaults } from './axe.ts'
import type { MockServer } from './mock-server.ts'
import { putFile, someSpeech, sound } from './screens/studio-media-screens.ts'
import { expect, test } from './window-test.ts'

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--autoplay-policy=no-user-gesture-required'],
    }),
})

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const starts = ({ calls }: MockServer) =>
  calls.filter(({ path }) => path === 'studio.start').map(({ input }) => input)

function begunJob({ state }: MockServer): Job {
  const [begun] = state.studio.jobs
  if (!begun) throw new Error('Nothing was begun.')
  return begun
}

test.beforeEach(({ window: { mock } }) => {
  someSpeech(mock)
  mock.state.studio.jobs = []
  mock.state.studio.becomes = 'held'
})

test('voices are filtered by language and text, and each shows its family and language', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/speech')
  const voices = page.getByRole('radiogroup', { name: 'Voices' }).getByRole('radio')
  await expect(voices).toHaveCount(5)
  await expect(page.locator('[data-voice="xDolce"]')).toContainText('Italian')
  await expect(page.locator('[data-voice="xDolce"]')).toContainText('Family: second')
  await expect(page.locator('[data-voice="xDolce"]')).toContainText('5,000 characters per request')
  await expect(page.locator('[data-voice="ada"]')).toContainText('2,000 characters per request')
  await page.getByLabel('Language').selectOption('German')
  await expect(voices).toHaveCount(2)
  await page.getByLabel('Language').selectOption('All languages')
  await page.getByLabel('Search voices').fill('second dol')
  await expect(voices).toHaveCount(2)
  await page.getByLabel('Search voices').fill('nobody')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.getByLabel('Search voices').fill('')
  // With only the keyboard.
  await page.getByRole('radio', { name: 'Service default' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /^Ada/ })).toBeChecked()
  expect(starts(mock)).toEqual([])
})

test('characters are counted while typing, with the number of pieces', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/speech')
  const length = page.getByTestId('speech-length')
  await text(page).pressSequentially('Hi 🦊')
  // Counts code points, like the providers.
  await expect(length).toHaveText('4 characters.')
  await page.getByRole('radio', { name: /^Grave/ }).check()
  const long = 'The otter swims along the river and looks for a fish. '.repeat(120)
  await text(page).fill(long)
  await expect(length).toContainText(
    `It’s generated in ${String(speechPieces(long).length)} parts and joined into one file.`,
  )
  await expect(page.getByTestId('price').first()).toContainText('Costs')
  await text(page).fill('x'.repeat(200_001))
  await expect(page.getByText('The limit is 200,000 characters per job')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate speech' })).toBeDisabled()
  expect(starts(mock)).toEqual([])
})

test('speech plays in parts while the rest is generated, and continues as one file from the same position', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/speech')
  const speech = 'One. '.repeat(400)
  await text(page).fill(speech)
  await page.getByRole('radio', { name: /^Ada/ }).check()
  await expect(page.getByTestId('price').first()).toContainText('Costs')
  await page.getByRole('button', { name: 'Generate speech' }).click()
  await expect(page.getByRole('article')).toContainText('Sent to service')
  expect(starts(mock)).toEqual([
    { pay: 'balance', ask: { kind: 'speech', text: speech, voice: 'ada', model: 'deepgram_aura_2' } },
  ])
  const job = begunJob(mock)
  const part = (index: number, spoken: string) =>
    putFile(mock, job.id, { index, role: 'part', name: 'part.wav', type: 'audio/wav' }, sound(spoken))
  const first = part(100, 'One. '.repeat(4))
  mock.state.studio.put({ ...job, parts: { of: 2, done: 1 }, files: [first] })
  const audio = page.getByRole('article').locator('audio')
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(0)
  await expect(page.getByRole('article')).toContainText('Part 1 of 2')
  await expect(page.getByText('Generating the next part…')).toBeVisible()
  expect(await axeFaults(page)).toEqual([])

  const whole = putFile(
    mock,
    job.id,
    { index: 1, role: 'made', name: 'one.wav', type: 'audio/wav' },
    sound('One. '.repeat(12)),
  )
  const { duration: heard } = await audio.evaluate(({ duration }: HTMLAudioElement) => ({ duration }))
  mock.state.studio.put({
    ...job,
    state: 'done',
    parts: { of: 2, done: 2 },
    cost: '63300000',
    files: [whole],
  })
  await expect(page.getByRole('article').getByTestId('job-cost')).toContainText('Cost 0.00633¢')
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration))
    .toBeGreaterThan(heard + 1)
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThanOrEqual(heard)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await readFile(await (await download).path())).length).toBe(whole.bytes)
})

test('speech plays before the service has sent all of it, in order, and ends as one file', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/speech')
  // Silent frames of MPEG audio, 26 ms each.
  const frames = (count: number) =>
    Buffer.concat(
      Array.from({ length: count }, () =>
        Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc4]), Buffer.alloc(413)]),
      ),
    )
  const rest = Promise.withResolvers<undefined>()
  mock.state.studio.begun = ({ id }) =>
    mock.state.studio.streams.set(
      id,
      (async function* () {
        yield frames(60)
        await rest.promise
        yield frames(40)
      })(),
    )
  await text(page).fill('One. '.repeat(400))
  await expect(page.getByTestId('price').first()).toContainText('Costs')
  await page.getByRole('button', { name: 'Generate speech' }).click()
  const audio = page.getByRole('article').locator('audio')
  const heard = () =>
    audio.evaluate(({ currentTime, buffered }: HTMLAudioElement) => ({
      at: currentTime,
      of: buffered.length === 0 ? 0 : buffered.end(0),
      pieces: buffered.length,
    }))
  // None of the parts is a file yet.
  await expect.poll(async () => (await heard()).at).toBeGreaterThan(0)
  expect((await heard()).of).toBeLessThan(1.7)
  const job = begunJob(mock)
  expect(job.files).toEqual([])
  mock.state.studio.put({ ...job, parts: { of: 2, done: 1 } })
  await expect(page.getByRole('article')).toContainText('Playing while generating: 1 of 2 parts are ready.')
  expect(await axeFaults(page)).toEqual([])
  rest.resolve(undefined)
  // The second part plays after the first, without a gap.
  await expect.poll(async () => (await heard()).of).toBeGreaterThan(2.4)
  expect((await heard()).pieces).toBe(1)
  mock.state.studio.put({
    ...job,
    state: 'done',
    parts: { of: 2, done: 2 },
    files: [
      putFile(
        mock,
        job.id,
        { index: 1, role: 'made', name: 'one.wav', type: 'audio/wav' },
        sound('One. '.repeat(12)),
      ),
    ],
  })
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration)).toBeGreaterThan(4)
  expect(await audio.evaluate(({ paused, currentTime }: HTMLAudioElement) => [paused, currentTime])).toEqual([
    true,
    0,
  ])
})

test('interrupted playback continues from the saved parts', async ({ window: { open, page, mock } }) => {
  await open('#/studio/speech')
  mock.state.studio.begun = ({ id }) =>
    mock.state.studio.streams.set(
      id,
      (async function* () {
        yield await Promise.resolve(Buffer.from('this is no sound'.repeat(400)))
      })(),
    )
  await text(page).fill('One. '.repeat(400))
  await page.getByRole('button', { name: 'Generate speech' }).click()
  const job = await (async () => {
    await expect(page.getByRole('article')).toContainText('Sent to service')
    return begunJob(mock)
  })()
  mock.state.studio.put({
    ...job,
    parts: { of: 2, done: 1 },
    files: [
      putFile(
        mock,
        job.id,
        { index: 100, role: 'part', name: 'part.wav', type: 'audio/wav' },
        sound('One. '.repeat(4)),
      ),
    ],
  })
  const audio = page.getByRole('article').locator('audio')
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(0)
  await expect(page.getByRole('article')).toContainText('Part 1 of 2')
})

test('a sample shows its price, is generated once, and can be played again for free', async ({
  window: { open, page, mock },
}) => {
  await open('#/studio/speech')
  await page.getByRole('radio', { name: /^Dolce/ }).check()
  const sample = page.getByRole('group', { name: 'Sample of Dolce' })
  await expect(sample).toContainText('Buongiorno.')
  await expect(sample.getByTestId('price')).toContainText('Costs $0.015')
  await sample.getByRole('button', { name: 'Play sample' }).click()
  await expect(sample).toContainText('Sent to service')
  expect(starts(mock)).toEqual([
    {
      pay: 'balance',
      ask: { kind: 'speech', text: expect.stringContaining('Buongiorno'), voice: 'xDolce', model: 'mouth' },
    },
  ])
  const job = begunJob(mock)
  await expect.poll(() => begunJob(mock).title).toBe('Sample of Dolce')
  mock.state.studio.put({
    ...job,
    title: 'Sample of Dolce',
    state: 'done',
    files: [
      putFile(
        mock,
        job.id,
        { index: 1, role: 'made', name: 'sample.wav', type: 'audio/wav' },
        sound('Buongiorno.'),
      ),
    ],
  })
  await expect
    .poll(() => sample.locator('audio').evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(0)
  // In a new session.
  await page.reload()
  await page.getByRole('radio', { name: /^Dolce/ }).check()
  await expect(sample.locator('audio')).toBeVisible()
  await expect(sample.getByRole('button', { name: 'Play sample' })).toHaveCount(0)
  expect(starts(mock)).toHaveLength(1)
})

test('without a list of voices the user enters a voice ID', async ({ window: { open, page, mock } }) => {
  mock.state.voice.prices = { listening: [], speaking: [], voices: [] }
  await open('#/studio/speech')
  await text(page).fill('Hello.')
  await page.getByLabel('Voice ID').fill('thalia-en')
  await page.getByLabel('Model ID').fill('deepgram_aura_2')
  await page.getByRole('button', { name: 'Generate speech' }).click()
  await expect(page.getByRole('article')).toBeVisible()
  expect(starts(mock)).toEqual([
    { pay: 'balance', ask: { kind: 'speech', text: 'Hello.', voice: 'thalia-en', model: 'deepgram_aura_2' } },
  ])
})
