import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePaymentChallenge } from '../../../../src/core/gateway/service/http/payment-challenge.ts'
import { PaymentRequiredError } from '../../../../src/core/gateway/service/http/payment-required.ts'
import {
  ChallengeSyntaxError,
  parseChallenges,
} from '../../../../src/core/gateway/service/http/www-authenticate.ts'
import {
  jsonBody,
  type PayableOptions,
  type Service,
} from '../../../../src/core/gateway/service/http/perform.ts'
import { msg } from '../../../../src/shared/localized-text.ts'
import { account, API_KEY, codeOf, passed, recorded, scripted, search } from './scripted.ts'

const answers = recorded('payment')
const { apiKey: _, creditId: __, ...nobody } = account
const INVOICE = 'lnbc140n1p5qqqqqpp5qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq'
const HASH = '0001020304050607080900010203040506070809000102030405060708090102'

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )
}

describe('responses to a request without an account', () => {
  const expected: Record<string, object> = {
    observed: {
      scheme: 'payment',
      invoice: INVOICE,
      token: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
      expiresAt: Date.parse('2026-10-02T16:49:01.399Z'),
      description: 'Data: Web Search',
      stated: { amountSat: '14', network: 'mainnet', paymentHash: HASH },
      echo: expect.objectContaining({
        id: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
        realm: 'e3ea41b5d458',
        method: 'lightning',
        intent: 'charge',
        expires: '2026-10-02T16:49:01.399Z',
        description: 'Data: Web Search',
        request: expect.stringMatching(/^eyJhbW91bnQ/) as string,
      }) as object,
    },
    specified: { scheme: 'payment', invoice: INVOICE, token: 'abc123', stated: {} },
    l402: { scheme: 'l402', invoice: INVOICE, token: 'AGIAJEemVQUTEyNCR0exk7ek90Cg==', stated: {} },
    lsat: { scheme: 'l402', invoice: INVOICE, token: 'AGIAJEemVQUTEyNCR0exk7ek90Cg==', stated: {} },
    invoiceInBody: { scheme: 'payment', invoice: INVOICE, token: 'AGIA+/==', stated: {} },
    malformedCredential: { scheme: 'payment', invoice: INVOICE, token: 'abc124', stated: {} },
  }
  it.each(Object.entries(expected))('%s is read', async (name, challenge) => {
    const { service, sent } = scripted([answers[name]!], nobody)
    const failure = await thrownBy(search(service, { query: 'x' }))
    expect(failure).toBeInstanceOf(PaymentRequiredError)
    expect(failure).toMatchObject({ code: 'service/payment-required' })
    expect((failure as PaymentRequiredError).challenge).toEqual(challenge)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.headers).not.toHaveProperty('authorization')
  })
  it('include the problem that the service reports with a credential', async () => {
    const failure = await thrownBy(search(scripted([answers['malformedCredential']!], nobody).service, {}))
    expect((failure as PaymentRequiredError).problem).toBe(
      'https://paymentauth.org/problems/malformed-credential',
    )
  })
  it.each(['garbled', 'otherMethod', 'session', 'noInvoice', 'twoInvoices'])(
    '%s is not payable',
    async (name) => {
      expect(await codeOf(search(scripted([answers[name]!], nobody).service, {}))).toBe(
        'service/challenge-invalid',
      )
    },
  )
  it('with status 402 and without a challenge can’t be paid', async () => {
    expect(await codeOf(search(scripted([recorded('errors')['dataEmpty']!], nobody).service, {}))).toBe(
      'service/challenge-invalid',
    )
  })
  it.each([401, 403])(
    'with status %i and without a challenge concern the account, or the credential',
    async (status) => {
      const answer = { status, body: { error: { message: 'no' } } }
      expect(await codeOf(search(scripted([answer], nobody).service, {}))).toBe('service/no-account')
      await expect(
        search(scripted([answer]).service, {}, { perRequest: { authorization: 'Payment e30' } }),
      ).rejects.toMatchObject({
        code: 'payment/credential-refused',
        details: {
          detail: msg('The service returned status {status}: “{message}”.', { status, message: 'no' }),
        },
      })
      expect(await codeOf(search(scripted([answer]).service, {}))).toBe('service/key-refused')
    },
  )
  it('of any other kind have their usual error codes', async () => {
    for (const [name, code] of [
      ['badInput', 'service/rejected'],
      ['rateLimited', 'service/rate-limited'],
      ['unpriceable', 'service/failed'],
    ] as const) {
      expect(await codeOf(search(scripted([recorded('errors')[name]!], nobody).service, {}))).toBe(code)
    }
  })
})

describe('the payment of a request', () => {
  const generate = (service: Service, options?: PayableOptions): Promise<unknown> =>
    passed(
      service,
      'images/generations',
      { method: 'POST', body: jsonBody({ model: 'affresco-1', prompt: 'a cat' }) },
      options,
    )
  it('by an account is refused for its balance, even if the response has a challenge', async () => {
    const { service, sent } = scripted([answers['observed']!])
    expect(await codeOf(generate(service))).toBe('service/insufficient-balance')
    expect(sent[0]?.headers['authorization']).toBe(`Bearer ${API_KEY}`)
  })
  it('by a purchase never sends the API key', async () => {
    const { service, sent } = scripted([answers['observed']!])
    expect(await thrownBy(generate(service, { perRequest: {} }))).toBeInstanceOf(PaymentRequiredError)
    expect(JSON.stringify(sent)).not.toContain(API_KEY)
  })
  it('by a purchase sends the identical request again with the credential', async () => {
    const { service, sent } = scripted([answers['observed']!, recorded('media')['images']!])
    await thrownBy(generate(service, { perRequest: {} }))
    await generate(service, { perRequest: { authorization: `L402 abc:${'0'.repeat(64)}` } })
    const [
      unpaid,
      {
        headers: { authorization, ...headers },
        ...paid
      },
    ] = sent as [(typeof sent)[number], (typeof sent)[number]]
    expect({ ...paid, headers }).toEqual(unpaid)
    expect(authorization).toBe(`L402 abc:${'0'.repeat(64)}`)
  })
  it('with an invalid credential is challenged again, with either status', async () => {
    for (const name of ['malformedCredential', 'unauthorizedWithChallenge']) {
      const { service } = scripted([answers[name]!], nobody)
      expect(
        await thrownBy(generate(service, { perRequest: { authorization: 'Payment eyJhIjoxfQ' } })),
      ).toBeInstanceOf(PaymentRequiredError)
    }
    expect(await codeOf(generate(scripted([answers['unauthorizedWithChallenge']!]).service))).toBe(
      'service/key-refused',
    )
  })
  it.each(['Bearer sk-x', 'L402 a b:c', 'L402 a:b\r\nx: y', '', 'Payment not base64'])(
    'refuses to send “%s” as a credential',
    async (authorization) => {
      const { service, sent } = scripted([])
      expect(await codeOf(generate(service, { perRequest: { authorization } }))).toBe('proxy/internal')
      expect(sent).toEqual([])
    },
  )
})

describe('parseChallenges', () => {
  const read = (field: string): [string, Record<string, string> | string][] =>
    parseChallenges(field).map(({ scheme, token68, params }) => [
      scheme,
      token68 ?? Object.fromEntries(params),
    ])
  it.each([
    ['', []],
    [' , ,', []],
    ['Basic', [['basic', {}]]],
    ['Negotiate abc==', [['negotiate', 'abc==']]],
    ['Payment id=', [['payment', 'id=']]],
    [
      'Negotiate abc==, L402 token="t"',
      [
        ['negotiate', 'abc=='],
        ['l402', { token: 't' }],
      ],
    ],
    [
      'Bearer realm="x", Payment id="a", method=lightning',
      [
        ['bearer', { realm: 'x' }],
        ['payment', { id: 'a', method: 'lightning' }],
      ],
    ],
    [
      'LSAT macaroon="m", invoice="i", L402 macaroon="m", invoice="i"',
      [
        ['lsat', { macaroon: 'm', invoice: 'i' }],
        ['l402', { macaroon: 'm', invoice: 'i' }],
      ],
    ],
    ['L402 macaroon=AGIA/+==, invoice=lnbc1x', [['l402', { macaroon: 'AGIA/+==', invoice: 'lnbc1x' }]]],
    ['Payment id = "x" ,ID2\t=\ty', [['payment', { id: 'x', id2: 'y' }]]],
    ['Basic realm="L402 token=\\"evil\\", x=\\\\"', [['basic', { realm: 'L402 token="evil", x=\\' }]]],
    ['L402 version="0", token="t" invoice="i"', [['l402', { version: '0', token: 't', invoice: 'i' }]]],
    ['PAYMENT ID="a"', [['payment', { id: 'a' }]]],
    [
      'Basic, Payment id=""',
      [
        ['basic', {}],
        ['payment', { id: '' }],
      ],
    ],
  ])('%s', (field, challenges) => expect(read(field)).toEqual(challenges))
  it.each([
    '"x"',
    'id="x"',
    'Payment id="x',
    'Payment id=,x=1',
    'Payment id="a", id="b"',
    'Payment id="a", ID="b"',
    'Payment id="a\r\nb"',
    'Payment id="a\u0000"',
    'Payment (',
    'Payment id="\u20ac"',
    `Payment id="${'x'.repeat(70_000)}"`,
    'A, '.repeat(20),
    `A ${Array.from({ length: 40 }, (_unused, n) => `p${String(n)}=1`).join(',')}`,
  ])('refuses %s', (field) => {
    expect(() => parseChallenges(field)).toThrow(ChallengeSyntaxError)
  })

  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/)
  const value = fc.string({
    unit: fc.constantFrom(...Array.from({ length: 95 }, (_unused, at) => String.fromCharCode(32 + at)), '\t'),
    maxLength: 40,
  })
  const space = fc.stringMatching(/^[ \t]{0,2}$/)
  const challenge = fc.record({
    scheme: name,
    params: fc.uniqueArray(fc.tuple(name, value), {
      selector: ([key]) => key.toLowerCase(),
      minLength: 1,
      maxLength: 6,
    }),
  })
  it('parses every well-formed header', () => {
    fc.assert(
      fc.property(
        fc.array(challenge, { minLength: 1, maxLength: 4 }),
        space,
        space,
        fc.constantFrom(', ', ',', ' , ,'),
        (challenges, before, after, comma) => {
          const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
          const written = challenges
            .map(
              ({ scheme, params }) =>
                `${scheme} ${params.map(([key, text]) => `${key}${before}=${after}${quoted(text)}`).join(comma)}`,
            )
            .join(comma)
          expect(read(written)).toEqual(
            challenges.map(({ scheme, params }) => [
              scheme.toLowerCase(),
              Object.fromEntries(params.map(([key, text]) => [key.toLowerCase(), text])),
            ]),
          )
        },
      ),
    )
  })
  it('throws only its own error for any input', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          'Payment ',
          'L402 ',
          'id=',
          '"',
          '\\',
          ',',
          '=',
          ' ',
          'method=lightning',
          'invoice="',
          INVOICE,
          'request="e30"',
          '\n',
          'é',
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
          soup,
        ),
        (field) => {
          for (const parse of [parseChallenges, parsePaymentChallenge]) {
            try {
              parse(field)
            } catch (thrown) {
              expect(thrown).toBeInstanceOf(ChallengeSyntaxError)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('parsePaymentChallenge', () => {
  const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const request = {
    amount: '14',
    currency: 'sat',
    methodDetails: { invoice: INVOICE, network: 'regtest', paymentHash: HASH.toUpperCase() },
  }
  const complete = `Payment id="i", realm="r", method="Lightning", intent="charge", request="${base64url(request)}"`
  it('accepts padding, any case of the method, and any order', () => {
    expect(
      parsePaymentChallenge(
        `Payment request="${Buffer.from(JSON.stringify(request)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}", method=LIGHTNING, id=i`,
      ),
    ).toMatchObject({
      invoice: INVOICE,
      token: 'i',
      stated: { amountSat: '14', network: 'regtest', paymentHash: HASH },
    })
  })
  it('prefers the Payment scheme, then L402, then LSAT', () => {
    const l402 = `LSAT macaroon="old", invoice="${INVOICE}", L402 token="new", invoice="${INVOICE}"`
    expect(parsePaymentChallenge(`${l402}, ${complete}`)).toMatchObject({ scheme: 'payment', token: 'i' })
    expect(parsePaymentChallenge(l402)).toMatchObject({ scheme: 'l402', token: 'new' })
    expect(parsePaymentChallenge('Bearer realm="x"')).toBeUndefined()
  })
  it('echoes only complete parameters', () => {
    expect(parsePaymentChallenge(complete)?.echo).toEqual({
      id: 'i',
      realm: 'r',
      method: 'Lightning',
      intent: 'charge',
      request: base64url(request),
    })
    expect(
      parsePaymentChallenge(`Payment id="i", method="lightning", invoice="${INVOICE}"`)?.echo,
    ).toBeUndefined()
    expect(
      parsePaymentChallenge(`${complete}, opaque="o", digest="sha-256=:AA=:", more="x"`)?.echo,
    ).toMatchObject({ opaque: 'o', digest: 'sha-256=:AA=:' })
  })
  it('ignores an amount in another currency', () => {
    expect(
      parsePaymentChallenge(
        `Payment id=i, method=lightning, request="${base64url({ ...request, currency: 'usd' })}"`,
      )?.stated.amountSat,
    ).toBeUndefined()
  })
  it('reads an amount as text or as a number, in sats if no currency is named', () => {
    const { currency: _, ...unnamed } = request
    for (const written of [{ ...request, amount: 14 }, unnamed, { ...unnamed, amount: 14 }]) {
      expect(
        parsePaymentChallenge(`Payment id=i, method=lightning, request="${base64url(written)}"`)?.stated
          .amountSat,
      ).toBe('14')
    }
  })
  it.each([
    [
      'two invoices in one header',
      `Payment id=i, method=lightning, invoice="${INVOICE}x", request="${base64url(request)}"`,
    ],
    ['a request that is no JSON', 'Payment id=i, method=lightning, request="AAAA"'],
    [
      'a request that is an array',
      `Payment id=i, method=lightning, invoice="${INVOICE}", request="${base64url([])}"`,
    ],
    [
      'a request that names a member twice',
      `Payment id=i, method=lightning, request="${Buffer.from(`{"invoice":"${INVOICE}","invoice":"${INVOICE}"}`).toString('base64url')}"`,
    ],
    ['a request that is no base64url', `Payment id=i, method=lightning, invoice="${INVOICE}", request="a b"`],
    [
      'a request that is huge',
      `Payment id=i, method=lightning, invoice="${INVOICE}", request="${'A'.repeat(20_000)}"`,
    ],
    ['no token', `L402 invoice="${INVOICE}"`],
    ['a token that ends its line', `L402 token="a b", invoice="${INVOICE}"`],
    ['an invoice that is none', 'L402 token="a", invoice="https://pay.example"'],
    ['an invoice that is huge', `L402 token="a", invoice="${INVOICE}${'q'.repeat(5000)}"`],
    ['an end that is no date', `Payment id=i, method=lightning, invoice="${INVOICE}", expires="soon"`],
    [
      'an amount that is no number',
      `Payment id=i, method=lightning, request="${base64url({ ...request, amount: '1e3' })}"`,
    ],
    [
      'an amount that is a part of a satoshi',
      `Payment id=i, method=lightning, request="${base64url({ ...request, amount: 1.5 })}"`,
    ],
    [
      'an amount that is nothing that can be read',
      `Payment id=i, method=lightning, request="${base64url({ ...request, amount: '' })}"`,
    ],
    [
      'a currency that is no text',
      `Payment id=i, method=lightning, request="${base64url({ ...request, currency: 1 })}"`,
    ],
    [
      'a payment hash that is no text',
      `Payment id=i, method=lightning, request="${base64url({ ...request, methodDetails: { ...request.methodDetails, paymentHash: 0 } })}"`,
    ],
    [
      'a network that is no text',
      `Payment id=i, method=lightning, request="${base64url({ ...request, methodDetails: { ...request.methodDetails, network: ['regtest'] } })}"`,
    ],
    [
      'a payment hash that is none',
      `Payment id=i, method=lightning, request="${base64url({ ...request, methodDetails: { ...request.methodDetails, paymentHash: 'zz' } })}"`,
    ],
  ])('refuses %s', (_name, field) => expect(() => parsePaymentChallenge(field)).toThrow(ChallengeSyntaxError))
  it('refuses a body that contradicts the header, in each of its members', () => {
    for (const body of [
      { pr: `${INVOICE}q` },
      { payment: { payment_request: `${INVOICE}q` } },
      { lightning: { bolt11: `${INVOICE}q` } },
    ]) {
      expect(() => parsePaymentChallenge(complete, body)).toThrow(ChallengeSyntaxError)
    }
    expect(parsePaymentChallenge(complete, { pr: INVOICE.toUpperCase() })?.invoice).toBe(INVOICE)
  })
})
