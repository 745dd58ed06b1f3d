import { pricePerMillionCharacters } from '../../shared/audio-price.ts'
import { formatUsd } from '../../shared/format-money.ts'
import { print } from '../at-door.ts'
import { printSkippedEntries } from '../print-notices.ts'
import { atStudio, unusable, asExtra } from './at-studio.ts'
import { makeJob, type MakeOptions } from './make-job.ts'
import { readText } from './read-input.ts'
import { oneLine } from './words.ts'

export interface SpeakOptions extends MakeOptions {
  readonly file?: string
  readonly model?: string
  readonly voice?: string
  readonly extra?: Record<string, unknown>
}

/** UTF-8 of the longest text that one job speaks. */
const MAX_BYTES = 800_000

/** `sotto speak`: words of the command line, of a file, or of standard input. Returns the exit code. */
export function speak(words: string, options: SpeakOptions): Promise<number> {
  const { file, model, voice, extra } = options
  return makeJob(options, {
    kinds: ['speech'],
    ask: async () => {
      if (words !== '' && file !== undefined)
        throw unusable('The text was given twice: as an argument and as a file.', 'Use one of the two.')
      if (words === '' && file === undefined && process.stdin.isTTY)
        throw unusable(
          'No text was given.',
          'Type it after the command, name a file with --file, or pipe it to standard input.',
        )
      const text = words === '' ? await readText(file, MAX_BYTES) : words
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
  return atStudio(json, async ({ door: { client }, interrupts }) => {
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
      { models: speaking, voices },
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
