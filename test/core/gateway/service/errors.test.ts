import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serviceFailure } from '../../../../src/core/gateway/service/http/failure.ts'
import { retryAfterSeconds } from '../../../../src/core/gateway/service/http/retry-after.ts'
import { listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import type { SottoError } from '../../../../src/shared/errors.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import { recorded, responseOf, scripted } from './scripted.ts'

const answers = recorded('errors')
const shapes: Record<string, { code: string; detail: string; param?: string; retryAfterSeconds?: number }> = {
  documented: { code: 'service/key-refused', detail: 'The service returned status 401: “Unauthorized”.' },
  chatNoAuth: {
    code: 'service/key-refused',
    detail: 'The service returned status 401: “Missing x-credit-id, Authorization or x-api-key”.',
  },
  embeddingsNoAuth: {
    code: 'service/key-refused',
    detail: 'The service returned status 401: “Missing or invalid Authorization header”.',
  },
  unknownKey: {
    code: 'service/key-refused',
    detail: 'The service returned status 401: “API key not found or has been revoked”.',
  },
  revokedKey: {
    code: 'service/key-revoked',
    detail: 'The service returned status 401: “API key has been revoked”.',
  },
  expiredKey: {
    code: 'service/key-expired',
    detail: 'The service returned status 401: “API key has expired”.',
  },
  cappedKey: {
    code: 'service/spending-cap',
    detail: 'The service returned status 402: “API key usage limit reached”.',
  },
  cappedKeyForbidden: {
    code: 'service/spending-cap',
    detail: 'The service returned status 403: “Spending limit exceeded for this key”.',
  },
  cappedKey429: {
    code: 'service/spending-cap',
    detail: 'The service returned status 429: “Key limit exceeded”.',
  },
  chatEmpty: {
    code: 'service/insufficient-balance',
    detail: 'The service returned status 402: “Insufficient credit.”.',
  },
  chatEmptySeptember: {
    code: 'service/insufficient-balance',
    detail: 'The service returned status 402: “Insufficient balance”.',
  },
  dataEmpty: {
    code: 'service/insufficient-balance',
    detail: 'The service returned status 402: “Insufficient balance”.',
  },
  unknownRoute: {
    code: 'service/not-found',
    detail: 'The service returned status 404: “OOPS! - 404 Not Found”.',
  },
  invoiceUnknown: {
    code: 'service/not-found',
    detail: 'The service returned status 404: “Invoice not found”.',
  },
  voiceMismatch: {
    code: 'service/rejected',
    detail: 'The service returned status 422: “Voice does not speak this language”.',
    param: 'voice',
  },
  badInput: {
    code: 'service/rejected',
    detail: 'The service returned status 400: “n must be at most 4”.',
    param: 'n',
  },
  unpriceable: { code: 'service/failed', detail: 'The service returned status 500.' },
  upstream: {
    code: 'service/unavailable',
    detail: 'The service returned status 502: “upstream unreachable”.',
  },
  maintenance: {
    code: 'service/unavailable',
    detail: 'The service returned status 503.',
    retryAfterSeconds: 120,
  },
  rateLimited: {
    code: 'service/rate-limited',
    detail: 'The service returned status 429: “Too Many Requests”.',
    retryAfterSeconds: 7,
  },
  rateLimitedUntil: {
    code: 'service/rate-limited',
    detail: 'The service returned status 429: “rate limit exceeded”.',
    retryAfterSeconds: 90,
  },
  redirect: {
    code: 'service/failed',
    detail: 'The service returned status 302 with a redirect, which Sotto doesn’t follow.',
  },
  nothing: { code: 'service/failed', detail: 'The service returned status 500.' },
  problem: {
    code: 'service/rejected',
    detail: 'The service returned status 400: “prompt is required”.',
    param: 'prompt',
  },
}

/** With the detail in English, as the proxy tells it. */
function renderDetail({
  details: { detail, ...details },
}: SottoError): object & { readonly detail?: string } {
  return { ...details, ...(detail && { detail: renderEnglish(detail) }) }
}

describe('each recorded error', () => {
  it('is covered by this test', () => expect(Object.keys(shapes).sort()).toEqual(Object.keys(answers).sort()))
  it.each(Object.entries(shapes))('%s', async (name, { code, ...details }) => {
    const failure = await serviceFailure(responseOf(answers[name]!), { authenticated: true })
    expect(failure.code).toBe(code)
    expect(renderDetail(failure)).toEqual(details)
  })
  it.each(Object.entries(shapes))(
    '%s, without authentication, gives only its code and status',
    async (name, { code }) => {
      const failure = await serviceFailure(responseOf(answers[name]!), { authenticated: false })
      expect(failure.code).toBe(code)
      expect(renderDetail(failure).detail).toMatch(
        /^The service returned status \d{3}(?: with a redirect, which Sotto doesn’t follow)?\.$/,
      )
      expect(failure.details.param).toBeUndefined()
    },
  )
  it.each(Object.entries(shapes))('%s is thrown unchanged by a call', async (name, { code }) => {
    const { service } = scripted([answers[name]!, answers[name]!, answers[name]!])
    await expect(listKeys(service)).rejects.toMatchObject({ code })
  })
})

describe('the service’s own code', () => {
  const failureOf = (status: number, error: object, authenticated = true) =>
    serviceFailure(responseOf({ status, body: { error } }), { authenticated })
  const error = {
    message: 'maximum context length is 8192 tokens',
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  }

  it.each([400, 413, 422])('is forwarded if tools act on it: %i', async (status) => {
    const failure = await failureOf(status, error)
    expect([failure.code, failure.codeForTools, failure.details.param]).toEqual([
      'service/rejected',
      'context_length_exceeded',
      'messages',
    ])
  })
  it.each([
    ['budget/exceeded'],
    ['privacy/path'],
    ['insufficient_quota'],
    ['context_length_exceeded_'],
    ['context_length'],
    ['x'.repeat(100)],
    ['__proto__'],
  ])('is omitted if it is any other: %s', async (code) => {
    const failure = await failureOf(400, { ...error, code })
    expect([failure.code, failure.codeForTools, failure.details.serviceCode]).toEqual([
      'service/rejected',
      'service/rejected',
      undefined,
    ])
  })
  it('is omitted if the failure isn’t about the request', async () => {
    expect((await failureOf(429, error)).codeForTools).toBe('service/rate-limited')
    expect((await failureOf(500, error)).codeForTools).toBe('service/failed')
  })
  it('is omitted without authentication', async () => {
    expect((await failureOf(400, error, false)).codeForTools).toBe('service/rejected')
  })
})

describe('error text is untrusted', () => {
  it('and becomes one line without control characters, of bounded length', async () => {
    const failure = await serviceFailure(
      responseOf({ status: 400, body: { error: { message: `a\r\nb\u0000\u202ec ${'x'.repeat(1000)}` } } }),
      { authenticated: true },
    )
    expect(renderDetail(failure).detail).toMatch(/^The service returned status 400: “a b c x{294}…”\.$/)
  })
  it('and is not read beyond 64 KiB or in an unknown form', async () => {
    for (const text of [
      `{"error":"${'x'.repeat(70_000)}"}`,
      '[1,2]',
      '{"error":{"message":7}}',
      '{',
      '\xff{',
    ]) {
      const failure = await serviceFailure(responseOf({ status: 400, text }), { authenticated: true })
      expect(renderDetail(failure)).toEqual({ detail: 'The service returned status 400.' })
    }
  })
  it('and its invalid field names are omitted', async () => {
    const failure = await serviceFailure(
      responseOf({ status: 400, body: { error: { message: 'm', param: 'a b\n<script>' } } }),
      { authenticated: true },
    )
    expect(renderDetail(failure)).toEqual({ detail: 'The service returned status 400: “m”.' })
  })
})

describe('an error of another shape', () => {
  const failed = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const failure = await serviceFailure(responseOf({ status, body, headers }), { authenticated: true })
    return { code: failure.code, ...renderDetail(failure) }
  }
  it.each<[unknown, string, string | undefined]>([
    [{ detail: 'Not allowed' }, 'Not allowed', undefined],
    [{ detail: { message: 'Not allowed', field: 'model' } }, 'Not allowed', 'model'],
    [
      {
        detail: [
          { loc: ['body', 'messages', 0, 'content'], msg: 'field required', type: 'value_error.missing' },
        ],
      },
      'field required',
      'messages.0.content',
    ],
    [{ errors: ['Too long', 'Too many'] }, 'Too long', undefined],
    [{ errors: [{ message: 'Too long', param: 'input' }] }, 'Too long', 'input'],
    [{ error: [{ message: 'Too long' }] }, 'Too long', undefined],
    [{ error: { errors: [{ message: 'Too long' }] } }, 'Too long', undefined],
    ['Too long', 'Too long', undefined],
    [{ error: 'Bad Request', message: 'Too long' }, 'Too long', undefined],
    [{ title: 'Bad Request', detail: 'Too long' }, 'Too long', undefined],
  ])('%j is shown', async (body, message, param) => {
    expect(await failed(422, body)).toEqual({
      code: 'service/rejected',
      detail: `The service returned status 422: “${message}”.`,
      ...(param !== undefined && { param }),
    })
  })
  it.each<[object]>([
    [{ error: { code: 'balance_backoff', message: 'Top up' } }],
    [{ code: 'balance_backoff' }],
    [{ error: 'balance_backoff' }],
    [{ error: { type: 'balance_backoff' } }],
    [{ message: 'Balance backoff in effect' }],
    [{ error: { type: 'insufficient_quota', message: 'You exceeded your quota' } }],
  ])('429 %j means an empty account, with the time to wait', async (body) => {
    expect(await failed(429, { ...body, retry_after: 30 })).toMatchObject({
      code: 'service/insufficient-balance',
      retryAfterSeconds: 30,
    })
  })
  it.each<[object, number]>([
    [{ retry_after: 30 }, 30],
    [{ retry_after_seconds: '30' }, 30],
    [{ error: { message: 'x', retryAfter: 1.2 } }, 2],
    [{ detail: { retry_after: 30 } }, 30],
    [{ retry_after: 1e12 }, 999_999],
  ])('%j states how long to wait', async (body, seconds) => {
    expect(await failed(429, body)).toMatchObject({
      code: 'service/rate-limited',
      retryAfterSeconds: seconds,
    })
    // The header counts before the body.
    expect(await failed(429, body, { 'retry-after': '7' })).toMatchObject({ retryAfterSeconds: 7 })
  })
  it.each([
    [{ retry_after: -1 }],
    [{ retry_after: 'soon' }],
    [{ retry_after: null }],
    [{ retry_after: [3] }],
  ])('%j doesn’t state how long to wait', async (body) => {
    expect(await failed(429, body)).not.toHaveProperty('retryAfterSeconds')
  })
  it.each([402, 404, 405, 406, 411, 412, 413, 414, 416, 417, 418, 421, 426, 428, 431, 451, 499])(
    'status %i isn’t retried',
    async (status) => {
      const { code } = await failed(status, {})
      expect(['service/insufficient-balance', 'service/not-found', 'service/rejected']).toContain(code)
    },
  )
  it('of any form is parsed without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(400, 429, 500), async (body, status) => {
        expect((await failed(status, body)).code).toMatch(/^service\//)
      }),
      { numRuns: 300 },
    )
  })
})

describe('Retry-After', () => {
  const read = (headers: Record<string, string>): number | undefined =>
    retryAfterSeconds({ get: (name) => headers[name] ?? null }, () => Date.parse('2026-11-21T21:00:00Z'))
  it.each([
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 12 ' }, 12],
    [{ 'retry-after': 'Sat, 21 Nov 2026 21:00:30 GMT' }, 30],
    [{ 'retry-after': 'Sat, 21 Nov 2026 20:00:30 GMT' }, 0],
    [{ 'retry-after': 'Sat, 21 Nov 2026 21:00:30 GMT', date: 'Sat, 21 Nov 2026 21:00:10 GMT' }, 20],
    [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 999_999],
  ])('accepts %o', (headers, seconds) => expect(read(headers as Record<string, string>)).toBe(seconds))
  it.each([
    '',
    '-1',
    '1.5',
    '1e3',
    '99999999',
    'soon',
    '2026-11-21T21:00:30Z',
    'Sat, 99 Nov 2026 21:00:30 GMT',
  ])('ignores “%s”', (value) => expect(read({ 'retry-after': value })).toBeUndefined())
  it('can be absent', () => expect(read({})).toBeUndefined())
})
