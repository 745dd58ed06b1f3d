import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { conversation, models } from './mock-data.ts'
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

const plaintextModel = models.find(({ private: sealed }) => !sealed)?.id ?? ''
const panelOf = (page: Page) => page.getByRole('region', { name: 'Dictate' })
const readerOf = (page: Page) => page.getByRole('region', { name: 'Read aloud' })

test.beforeEach(({ window: { mock } }) => {
  mock.state.conversations = [
    conversation(
      'open',
      'In the open',
      Date.now(),
      [['Say it.', '# It\n\nThe answer is **long**. It has `code`.\n\n```js\nalert(1)\n```\n']],
      { private: false, model: plaintextModel },
    ),
    conversation('kept', 'Between us', Date.now() - 1000, [['Say it.', 'It is a secret.']]),
  ]
  for (const {
    conversation: { id },
    messages,
  } of mock.state.conversations)
    if (id === 'open')
      for (const message of messages)
        if (message.role === 'assistant')
          Object.assign(message, { model: plaintextModel, privacy: 'forwarded' })
})

test('dictation shows its reason and price first, inserts the text at the cursor, and then shows the cost', async ({
  window: { page, open, mock, composer },
}) => {
  await open('/chat/open')
  await composer.fill('Before after')
  await composer.press('Home')
  for (const _ of 'Before') await composer.press('ArrowRight')
  await page.getByRole('button', { name: 'Dictate' }).click()
  const panel = panelOf(page)
  await expect(panel).toContainText('can hear it')
  await expect(panel).toContainText('0.43¢ to 0.64¢ per minute')
  await expect(panel.getByText('Visible')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Start recording' })).toBeFocused()
  expect(await axeFaults(page)).toEqual([])
  await panel.getByLabel('Transcription model').selectOption('Ear 3')
  await expect(panel).toContainText('0.64¢ per minute')
  expect(mock.state.voice.recordings).toEqual([])
  await panel.getByRole('button', { name: 'Start recording' }).press('Enter')

  await expect(panel.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await expect.poll(() => panel.getByRole('meter').getAttribute('value').then(Number)).toBeGreaterThan(0)
  await expect(panel).toContainText(/about 0\.\d+¢/)
  expect(await axeFaults(page)).toEqual([])
  await panel.getByRole('button', { name: 'Stop and transcribe' }).press('Enter')
  await expect(composer).toHaveValue('Before said by the microphone after')
  await expect(panel).toContainText(
    'The service didn’t report the cost. Estimate from its price list: <$0.01.',
  )
  const [recording] = mock.state.voice.recordings
  expect(recording).toMatchObject({
    type: expect.stringContaining('audio/webm'),
    model: 'ear-3',
    consentId: undefined,
  })
  expect(recording?.durationMs).toBeGreaterThan(900)
  await panel.getByRole('button', { name: 'Close' }).press('Enter')
  await expect(composer).toBeFocused()
  // Nothing was sent, and the microphone is off.
  await expect(panel).toBeHidden()
})

test('a canceled recording leaves nothing; a failed one is saved and can be transcribed again', async ({
  window: { page, open, mock, composer },
}) => {
  await open('/chat/open')
  await page.getByRole('button', { name: 'Dictate' }).click()
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Start recording' }).click()
  await expect(panel.getByRole('timer')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  expect(mock.state.voice.recordings).toEqual([])

  mock.state.failures['voice.transcribe'] = {
    code: 'service/unreachable',
    says: 'The service does not answer.',
    remedy: 'Try again.',
  }
  await page.getByRole('button', { name: 'Dictate' }).click()
  await panel.getByRole('button', { name: 'Start recording' }).click()
  await expect(panel.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await panel.getByRole('button', { name: 'Stop and transcribe' }).click()
  await expect(panel.getByRole('alert')).toContainText('The service does not answer.')
  await expect(panel).toContainText('The recording stays here until you decide.')
  mock.state.failures = {}
  let go: () => void = () => undefined
  mock.state.voice.before = () => new Promise<void>((resolve) => (go = resolve))
  await panel.getByRole('button', { name: 'Transcribe' }).click()
  await panel.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(panel.getByRole('alert')).toContainText('The request was stopped.')
  await panel.getByRole('button', { name: 'Transcribe' }).click()
  await expect.poll(() => mock.state.voice.recordings.length).toBe(2)
  go()
  await expect(composer).toHaveValue('said by the microphone')
})

test('Escape while the speech is transcribed stops that, and the recording stays until it is discarded', async ({
  window: { page, open, mock, composer },
}) => {
  await open('/chat/open')
  await page.getByRole('button', { name: 'Dictate' }).click()
  const panel = panelOf(page)
  let go: () => void = () => undefined
  mock.state.voice.before = () => new Promise<void>((resolve) => (go = resolve))
  await panel.getByRole('button', { name: 'Start recording' }).click()
  await expect(panel.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await panel.getByRole('button', { name: 'Stop and transcribe' }).click()
  await expect.poll(() => mock.state.voice.recordings.length).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => mock.state.voice.stopped.length).toBe(1)
  await expect(panel.getByRole('alert')).toContainText('The request was stopped.')
  go()
  await expect(panel).toContainText('The recording stays here until you decide.')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(composer).toHaveValue('')
})

test('in a private chat nothing is sent to the service before the user allows it', async ({
  window: { page, open, mock, composer },
}) => {
  await open('/chat/kept')
  await expect(page.getByRole('heading', { name: 'Between us' })).toBeVisible()
  await page.getByRole('button', { name: 'Dictate' }).click()
  const panel = panelOf(page)
  await expect(panel).toContainText('You’re asked before it’s sent')
  await panel.getByRole('button', { name: 'Start recording' }).click()
  await expect(panel.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await panel.getByRole('button', { name: 'Stop and transcribe' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('The audio you record now')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(panel).toContainText('The recording stays here until you decide.')
  expect(mock.state.voice.recordings).toEqual([])
  await panel.getByRole('button', { name: 'Transcribe' }).click()
  await question.getByRole('button', { name: 'Allow once' }).click()
  await expect(composer).toHaveValue('said by the microphone')
  expect(mock.state.voice.recordings[0]?.consentId).toMatch(/^consent/)
})

for (const [name, trouble, alertText] of [
  ['NotAllowedError', 'refused', 'Microphone access was denied.'],
  ['NotFoundError', 'missing', 'No microphone found.'],
  ['NotReadableError', 'busy', 'The microphone isn’t responding'],
] as const) {
  test(`a microphone that is ${trouble} shows an error with instructions`, async ({
    window: { page, open },
  }) => {
    await page.addInitScript(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'))`,
    )
    await open('/chat/open')
    await page.getByRole('button', { name: 'Dictate' }).click()
    await panelOf(page).getByRole('button', { name: 'Start recording' }).click()
    await expect(panelOf(page).getByRole('alert')).toContainText(alertText)
    await expect(panelOf(page).getByRole('button', { name: 'Start recording' })).toBeVisible()
  })
}

test('a reply is read aloud for the shown price, without its code, and can be paused and stopped', async ({
  window: { page, open, mock },
}) => {
  // Long enough to inspect while it plays.
  mock.state.voice.silence = 100
  await open('/chat/open')
  await page.getByRole('button', { name: 'Read aloud' }).click()
  const reader = readerOf(page)
  // The focus is in the panel at once, although the price is still loading. Escape closes the panel again.
  await expect(reader.getByRole('button', { name: 'Read aloud' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(reader).toHaveCount(0)
  await page.getByRole('button', { name: 'Read aloud' }).press('Enter')
  await expect(reader).toContainText('which can read it')
  await expect(reader).toContainText('37 characters: <$0.01')
  expect(await axeFaults(page)).toEqual([])
  expect(mock.state.voice.spoken).toEqual([])
  await reader.getByLabel('Include code').check()
  await expect(reader).toContainText('47 characters')
  await reader.getByLabel('Include code').uncheck()
  await reader.getByLabel('Voice').selectOption('Ada (en)')
  await expect(reader).toContainText('37 characters')
  // The button waits for the price with this voice.
  const begin = reader.getByRole('button', { name: 'Read aloud' })
  await expect(begin).toBeEnabled()
  await begin.press('Enter')
  await expect(reader).toContainText('Reading part 1 of 1')
  expect(await axeFaults(page)).toEqual([])
  await reader.getByRole('button', { name: 'Pause' }).press('Enter')
  await expect(reader).toContainText('Paused at part 1 of 1')
  await reader.getByRole('button', { name: 'Resume' }).press('Enter')
  await expect(reader).toContainText('Reading part 1 of 1')
  await reader.getByRole('button', { name: 'Stop' }).press('Enter')
  await expect(reader).toContainText('Cost: 0.117105¢.')
  await expect(reader.getByRole('button', { name: 'Read again' })).toBeVisible()
  expect(mock.state.voice.spoken).toEqual([
    { text: 'It.\n\nThe answer is long. It has code.', voice: 'ada', consentId: undefined },
  ])
  await reader.getByRole('button', { name: 'Open receipt' }).click()
  await expect(page.getByRole('dialog')).toContainText('$0.00117105')
  await page.keyboard.press('Escape')
  await reader.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Read aloud' })).toBeFocused()
})

test('a long reply is loaded in pieces, and no piece is paid for after Stop', async ({
  window: { page, open, mock },
}) => {
  const [first] = mock.state.conversations
  Object.assign(first?.messages.at(-1) ?? {}, { text: 'This is a sentence of the long answer. '.repeat(60) })
  await open('/chat/open')
  await page.getByRole('button', { name: 'Read aloud' }).click()
  const reader = readerOf(page)
  await reader.getByRole('button', { name: 'Read aloud' }).click()
  await expect(reader).toContainText(/Reading part 1 of [3-9]/)
  // One piece plays while the next loads.
  await expect.poll(() => mock.state.voice.spoken.length).toBe(2)
  await reader.getByRole('button', { name: 'Stop' }).click()
  await expect(reader).toContainText(/Cost:/)
  // The server notices the closed connection later than the window reports the stop.
  await expect.poll(() => mock.state.voice.stopped.length).toBe(1)
  expect(mock.state.voice.spoken).toHaveLength(2)
})

test('reading a private chat aloud first shows what will be sent', async ({
  window: { page, open, mock },
}) => {
  await open('/chat/kept')
  await page.getByRole('button', { name: 'Read aloud' }).click()
  const reader = readerOf(page)
  await expect(reader).toContainText('You see what would be sent and decide')
  await reader.getByRole('button', { name: 'Read aloud' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('It is a secret.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(mock.state.voice.spoken).toEqual([])
  await reader.getByRole('button', { name: 'Read aloud' }).click()
  await question.getByRole('button', { name: 'Allow once' }).click()
  await expect(reader).toContainText(/Cost:/)
  expect(mock.state.voice.spoken[0]?.consentId).toMatch(/^consent/)
})
