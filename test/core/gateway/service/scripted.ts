import { readFileSync } from 'node:fs'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import {
  jsonBody,
  perform,
  type PayableOptions,
  type Service,
  type ServiceRequest,
} from '../../../../src/core/gateway/service/http/perform.ts'
import type { RetryPolicy } from '../../../../src/core/gateway/service/http/retry.ts'
import { readMedia } from '../../../../src/core/gateway/service/inference/media-stream.ts'
import {
  passThrough,
  type EndpointName,
  type PassedRequest,
} from '../../../../src/core/gateway/service/inference/pass-through.ts'
import type { FetchInit, FetchResponse } from '../../../../src/shared/fetch.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'

/** An answer as it was seen of the service (the reference's shapes, written down as data). */
export interface Recorded {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** In place of `body`, byte for byte (latin1). */
  readonly text?: string
}

export function recorded(file: string): Readonly<Record<string, Recorded>> {
  return JSON.parse(readFileSync(new URL(`recorded/${file}.json`, import.meta.url), 'utf8')) as Record<
    string,
    Recorded
  >
}

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly redirect: string
}

export const BASE = 'https://api.service.example'
export const ALTERNATIVE = 'https://audio.service.example'
export const API_KEY = 'sk-AbCdEfGhIjKlMnOpQrStUv'
export const CREDIT_ID = '0d9f8a52-6f5e-4a63-9d2c-3f6f6f0d6a11'
export const account: ServiceAccess = {
  baseUrl: BASE,
  alternativeBaseUrl: ALTERNATIVE,
  revision: 'B',
  apiKey: API_KEY,
  creditId: CREDIT_ID,
}

export interface Scripted {
  readonly service: Service
  readonly sent: Sent[]
  /** The waits between repeats, in ms. */
  readonly waits: number[]
}

/** A service that gives these answers, one after another, and notes what it is sent. An Error is a failure to connect. */
export function scripted(
  answers: readonly (Recorded | Error)[],
  access: ServiceAccess = account,
  retry: Partial<RetryPolicy> = {},
): Scripted {
  const sent: Sent[] = []
  const waits: number[] = []
  const left = [...answers]
  const service: Service = {
    access: () => access,
    now: () => Date.parse('2026-11-21T21:00:00Z'),
    retry: {
      attempts: 3,
      firstDelayMs: 400,
      longestDelayMs: 10_000,
      random: () => 0.5,
      wait: (ms) => {
        waits.push(ms)
        return Promise.resolve()
      },
      ...retry,
    },
    fetch: async (url, { method, headers, body, redirect }) => {
      sent.push({ method, url, headers, body: await bodyText(body), redirect })
      const answer = left.shift()
      if (answer === undefined) throw new Error('the script has no more answers')
      if (answer instanceof Error) throw answer
      return responseOf(answer)
    },
  }
  return { service, sent, waits }
}

export function responseOf({ status, headers = {}, body, text }: Recorded): FetchResponse {
  const bytes = text === undefined ? Buffer.from(JSON.stringify(body)) : Buffer.from(text, 'latin1')
  const all: Record<string, string> = {
    ...(text === undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  return { status, headers: { get: (name) => all[name.toLowerCase()] ?? null }, body: pieces(bytes) }
}

/** In several pieces, as a network gives them. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const step = Math.max(1, Math.ceil(bytes.length / 3))
  for (let at = 0; at < bytes.length; at += step) yield await Promise.resolve(bytes.subarray(at, at + step))
}

async function bodyText(body: FetchInit['body']): Promise<string | undefined> {
  if (body === undefined || typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString('latin1')
  return Buffer.concat(await Array.fromAsync(body)).toString('latin1')
}

export async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body))
}

/** The code of what is thrown; the thrown thing itself where it is none of ours. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    await (typeof work === 'function' ? work() : work)
    return 'nothing was thrown'
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? thrown.code : thrown
  }
}

/** A request whose answer the service passes on, and the whole answer. */
export async function passed(
  service: Service,
  endpoint: EndpointName,
  request: PassedRequest,
  options: PayableOptions = {},
): Promise<[contentType: string, contentLength: number | undefined, text: string]> {
  const answer = await perform(service, passThrough(endpoint, request, service.access()), options)
  return readWhole(answer)
}

/** A call of a data endpoint, which an account or a purchase pays for. */
export async function search(
  service: Service,
  input: JsonObject,
  options: PayableOptions = {},
): Promise<unknown> {
  const request = { method: 'POST', below: '/api/websearch/search', body: jsonBody(input) } as const
  const [, , text] = await passed(service, 'data', request, options)
  return JSON.parse(text)
}

/** The request for an image or a video at an address that the service signed. */
export function mediaAt(address: string): ServiceRequest<ReturnType<typeof readMedia>> {
  return {
    method: 'GET',
    target: { address },
    auth: 'none',
    read: (response) => Promise.resolve(readMedia(response)),
  }
}

export async function readWhole({
  contentType,
  contentLength,
  body,
}: ReturnType<typeof readMedia>): Promise<[string, number | undefined, string]> {
  return [contentType, contentLength, (await bytesOf(body)).toString('latin1')]
}

export const upload = (
  name: string,
  content: string,
  type = 'audio/mpeg',
  size = Buffer.byteLength(content),
): { name: string; type: string; size: number; content: AsyncIterable<Uint8Array> } => ({
  name,
  type,
  size,
  content: pieces(Buffer.from(content)),
})
