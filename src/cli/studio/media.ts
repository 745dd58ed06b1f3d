import { pricePerMillionCharacters } from '../../shared/audio-price.ts'
import { formatUsd } from '../../shared/format-money.ts'
import type { transcriptFormats } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { voiceModelJson } from '../json-amounts.ts'
import { print } from '../with-client.ts'
import { printSkippedEntries } from '../print-notices.ts'
import { unusable, asExtra, type Studio, atStudio } from './at-studio.ts'
import { givenImage, type ImageOptions, uploadShown } from './given-image.ts'
import { makeJob, type MakeOptions } from './make-job.ts'
import { readText } from './read-input.ts'
import { textAt } from './save-files.ts'
import { savedFiles } from './labels.ts'
import { terminalSafe, oneLine } from '../format.ts'

export interface ImageCommandOptions extends MakeOptions, ImageOptions {
  readonly model?: string
  readonly n?: number
  readonly size?: string
  readonly quality?: string
  readonly resolution?: string
  readonly negative?: string
  readonly format?: 'png' | 'jpeg' | 'webp'
  readonly seed?: number
  readonly editsForm: boolean
  readonly extra?: Record<string, unknown>
}

/** `sotto image`. Returns the exit code. */
export function makeImage(prompt: string, options: ImageCommandOptions): Promise<number> {
  const { model, n, size, quality, resolution, negative, format, seed, editsForm, extra } = options
  return makeJob(options, {
    kinds: ['image'],
    ...(n !== undefined && { count: n }),
    ask: async (studio) => ({
      kind: 'image',
      model: requireModel(model, 'image'),
      ...(prompt !== '' && { prompt }),
      ...(n !== undefined && { n }),
      ...(size !== undefined && { size }),
      ...(quality !== undefined && { quality }),
      ...(resolution !== undefined && { resolution }),
      ...(negative !== undefined && { negativePrompt: negative }),
      ...(format !== undefined && { outputFormat: format }),
      ...(seed !== undefined && { seed }),
      ...(editsForm && { form: true }),
      ...asExtra(extra),
      ...(await givenImage(studio, options)),
    }),
  })
}

/** Models differ in price, so there is no default. Throws CommandFailure `request/invalid`. */
export function requireModel(model: string | undefined, command: 'image' | 'video' | 'embed'): string {
  if (model === undefined)
    throw unusable(
      'The model is missing.',
      `Name one with --model. To list models with prices, run "sotto ${command} --models".`,
    )
  return model
}

export interface VideoCommandOptions extends MakeOptions, ImageOptions {
  readonly model?: string
  readonly aspectRatio?: string
  readonly duration?: number
  readonly quality?: string
  readonly extra?: Record<string, unknown>
}

/** `sotto video`. Returns the exit code. */
export function makeVideo(prompt: string, options: VideoCommandOptions): Promise<number> {
  const { model, aspectRatio, duration, quality, extra } = options
  return makeJob(options, {
    kinds: ['video'],
    ask: async (studio) => ({
      kind: 'video',
      model: requireModel(model, 'video'),
      prompt,
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(duration !== undefined && { duration: String(duration) }),
      ...(quality !== undefined && { quality }),
      ...asExtra(extra),
      ...(await givenImage(studio, options)),
    }),
  })
}

export interface TranscribeOptions extends MakeOptions {
  readonly format: (typeof transcriptFormats)[number]
  readonly model?: string
  readonly language?: string
  readonly prompt?: string
  readonly split: boolean
  readonly extra?: Record<string, unknown>
}

const MAX_TEXT_BYTES = 64 * 1024 * 1024

/** `sotto transcribe`: prints the text of a recording to standard output. Returns the exit code. */
export function transcribe(file: string | undefined, options: TranscribeOptions): Promise<number> {
  const { format, model, language, prompt, split, extra } = options
  return makeJob(options, {
    kinds: ['transcription'],
    ask: async (studio) => {
      if (file === undefined)
        throw unusable('The recording is missing.', 'Name an MP3, MP4, M4A, WAV, or WebM file.')
      const { uploadId } = await uploadShown(studio, file)
      return {
        kind: 'transcription',
        file: { uploadId },
        format,
        ...(model !== undefined && { model }),
        ...(language !== undefined && { language }),
        ...(prompt !== undefined && { prompt }),
        ...(split && { split: true }),
        ...asExtra(extra),
      }
    },
    print: async (studio, job) => {
      const text = await whole(studio, job)
      process.stdout.write(`${(process.stdout.isTTY ? terminalSafe(text) : text).trimEnd()}\n`)
    },
    shown: async (studio, job) => ({ text: await whole(studio, job) }),
  })
}

async function whole(studio: Studio, job: Job): Promise<string> {
  const file = savedFiles(job)[0]
  if (!file) return ''
  const { path } = await studio.connection.client.studio.link({ jobId: job.id, index: file.index })
  return textAt(studio, path, MAX_TEXT_BYTES)
}

export interface SpeakOptions extends MakeOptions {
  readonly file?: string
  readonly model?: string
  readonly voice?: string
  readonly extra?: Record<string, unknown>
}

/** The longest text of a speech job, in UTF-8 bytes. */
const MAX_BYTES = 800_000

/** `sotto speak`: speaks text of the command line, of a file, or of standard input. Returns the exit code. */
export function speak(input: string, options: SpeakOptions): Promise<number> {
  const { file, model, voice, extra } = options
  return makeJob(options, {
    kinds: ['speech'],
    ask: async () => {
      if (input !== '' && file !== undefined)
        throw unusable('The text was given twice: as an argument and as a file.', 'Use one of the two.')
      if (input === '' && file === undefined && process.stdin.isTTY)
        throw unusable(
          'No text was given.',
          'Type it after the command, name a file with --file, or pipe it to standard input.',
        )
      const text = input === '' ? await readText(file, MAX_BYTES) : input
      return {
        kind: 'speech',
        text,
        ...(model !== undefined && { model }),
        ...(voice !== undefined && { voice }),
        ...asExtra(extra),
      }
    },
  })
}

/** `sotto speak --voices`. */
export function printVoices(json: boolean): Promise<number> {
  return atStudio(json, async ({ connection: { client }, interrupts }) => {
    const { speaking, voices } = await client.voice.prices(undefined, { signal: interrupts.asked })
    const models = speaking.map(({ id, name, price }) => {
      const perMillion = price && pricePerMillionCharacters(price)
      return `${id}  ${perMillion === undefined ? 'no listed price' : `${formatUsd(perMillion, 'en', { style: 'price' })} per million characters`}  ${name}`
    })
    const spoken = voices.map(
      ({ id, name, language, modelId }) =>
        `${id}  ${language ?? 'any language'}  ${name}${modelId === undefined ? '' : `  for ${modelId}`}`,
    )
    print(
      json,
      { models: speaking.map(voiceModelJson), voices },
      models.length + spoken.length === 0
        ? 'The service lists no models or voices. It chooses them itself.'
        : [...models.map((line) => `model  ${line}`), ...spoken.map((line) => `voice  ${line}`)]
            .map(oneLine)
            .join('\n'),
    )
    printSkippedEntries((await client.app.status()).notices, (line) => void process.stderr.write(`${line}\n`))
    return 0
  })
}
