import { toAsyncIterable } from '../../../../shared/byte-buffer.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { requireRevision, type ServiceAccess } from '../http/access.ts'
import { limited } from '../http/body.ts'
import { baseOf, type RequestBody, type ServiceRequest } from '../http/perform.ts'
import { audioTarget } from './audio-target.ts'
import { lengthOf, whole } from './media-stream.ts'

/** An answer of the service's, byte for byte: whoever asked knows members that are not known here. */
export interface PassedAnswer {
  /** 2xx. */
  readonly status: number
  readonly contentType: string
  /** In bytes, where it is known. */
  readonly contentLength?: number | undefined
  /**
   * As it comes, no faster than it is read. Ends by throwing a coded SottoError where it is not whole; stopping the
   * iteration, or the request's signal, ends the exchange with the service at once.
   */
  readonly body: AsyncIterable<Uint8Array>
}

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
const JSON_TYPE = /^application\/json$/
const AUDIO_TYPE = /^(?:audio\/[\w.+-]{1,60}|application\/octet-stream|text\/event-stream)$/
const TRANSCRIPT_TYPE = /^(?:application\/(?:json|x-subrip)|text\/(?:plain|vtt|srt|event-stream))$/

interface Endpoint {
  readonly path: `/v1/${string}`
  readonly auth: 'none' | 'key' | 'payable'
  /** Below an address of its own in Revision A. */
  readonly audio?: true
  /** The one revision that has it; both where it is not said. */
  readonly revision?: 'B'
  /** Media types that its answers may have: nothing that a reader would open as a page. */
  readonly types: RegExp
  readonly timeoutMs: number
  /** Of the answer, in bytes. */
  readonly limit: number
}

/** The endpoints whose answers are handed on (specification, Endpoints and Authentication 4 and 6). */
export const endpoints = {
  embeddings: {
    path: '/v1/embeddings',
    auth: 'key',
    types: JSON_TYPE,
    timeoutMs: 2 * MINUTE_MS,
    limit: 64 * MIB,
  },
  'images/generations': {
    path: '/v1/images/generations',
    auth: 'payable',
    types: JSON_TYPE,
    timeoutMs: 5 * MINUTE_MS,
    limit: 128 * MIB,
  },
  'images/edits': {
    path: '/v1/images/edits',
    auth: 'payable',
    revision: 'B',
    types: JSON_TYPE,
    timeoutMs: 5 * MINUTE_MS,
    limit: 128 * MIB,
  },
  'audio/speech': {
    path: '/v1/audio/speech',
    auth: 'key',
    audio: true,
    types: AUDIO_TYPE,
    timeoutMs: 2 * MINUTE_MS,
    limit: 256 * MIB,
  },
  'audio/transcriptions': {
    path: '/v1/audio/transcriptions',
    auth: 'key',
    audio: true,
    types: TRANSCRIPT_TYPE,
    timeoutMs: 10 * MINUTE_MS,
    limit: 64 * MIB,
  },
  'audio/voices': {
    path: '/v1/audio/voices',
    auth: 'none',
    revision: 'B',
    types: JSON_TYPE,
    timeoutMs: MINUTE_MS / 2,
    limit: 4 * MIB,
  },
  'audio/models': {
    path: '/v1/audio/models',
    auth: 'none',
    revision: 'B',
    types: JSON_TYPE,
    timeoutMs: MINUTE_MS / 2,
    limit: 4 * MIB,
  },
  videos: { path: '/v1/videos', auth: 'payable', types: JSON_TYPE, timeoutMs: 2 * MINUTE_MS, limit: MIB },
  'videos/status': {
    path: '/v1/videos',
    auth: 'key',
    types: JSON_TYPE,
    timeoutMs: MINUTE_MS / 2,
    limit: MIB,
  },
  data: { path: '/v1/data', auth: 'payable', types: JSON_TYPE, timeoutMs: 3 * MINUTE_MS, limit: 32 * MIB },
  'data/endpoints': {
    path: '/v1/data/endpoints',
    auth: 'none',
    types: JSON_TYPE,
    timeoutMs: MINUTE_MS / 2,
    limit: 4 * MIB,
  },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

export interface PassedRequest {
  readonly method: 'GET' | 'POST'
  /** Below the endpoint's own: a job's id, or a data endpoint. From its slash on. */
  readonly below?: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: RequestBody
  /** A free read, that may be sent again. */
  readonly repeatable?: boolean
}

/** Segments of plain characters: nothing climbs out of its endpoint. */
const BELOW = /^(?:\/[\w-]{1,210}){1,8}$/

/** A request whose answer is handed on as it comes. Throws service/not-offered where the revision lacks the endpoint, or its address is not known. */
export function passThrough(
  name: EndpointName,
  request: PassedRequest,
  access: ServiceAccess,
): ServiceRequest<PassedAnswer> {
  const endpoint: Endpoint = endpoints[name]
  if (endpoint.revision) requireRevision(access, endpoint.revision)
  const { method, below = '', query, body, repeatable = false } = request
  if (below !== '' && !BELOW.test(below)) throw new SottoError('proxy/internal')
  const target = endpoint.audio
    ? audioTarget(endpoint.path, access.revision)
    : { path: `${endpoint.path}${below}`, ...(query && { query }) }
  if ('path' in target) baseOf(access, target)
  return {
    method,
    target,
    auth: endpoint.auth,
    ...(body && { body }),
    accept: '*/*',
    repeatable,
    timeoutMs: endpoint.timeoutMs,
    read: (response) => Promise.resolve(passed(response, endpoint)),
  }
}

/** A payable request that was frozen, with the bytes that it has every time. */
export interface FrozenPass {
  readonly endpoint: 'images/generations' | 'images/edits' | 'videos' | 'data'
  readonly method: 'GET' | 'POST'
  /** Below the base URL, with its query. */
  readonly path: string
  readonly contentType?: string
  readonly body: Uint8Array
}

/** The query of a frozen path is encoded: nothing in it ends the address. */
const FROZEN_QUERY = /^[\w.~*+%&=-]{0,60000}$/

/** As passThrough, of a frozen request: sent once, since each answer may be another thing. Throws service/not-offered. */
export function passFrozen(
  { endpoint: name, method, path, contentType, body }: FrozenPass,
  access: ServiceAccess,
): ServiceRequest<PassedAnswer> {
  const endpoint: Endpoint = endpoints[name]
  if (endpoint.revision) requireRevision(access, endpoint.revision)
  const [below, query] = path.startsWith(endpoint.path) ? splitOnce(path.slice(endpoint.path.length)) : ['?']
  if ((below !== '' && !BELOW.test(below)) || (query !== undefined && !FROZEN_QUERY.test(query)))
    throw new SottoError('proxy/internal')
  return {
    method,
    target: { path },
    auth: endpoint.auth,
    ...(contentType !== undefined && {
      body: { contentType, content: toAsyncIterable(body), length: body.byteLength },
    }),
    accept: '*/*',
    timeoutMs: endpoint.timeoutMs,
    read: (response) => Promise.resolve(passed(response, endpoint)),
  }
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf('?')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function passed({ status, headers, body }: FetchResponse, { types, limit }: Endpoint): PassedAnswer {
  const contentType = headers.get('content-type')?.trim() ?? ''
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!types.test(mediaType) || contentType.length > 200)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response has an unexpected content type.'),
    })
  const contentLength = lengthOf(headers)
  if (contentLength !== undefined && contentLength > limit)
    throw new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
  return { status, contentType, contentLength, body: whole(limited(body, limit), contentLength) }
}
