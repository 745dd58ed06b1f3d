import type { DataEndpoint } from '../../shared/contract/purchases.ts'
import type { Job } from '../../shared/job.ts'
import { formatUsd } from '../../shared/format-money.ts'
import { print } from '../at-door.ts'
import { terminalSafe } from '../chat.ts'
import type { DoorClient } from '../door-client.ts'
import { atStudio, unusable, type Studio } from './at-studio.ts'
import type { BatchOptions } from './data-command.ts'
import { jsonObject } from './extra.ts'
import { makeJob } from './make-job.ts'
import { resultForm, savedOf } from './results.ts'
import { textAt } from './save-files.ts'
import { jobLine, oneLine } from './words.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** `sotto data`: what the service sells, with its prices. Returns the exit code. */
export function printCatalogue(json: boolean): Promise<number> {
  return atStudio(json, async ({ door: { client }, interrupts }) => {
    const endpoints = await client.purchases.dataEndpoints(undefined, { signal: interrupts.asked })
    const width = Math.max(0, ...endpoints.map(({ path }) => path.length))
    print(json, { endpoints }, endpoints.length === 0 ? 'The service lists no data.' : endpoints.map((endpoint) => lineOf(endpoint, Math.min(width, 60))).join('\n'))
    return 0
  })
}

function lineOf({ method, path, name, description, group, price }: DataEndpoint, width: number): string {
  const words = [group, name ?? description].filter((word) => word !== undefined).join(': ')
  return oneLine(`${method.padEnd(4)} ${path.padEnd(width)}  ${price === undefined ? 'no price listed' : formatUsd(price, 'en', { style: 'price' })}  ${words}`)
}

/** `sotto data PATH`: one call, with its answer on standard output; or what goes on of a former one, or of a batch. Returns the exit code. */
export function askData(path: string | undefined, fields: readonly string[], options: BatchOptions): Promise<number> {
  const { format, out, rows, maxCost } = options
  return makeJob(options, {
    kinds: ['data', 'batch'],
    ask: async ({ door: { client }, interrupts }) => {
      if (path === undefined) throw unusable('No path was named.', '"sotto data" lists them with their prices.')
      const input = inputOf(fields, options.input)
      return { kind: 'data', ...await endpointAt(client, path, options.method, interrupts.asked), input }
    },
    print: async (studio, job) => {
      const text = job.kind === 'batch' ? jobLine(job) : await answerOf(studio, job)
      process.stdout.write(`${(process.stdout.isTTY ? terminalSafe(text) : text).trimEnd()}\n`)
    },
    shown: async (studio, job) => (job.kind === 'batch' ? {} : { answer: parsed(await answerOf(studio, job)) }),
    saved: (studio, job) => savedOf(studio, job, { format, out }),
    resume: ({ door: { client } }, { id, kind }) => {
      if (kind !== 'batch') return client.studio.resume({ jobId: id })
      resultForm(kind, { format, out })
      return client.studio.resume({ jobId: id, ...(rows && { rows }), ...(maxCost !== undefined && { most: maxCost }) })
    },
  })
}

/** As it is listed, with or without the first slash. What is not listed goes as it is named. */
export async function endpointAt({ purchases }: DoorClient, named: string, method: 'GET' | 'POST' | undefined, signal: AbortSignal): Promise<{ method: 'GET' | 'POST'; path: string }> {
  const path = named.startsWith('/') ? named : `/${named}`
  if (method !== undefined) return { method, path }
  const listed = (await purchases.dataEndpoints(undefined, { signal })).filter((endpoint) => endpoint.path === path)
  const [one, another] = listed
  if (!one) throw unusable(`The service does not list this path: ${path}`, '"sotto data" lists them; --method asks for one that is not listed.')
  if (another) throw unusable('The path is listed more than once.', 'Say which with --method.')
  return { method: one.method, path }
}

/** `name=text` and `name:=json`, over the members of --input. */
export function inputOf(fields: readonly string[], input: Record<string, unknown> | undefined): ReturnType<typeof jsonObject> {
  const typed: [string, unknown][] = fields.map((field) => {
    const [, name, isJson, value = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
    if (name === undefined) throw unusable(`This is no field: ${field}`, 'Write it as name=text, or as name:=JSON for a number, a list and the like.')
    return [name, isJson === ':' ? jsonOf(value, field) : value]
  })
  return jsonObject({ ...input, ...Object.fromEntries(typed) })
}

function jsonOf(text: string, field: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unusable(`What follows := is no JSON: ${field}`)
  }
}

async function answerOf({ door }: Studio, job: Job): Promise<string> {
  const file = job.files.find(({ role }) => role === 'answer')
  if (!file) return ''
  return textAt(door, (await door.client.studio.link({ jobId: job.id, index: file.index })).path, MAX_ANSWER_BYTES)
}

/** As JSON, where it is some. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
