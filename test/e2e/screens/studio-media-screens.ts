import { expect, type Page } from '@playwright/test'
import { hum, writeWave } from '../../../src/sandbox/audio/wave.ts'
import { renderVideo } from '../../../src/sandbox/video/render.ts'
import type { Job, JobFile } from '../../../src/shared/job.ts'
import { usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { job } from '../mock-studio.ts'
import type { ScreenGroup } from './screen.ts'

/** Sound of a text, hummed. */
export const sound = (text: string): Buffer => writeWave(hum(text, 220), text)
export const clip = (seconds: number): Buffer =>
  renderVideo({ kind: 'video', seconds, picture: { width: 854, height: 480 } })!.bytes

/** A file of a job, with its bytes. */
export function putFile(
  { state }: MockServer,
  jobId: string,
  file: Omit<JobFile, 'bytes'>,
  bytes: Buffer,
): JobFile {
  const stored = { ...file, bytes: bytes.length }
  state.studio.files.set(`${jobId}/${String(file.index)}`, { file: stored, bytes })
  return stored
}

function put(mock: MockServer, id: string, part: Partial<Omit<Job, 'may'>>): void {
  mock.state.studio.jobs = [...mock.state.studio.jobs, job(id, part)]
}

const now = Date.now()
const transcript =
  'The fox crosses the field. Nobody sees it! Where does it go, and what is it looking for in the snow? We do not know. It is gone.'
const sentences = transcript.match(/[^.!?]+[.!?]/g) ?? []
const segments = sentences.map((text, at) => ({ start: at * 2, end: at * 2 + 2, text: text.trim() }))

export const videoAsk = {
  kind: 'video',
  model: 'sandbox/carousel-video',
  prompt: 'A fox crossing a snowy field at dawn, wide shot',
  duration: '5',
  aspectRatio: '16:9',
  quality: '720p',
} as const

export function someClips(mock: MockServer): void {
  mock.state.studio.jobs = []
  put(mock, 'going', {
    at: now - 95_000,
    sentAt: now - 95_000,
    state: 'working',
    ask: { ...videoAsk, prompt: 'Waves, slowly' },
    estimate: { least: usd(0.25), most: usd(0.25) },
  })
  put(mock, 'clip', {
    at: now - 400_000,
    ask: videoAsk,
    cost: usd(0.25),
    files: [putFile(mock, 'clip', { index: 1, role: 'made', name: 'a-fox.mp4', type: 'video/mp4' }, clip(5))],
  })
  put(mock, 'failed', {
    at: now - 500_000,
    state: 'failed',
    ask: { ...videoAsk, prompt: 'What it refuses' },
    failure: failure('studio/video-failed', {
      detail: [{ english: 'The service’s message: “content policy”.' }],
    }),
  })
}

export function someSpeech(mock: MockServer): void {
  mock.state.voice.prices = {
    ...mock.state.voice.prices,
    voices: [
      { id: 'ada', name: 'Ada', modelId: 'deepgram_aura_2', language: 'en', provider: 'first' },
      { id: 'bruno', name: 'Bruno', modelId: 'deepgram_aura_2', language: 'en', provider: 'first' },
      { id: 'xDolce', name: 'Dolce', modelId: 'mouth', language: 'it', provider: 'second' },
      { id: 'xGrave', name: 'Grave', modelId: 'mouth', language: 'de', provider: 'second' },
    ],
  }
  mock.state.studio.jobs = []
  put(mock, 'speaking', {
    at: now - 9000,
    sentAt: now - 9000,
    state: 'sending',
    ask: { kind: 'speech', text: transcript.repeat(30), voice: 'ada' },
    parts: { of: 4, done: 1 },
    files: [
      putFile(
        mock,
        'speaking',
        { index: 100, role: 'part', name: 'part-1.wav', type: 'audio/wav' },
        sound(transcript),
      ),
    ],
  })
  put(mock, 'spoken', {
    at: now - 90_000,
    ask: { kind: 'speech', text: transcript, voice: 'xDolce' },
    cost: usd(0.0042),
    files: [
      putFile(
        mock,
        'spoken',
        { index: 1, role: 'made', name: 'the-fox.wav', type: 'audio/wav' },
        sound(transcript),
      ),
    ],
  })
  put(mock, 'broken', {
    at: now - 100_000,
    state: 'failed',
    ask: { kind: 'speech', text: 'Once more.' },
    failure: failure('service/rate-limited'),
  })
}

export function someTranscripts(mock: MockServer): void {
  const putInput = (id: string) =>
    putFile(
      mock,
      id,
      { index: 10_000, role: 'given', name: 'audio.wav', type: 'audio/wav', seconds: 10 },
      sound(transcript),
    )
  mock.state.studio.transcript = () => ({ text: transcript, language: 'en', seconds: 10, segments })
  mock.state.studio.jobs = []
  put(mock, 'hearing', {
    at: now - 5000,
    sentAt: now - 5000,
    state: 'sending',
    title: 'meeting.wav',
    ask: { kind: 'transcription', format: 'verbose_json', file: { file: 10_000 } },
    parts: { of: 2, done: 1 },
    files: [putInput('hearing')],
  })
  put(mock, 'heard', {
    at: now - 60_000,
    title: 'The fox.wav',
    ask: { kind: 'transcription', format: 'verbose_json', language: 'en', file: { file: 10_000 } },
    cost: usd(0.0011),
    files: [
      putInput('heard'),
      putFile(
        mock,
        'heard',
        { index: 1, role: 'made', name: 'the-fox.json', type: 'application/json' },
        Buffer.from(JSON.stringify({ text: transcript })),
      ),
    ],
  })
  put(mock, 'unheard', {
    at: now - 70_000,
    state: 'unknown',
    title: 'lecture.wav',
    ask: { kind: 'transcription', format: 'text', file: { file: 10_000 } },
    failure: failure('studio/outcome-unknown'),
    files: [putInput('unheard')],
  })
}

const priced = (page: Page) => expect(page.getByTestId('price')).toContainText('Costs')

export async function showTranscript(page: Page): Promise<void> {
  await page
    .getByRole('article', { name: 'The fox.wav' })
    .getByRole('button', { name: 'Show transcript' })
    .click()
  await expect(page.getByRole('slider', { name: 'Position in the recording' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play from 0:02' })).toBeVisible()
}

export const mediaScreens: ScreenGroup = {
  name: 'Clips, speech and transcripts',
  place: '#/studio/video',
  shown: (page) => expect(page.getByRole('tablist', { name: 'Studio sections' })).toBeVisible(),
  screens: [
    { name: 'video, none yet', act: (page) => expect(page.getByText('No videos yet')).toBeVisible() },
    {
      name: 'video, clips in every state',
      set: someClips,
      act: async (page) => {
        await page.getByLabel('Model', { exact: true }).selectOption('sandbox/carousel-video')
        await page.getByLabel('Prompt').fill(videoAsk.prompt)
        await priced(page)
        await expect(page.getByRole('article')).toHaveCount(3)
      },
    },
    {
      name: 'video, the listing fails',
      set: ({ state }) => {
        state.failures['studio.models'] = failure('service/unavailable')
      },
      act: (page) => expect(page.getByRole('alert')).toBeVisible(),
    },
    {
      name: 'speech, none yet',
      place: '#/studio/speech',
      act: (page) => expect(page.getByRole('radio', { name: /^Ada/ })).toBeVisible(),
    },
    {
      name: 'speech, a long text, and what was spoken',
      place: '#/studio/speech',
      set: someSpeech,
      act: async (page) => {
        await page.getByLabel('Text', { exact: true }).fill(transcript.repeat(30))
        await page.getByRole('radio', { name: /^Dolce/ }).check()
        await expect(page.getByRole('button', { name: 'Play sample' })).toBeVisible()
        await expect(page.getByTestId('price').last()).toContainText('Costs')
        await expect(page.getByTestId('speech-length')).toContainText('parts')
      },
    },
    {
      name: 'speech, the voices fail',
      place: '#/studio/speech',
      set: ({ state }) => {
        state.failures['voice.prices'] = failure('service/unavailable')
      },
      act: (page) => expect(page.getByRole('alert')).toBeVisible(),
    },
    {
      name: 'transcription, none yet',
      place: '#/studio/transcription',
      act: (page) => expect(page.getByText('No transcripts yet')).toBeVisible(),
    },
    {
      name: 'transcription, a text open',
      place: '#/studio/transcription',
      set: someTranscripts,
      act: showTranscript,
    },
    {
      name: 'transcription, a text being edited',
      place: '#/studio/transcription',
      set: someTranscripts,
      act: async (page) => {
        await showTranscript(page)
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        await expect(page.getByLabel('Text at 0:02')).toBeVisible()
      },
    },
    {
      name: 'transcription, a text called mp3',
      place: '#/studio/transcription',
      act: async (page) => {
        await page.getByTestId('file-input').setInputFiles({
          name: 'words.mp3',
          mimeType: 'audio/mpeg',
          buffer: Buffer.from('these are words'),
        })
        await expect(page.getByRole('alert')).toContainText('studio/audio-type')
      },
    },
    {
      name: 'transcription, a recording that is too large',
      place: '#/studio/transcription',
      act: async (page) => {
        await page.getByTestId('file-input').setInputFiles({
          name: 'long.wav',
          mimeType: 'audio/wav',
          buffer: Buffer.concat([sound('Long.'), Buffer.alloc(26_000_000)]),
        })
        await expect(page.getByLabel('Send in parts')).toBeVisible()
      },
    },
    {
      name: 'transcription, no microphone',
      place: '#/studio/transcription',
      act: async (page) => {
        await page.evaluate(
          'navigator.permissions.query = () => Promise.resolve({ state: "prompt" }); navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))',
        )
        await page.getByRole('button', { name: 'Record…' }).click()
        await page.getByRole('button', { name: 'Start recording' }).click()
        await expect(page.getByText('No microphone found.')).toBeVisible()
      },
    },
  ],
}
