import { toAsyncIterable } from '../../../../shared/byte-buffer.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { requireRevision, type ServiceAccess } from '../http/access.ts'
import { baseOf, type RequestBody, type ServiceRequest } from '../http/perform.ts'
import { mediaTypeOf, streamBody, type StreamedBody } from './media-stream.ts'

/** Revision A serves audio below `{alt_base_url}/api`, B below `{base_url}` (specification, Versioning). */
function audioTarget(
  path: `/v1/${string}`,
  revision: ServiceAccess['revision'],
): ServiceRequest<unknown>['target'] {
  return revision === 'A' ? { path: `/api${path}`, base: 'alternative' } : { path }
}

/** An answer of the service, byte for byte, because the caller may know members that Sotto doesn't. */
export interface PassedAnswer extends StreamedBody {
  /** 2xx. */
  readonly status: number
  readonly contentType: string
}

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
const JSON_TYPE = /^application\/json$/
const AUDIO_TYPE = /^(?:audio\/[\w.+-]{1,60}|application\/octet-stream|text\/event-stream)$/
const TRANSCRIPT_TYPE = /^(?:application\/(?:json|x-subrip)|text\/(?:plain|vtt|srt|event-stream))$/

interface Endpoint {
  readonly path: `/v1/${string}`
  readonly auth: 'none' | 'key' | 'payable'
  /** Revision A has a separate base URL for it. */
  readonly audio?: true
  /** The only revision that has it; by default both. */
  readonly revision?: 'B'
  /** The permitted media types of its answers: none that a reader would open as a page. */
  readonly types: RegExp
  readonly timeoutMs: number
  /** The size limit of the answer in bytes. */
  readonly limit: number
}

/** The endpoints whose answers are passed on (specification, Endpoints and Authentication 4 and 6). */
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
  /** The path after the endpoint's own, with its slash: a job's ID, or a data endpoint. */
  readonly below?: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: RequestBody
  /** A free read, which may be sent again. */
  readonly repeatable?: boolean
}

/** Segments of plain characters only, so that no path leaves its endpoint. */
const BELOW = /^(?:\/[\w-]{1,210}){1,8}$/

/**
 * Creates a request whose answer is passed on as it arrives.
 * @throws {SottoError} service/not-offered – the revision lacks the endpoint, or its address isn't known
 */
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

/** A frozen payable request, which has the same bytes each time. */
export interface FrozenPass {
  readonly endpoint: 'images/generations' | 'images/edits' | 'videos' | 'data'
  readonly method: 'GET' | 'POST'
  /** The path after the base URL, with its query. */
  readonly path: string
  readonly contentType?: string
  readonly body: Uint8Array
}

/** The query of a frozen path is encoded, so that nothing in it can end the address. */
const FROZEN_QUERY = /^[\w.~*+%&=-]{0,60000}$/

/**
 * Creates the request for frozen bytes, like passThrough. It's sent once, because each answer may differ.
 * @throws {SottoError} service/not-offered
 */
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

function passed(response: FetchResponse, { types, limit }: Endpoint): PassedAnswer {
  const contentType = response.headers.get('content-type')?.trim() ?? ''
  if (!types.test(mediaTypeOf(contentType)) || contentType.length > 200)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response has an unexpected content type.'),
    })
  return { status: response.status, contentType, ...streamBody(response, limit) }
}
