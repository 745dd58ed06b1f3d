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

/** The service as its callers reach it. */
export interface Service {
  readonly fetch: Fetch
  /** Read anew for each request: an account may be connected meanwhile. */
  readonly access: () => ServiceAccess
  /** Unix ms; for dates in Retry-After. */
  readonly now?: () => number
  readonly retry?: RetryPolicy
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** How one payable request is paid: from the account by its key, or by itself with no account (Authentication 5). */
export interface PayableOptions extends CallOptions {
  /**
   * Present: no key is sent, and a 402 throws PaymentRequiredError. `authorization` then proves the payment: the identical
   * request is sent with it. `idempotencyKey` is the same each time. Absent: the key is sent, or nothing where there is none.
   */
  readonly perRequest?: { readonly authorization?: string; readonly idempotencyKey?: string } | undefined
}

export interface RequestBody {
  readonly contentType: string
  readonly content: string | AsyncIterable<Uint8Array>
  /** In bytes, of content that is iterated. */
  readonly length?: number
}

/** One request of the client as data: what is sent, who pays or asks, and how its answer is read. */
export interface ServiceRequest<Answer> {
  readonly method: FetchInit['method']
  /** Below the base URL, from its slash on; or an address that the service gave for something of its own. */
  readonly target:
    | {
        readonly path: string
        readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
        readonly base?: 'alternative'
      }
    | { readonly given: string }
  readonly auth: 'none' | 'key' | 'credit-id' | 'payable'
  readonly body?: RequestBody | undefined
  readonly accept?: string
  /** A free read, that may be sent again. */
  readonly repeatable?: boolean
  /** An enclave that is reached directly answers it too. */
  readonly direct?: true
  /** Longest wait without a byte either way, in ms. */
  readonly timeoutMs?: number
  /** Reads an answer of status 2xx. What it returns may go on reading the body. */
  readonly read: (response: FetchResponse, timeout: RequestTimeout) => Promise<Answer>
}

const TIMEOUT_MS = 30_000
/** A credential of its own line (RFC 9110 section 11.4), without what could end it. */
const AUTHORIZATION = /^(?:L402 [\w+/=.~:-]+|Payment [\w-]+={0,2})$/

/** Sends a request; repeats it where it is a read that may be. Every failure is a coded SottoError: service/…, request/canceled, and of a payable one without a key PaymentRequiredError. */
export async function perform<Answer>(
  service: Service,
  request: ServiceRequest<Answer>,
  { signal, perRequest }: PayableOptions = {},
): Promise<Answer> {
  // Who asks is settled at the start: another account that is chosen meanwhile changes nothing about this request.
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

/** Throws service/not-offered where it is not known. */
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
  if ('given' in target) return ownAddress(access, target.given)
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

/** Throws proxy/internal for what could end its header. */
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

/** A body that failed on its way up says why; fetch may have wrapped it. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof SottoError ? thrown.cause : thrown
}

/** Content for a JSON body; members that are undefined are left out. */
export function jsonBody(value: Readonly<Record<string, unknown>>): RequestBody {
  return { contentType: 'application/json', content: JSON.stringify(value) }
}

/** Reads JSON of at most `limit` bytes by its schema; `otherwise` is said where it does not fit. Numbers arrive as text. */
export function jsonAnswer<Schema extends z.ZodType>(
  schema: Schema,
  otherwise: LocalizedText,
  limit = 256 * 1024,
): (response: FetchResponse) => Promise<z.output<Schema>> {
  return async (response) => {
    const parsed = schema.safeParse(await readExactJson(response.body, limit))
    // The issues would quote the answer: they are for nobody's log.
    if (!parsed.success) throw new SottoError('service/response-invalid', { detail: otherwise })
    return parsed.data
  }
}

/**
 * The caller's input by its schema; throws request/invalid with the member at fault, before anything is sent.
 * @param faults what the schema itself says of a fault; of others zod's own words are told
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

/** A tool reads the allowed values if the schema tells them, and otherwise what the person reads. */
function faultOf(issue: z.core.$ZodIssue, faults: readonly LocalizedText[]): SottoErrorDetails {
  const fault = faults.find((known) => renderEnglish(known) === issue.message)
  const allowed = fault ? '' : allowedBy(issue)
  return {
    detail: fault ?? msg('{words}.', { words: issue.message }),
    ...(allowed !== '' && { toolDetail: allowed }),
  }
}
