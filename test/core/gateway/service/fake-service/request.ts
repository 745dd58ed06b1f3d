import type { Fetch, FetchResponse } from '../../../../../src/shared/fetch.ts'
import { responseOf } from '../scripted.ts'
import type { Random } from './random.ts'
import { writeJson, type WireValue } from './wire-value.ts'

export const BASE = 'https://api.fake.example'
export const ALTERNATIVE = 'https://audio.fake.example'

/** A request as the fake service receives it. */
export interface Received {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined if the body isn't a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined
}

export interface Answer {
  readonly status: number
  readonly body?: WireValue
  /** In place of `body`, byte for byte. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses a request. Neither the status nor the shape of most errors is shown, so both vary. */
export class Refusal extends Error {
  readonly kind: keyof typeof REFUSALS
  constructor(kind: keyof typeof REFUSALS) {
    super(kind)
    this.kind = kind
  }
}

const REFUSALS = {
  unauthorized: { statuses: [401, 403], message: 'Invalid API key' },
  unknown: { statuses: [404], message: 'No such thing' },
  invalid: { statuses: [400, 422], message: 'This is not valid' },
  conflict: { statuses: [409], message: 'The name is taken' },
} as const

export async function receive(
  url: string,
  { method, headers, body }: Parameters<Fetch>[1],
): Promise<Received> {
  const { origin, pathname, searchParams } = new URL(url)
  const text =
    typeof body === 'string'
      ? body
      : Buffer.concat(
          body === undefined ? [] : body instanceof Uint8Array ? [body] : await Array.fromAsync(body),
        ).toString('latin1')
  return { method, origin, path: pathname, query: searchParams, headers, text, json: objectIn(text) }
}

/** An answer as it leaves the service, with the shape of each error chosen at random. */
export function respond(answer: Answer, random: Random): FetchResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...answer.headers }
  return responseOf({
    status: answer.status,
    headers,
    text: answer.text ?? writeJson(answer.body ?? null, random),
  })
}

export function refuse(kind: keyof typeof REFUSALS, random: Random): Answer {
  const { statuses, message } = REFUSALS[kind]
  const status = random.pick(statuses)
  const shapes: Omit<Answer, 'status'>[] = [
    { body: { error: message } },
    { body: { error: { message, code: status } } },
    { body: { status: 'error', statusCode: status, message } },
    { body: { error: message, message: null } },
    { body: { errors: [{ message }] } },
    { body: { detail: message } },
    { body: null },
    { body: {} },
    { text: message, headers: { 'content-type': 'text/plain' } },
    { text: '<html>No</html>', headers: { 'content-type': 'text/html' } },
    { text: '' },
  ]
  return { status, ...random.pick(shapes) }
}

function objectIn(text: string): Received['json'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
