import type { DataEndpoint } from '../../shared/contract/purchases.ts'
import type { Job } from '../../shared/job.ts'
import { formatUsd } from '../../shared/format-money.ts'
import { endpointJson } from '../json-amounts.ts'
import { print } from '../with-client.ts'
import type { ContractClient } from '../client.ts'
import { atStudio, unusable, type Studio, jsonObject } from './at-studio.ts'
import type { BatchOptions } from './data-command.ts'
import { makeJob } from './make-job.ts'
import { resultForm, savedOf, textAt } from './save-files.ts'
import { jobLine } from './labels.ts'
import { terminalSafe, oneLine } from '../format.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** `sotto data`: lists the lookups with prices. Returns the exit code. */
export function printCatalogue(json: boolean): Promise<number> {
  return atStudio(json, async ({ connection: { client }, interrupts }) => {
    const endpoints = await client.purchases.dataEndpoints(undefined, { signal: interrupts.asked })
    const width = Math.max(0, ...endpoints.map(({ path }) => path.length))
    print(
      json,
      { endpoints: endpoints.map(endpointJson) },
      endpoints.length === 0
        ? 'The service lists no lookups.'
        : endpoints.map((endpoint) => lineOf(endpoint, Math.min(width, 60))).join('\n'),
    )
    return 0
  })
}

function lineOf({ method, path, name, description, group, price }: DataEndpoint, width: number): string {
  const title = [group, name ?? description].filter((word) => word !== undefined).join(': ')
  return oneLine(
    `${method.padEnd(4)} ${path.padEnd(width)}  ${price === undefined ? 'no listed price' : formatUsd(price, 'en', { style: 'price' })}  ${title}`,
  )
}

/** `sotto data PATH`: runs one lookup and prints its result, or resumes an earlier lookup or batch. Returns the exit code. */
export function askData(
  path: string | undefined,
  fields: readonly string[],
  options: BatchOptions,
): Promise<number> {
  const { format, out, rows, maxCost } = options
  return makeJob(options, {
    kinds: ['data', 'batch'],
    ask: async ({ connection: { client }, interrupts }) => {
      if (path === undefined)
        throw unusable('The path of the lookup is missing.', 'To list paths with prices, run "sotto data".')
      const input = inputOf(fields, options.input)
      return { kind: 'data', ...(await endpointAt(client, path, options.method, interrupts.asked)), input }
    },
    print: async (studio, job) => {
      const text = job.kind === 'batch' ? jobLine(job) : await answerOf(studio, job)
      process.stdout.write(`${(process.stdout.isTTY ? terminalSafe(text) : text).trimEnd()}\n`)
    },
    shown: async (studio, job) =>
      job.kind === 'batch' ? {} : { answer: parsed(await answerOf(studio, job)) },
    saved: (studio, job) => savedOf(studio, job, { format, out }),
    resume: ({ connection: { client } }, { id, kind }) => {
      if (kind !== 'batch') return client.studio.resume({ jobId: id })
      resultForm(kind, { format, out })
      return client.studio.resume({
        jobId: id,
        ...(rows && { rows }),
        ...(maxCost !== undefined && { most: maxCost }),
      })
    },
  })
}

/** Finds a listed path, with or without its first slash. With a method, an unlisted path is used as given. */
export async function endpointAt(
  { purchases }: ContractClient,
  named: string,
  method: 'GET' | 'POST' | undefined,
  signal: AbortSignal,
): Promise<{ method: 'GET' | 'POST'; path: string }> {
  const path = named.startsWith('/') ? named : `/${named}`
  if (method !== undefined) return { method, path }
  const listed = (await purchases.dataEndpoints(undefined, { signal })).filter(
    (endpoint) => endpoint.path === path,
  )
  const [one, another] = listed
  if (!one)
    throw unusable(
      `The service doesn’t list the path “${path}”.`,
      'To list paths, run "sotto data". To use an unlisted path, add --method.',
    )
  if (another) throw unusable('The path is listed with several methods.', 'Choose one with --method.')
  return { method: one.method, path }
}

/** `name=text` and `name:=json`, over the members of --input. */
export function inputOf(
  fields: readonly string[],
  input: Record<string, unknown> | undefined,
): ReturnType<typeof jsonObject> {
  const typed: [string, unknown][] = fields.map((field) => {
    const [, name, isJson, value = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
    if (name === undefined)
      throw unusable(
        `The field “${field}” is invalid.`,
        'Use name=text, or name:=JSON for numbers, lists, and other values.',
      )
    return [name, isJson === ':' ? parseJson(value, field) : value]
  })
  return jsonObject({ ...input, ...Object.fromEntries(typed) })
}

function parseJson(text: string, field: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unusable(`The field “${field}” has invalid JSON after :=.`, 'Correct the JSON, or use name=text.')
  }
}

async function answerOf(studio: Studio, job: Job): Promise<string> {
  const file = job.files.find(({ role }) => role === 'answer')
  if (!file) return ''
  return textAt(
    studio,
    (await studio.connection.client.studio.link({ jobId: job.id, index: file.index })).path,
    MAX_ANSWER_BYTES,
  )
}

/** Parses JSON; other text stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
