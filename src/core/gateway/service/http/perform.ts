import type { z } from 'zod'
import { allowedBy } from '../../../../shared/allowed-values.ts'
import { SottoError, type SottoErrorDetails } from '../../../../shared/errors.ts'
import type { Fetch, FetchInit, FetchResponse } from '../../../../shared/fetch.ts'
import { renderEnglish, msg, type LocalizedText } from '../../../../shared/localized-text.ts'
import { bearer, creditIdHeader, hasAccount, ownAddress, type ServiceAccess } from './access.ts'
import { readExactJson } from './body.ts'
import { RequestTimeout } from '../../request-timeout.ts'
import { serviceFailure } from './failure.ts'
import { keylessFailure } from './payment-required.ts'
import { retryPolicy, withRetry, type RetryPolicy } from './retry.ts'

/** The service as its callers use it. */
export interface Service {
  readonly fetch: Fetch
  /** Read for each request, because the account may change. */
  readonly access: () => ServiceAccess
  /** Unix ms, for dates in Retry-After. */
  readonly now?: () => number
  readonly retry?: RetryPolicy
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * How one payable request is paid: with the account's key, or as a purchase without an account
 * (Authentication 5).
 */
export interface PayableOptions extends CallOptions {
  /**
   * Present: no key is sent, and a 402 throws PaymentRequiredError. With `authorization`, the identical
   * request is sent with the proof of payment. `idempotencyKey` is the same each time. Absent: the key is
   * sent, if there is one.
   */
  readonly perRequest?: { readonly authorization?: string; readonly idempotencyKey?: string } | undefined
}

export interface RequestBody {
  readonly contentType: string
  readonly content: string | AsyncIterable<Uint8Array>
  /** In bytes, for iterated content. */
  readonly length?: number
}

/** One request as data: its content, its credentials, and how its answer is read. */
export interface ServiceRequest<Answer> {
  readonly method: FetchInit['method']
  /**
   * The path after the base URL, with its slash; or an address that the service returned for its own content.
   */
  readonly target:
    | {
        readonly path: string
        readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
        readonly base?: 'alternative'
      }
    | { readonly address: string }
  readonly auth: 'none' | 'key' | 'credit-id' | 'payable'
  readonly body?: RequestBody | undefined
  readonly accept?: string
  /** A free read, which may be sent again. */
  readonly repeatable?: boolean
  /** An enclave with a direct connection also answers it. */
  readonly direct?: true
  /** The longest wait without a byte in either direction, in ms. */
  readonly timeoutMs?: number
  /** Reads an answer of status 2xx. Its result may continue to read the body. */
  readonly read: (response: FetchResponse, timeout: RequestTimeout) => Promise<Answer>
}

const TIMEOUT_MS = 30_000
/** A credential for its own header line (RFC 9110 section 11.4), without characters that could end it. */
const AUTHORIZATION = /^(?:L402 [\w+/=.~:-]+|Payment [\w-]+={0,2})$/

/**
 * Sends a request, and retries it if it's a repeatable read.
 * @throws {SottoError} service/…, request/canceled; PaymentRequiredError – a payable request without a key
 */
export async function perform<Answer>(
  service: Service,
  request: ServiceRequest<Answer>,
  { signal, perRequest }: PayableOptions = {},
): Promise<Answer> {
  // The access is read once. If another account is selected later, this request doesn't change.
  const access = service.access()
  if (access.direct && !request.direct) throw new SottoError('service/not-offered')
  const attempt = (): Promise<Answer> => once(service, access, request, signal, perRequest)
  return request.repeatable === true ? withRetry(attempt, service.retry ?? retryPolicy, signal) : attempt()
}

async function once<Answer>(
  service: Service,
  access: ServiceAccess,
  request: ServiceRequest<Answer>,
  signal: AbortSignal | undefined,
  perRequest: PayableOptions['perRequest'],
): Promise<Answer> {
  const url = urlOf(access, request.target)
  const credentials = credentialsOf(access, request.auth, perRequest)
  const { body } = request
  const { timeoutMs = TIMEOUT_MS } = request
  const timeout = new RequestTimeout(signal, { firstByteMs: timeoutMs, idleMs: timeoutMs })
  let response: FetchResponse
  try {
    response = await service.fetch(url, {
      method: request.method,
      headers: {
        accept: request.accept ?? 'application/json',
        'accept-encoding': 'identity',
        ...credentials,
        ...(perRequest?.idempotencyKey !== undefined && {
          'idempotency-key': requireToken(perRequest.idempotencyKey),
        }),
        ...(body && { 'content-type': body.contentType }),
        ...(body?.length !== undefined && { 'content-length': String(body.length) }),
      },
      ...(body && {
        body: typeof body.content === 'string' ? body.content : withRestarts(body.content, timeout),
      }),
      signal: timeout.signal,
      redirect: 'manual',
    })
  } catch (cause) {
    timeout[Symbol.dispose]()
    throw timeout.reasonFor(causeOf(cause), 'service/unreachable')
  }
  try {
    const watched = {
      status: response.status,
      headers: response.headers,
      body: timeout.watch(response.body),
    }
    if (response.status >= 200 && response.status < 300) {
      const encoding = response.headers.get('content-encoding')
      if (encoding !== null && encoding !== 'identity')
        throw new SottoError('service/response-invalid', {
          detail: msg('The response is compressed, which Sotto didn’t request.'),
        })
      return await request.read(watched, timeout)
    }
    const now = service.now ?? Date.now
    const keyless = request.auth === 'payable' && (perRequest !== undefined || !hasAccount(access))
    throw await (keyless
      ? keylessFailure(watched, perRequest?.authorization !== undefined, now)
      : serviceFailure(watched, { authenticated: true, now }))
  } catch (cause) {
    const reason = timeout.reasonFor(cause, 'service/interrupted')
    timeout.close()
    throw reason
  }
}

/** @throws {SottoError} service/not-offered – the base URL isn't known */
export function baseOf(
  { baseUrl, alternativeBaseUrl }: ServiceAccess,
  { base }: { readonly base?: 'alternative' },
): string {
  if (base !== 'alternative') return baseUrl
  if (alternativeBaseUrl === undefined)
    throw new SottoError('service/not-offered', {
      detail: msg('The service’s alternative base URL is unknown.'),
    })
  return alternativeBaseUrl
}

function urlOf(access: ServiceAccess, target: ServiceRequest<unknown>['target']): string {
  if ('address' in target) return ownAddress(access, target.address)
  const base = baseOf(access, target)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(target.query ?? {}))
    if (value !== undefined) query.set(name, String(value))
  return `${base}${target.path}${query.size > 0 ? `?${query.toString()}` : ''}`
}

function credentialsOf(
  access: ServiceAccess,
  auth: ServiceRequest<unknown>['auth'],
  perRequest: PayableOptions['perRequest'],
): Record<string, string> {
  switch (auth) {
    case 'none':
      return {}
    case 'key':
      return bearer(access)
    case 'credit-id':
      return creditIdHeader(access)
    case 'payable':
      if (perRequest?.authorization !== undefined) {
        if (!AUTHORIZATION.test(perRequest.authorization)) throw new SottoError('proxy/internal')
        return { authorization: perRequest.authorization }
      }
      return perRequest || !hasAccount(access) ? {} : bearer(access)
  }
}

/** @throws {SottoError} proxy/internal – a character that could end its header */
function requireToken(key: string): string {
  if (!/^[\w-]{1,100}$/.test(key)) throw new SottoError('proxy/internal')
  return key
}

async function* withRestarts(
  content: AsyncIterable<Uint8Array>,
  timeout: RequestTimeout,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    timeout.restart()
    yield chunk
  }
}

/** Returns the error of a body that failed during the upload, which fetch may have wrapped. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof SottoError ? thrown.cause : thrown
}

/** Creates a JSON body. Undefined members are omitted. */
export function jsonBody(value: Readonly<Record<string, unknown>>): RequestBody {
  return { contentType: 'application/json', content: JSON.stringify(value) }
}

/**
 * Creates a reader of JSON of at most `limit` bytes by its schema; `otherwise` is the error's text. Numbers
 * arrive as text.
 */
export function jsonAnswer<Schema extends z.ZodType>(
  schema: Schema,
  otherwise: LocalizedText,
  limit = 256 * 1024,
): (response: FetchResponse) => Promise<z.output<Schema>> {
  return async (response) => {
    const parsed = schema.safeParse(await readExactJson(response.body, limit))
    // The issues would quote the answer, which must not be logged.
    if (!parsed.success) throw new SottoError('service/response-invalid', { detail: otherwise })
    return parsed.data
  }
}

/**
 * Validates the caller's input by its schema, before anything is sent.
 * @param faults the schema's own messages; for other faults zod's message is used
 * @throws {SottoError} request/invalid – with the faulty member
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  faults: readonly LocalizedText[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new SottoError('request/invalid', {
    ...(issue && issue.path.length > 0 && { param: issue.path.join('.') }),
    ...(issue && faultOf(issue, faults)),
  })
}

/**
 * Returns the details of a fault. A tool gets the allowed values if the schema has them, and otherwise the
 * text for the person.
 */
function faultOf(issue: z.core.$ZodIssue, faults: readonly LocalizedText[]): SottoErrorDetails {
  const fault = faults.find((known) => renderEnglish(known) === issue.message)
  const allowed = fault ? '' : allowedBy(issue)
  return {
    detail: fault ?? msg('{words}.', { words: issue.message }),
    ...(allowed !== '' && { toolDetail: allowed }),
  }
}
