import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { guardInvoice, type GuardFacts } from '../../../src/core/payments/invoice-guard.ts'
import { readInvoice, type Invoice } from '../../../src/core/payments/invoice.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { mintInvoice, type Minting } from './mint-invoice.ts'

const NOW = 1_790_000_000_000
const body = new TextEncoder().encode('{"q":"cellos"}')
const sha256 = (bytes: Uint8Array, algorithm = 'sha256'): string =>
  createHash(algorithm).update(bytes).digest('base64')

const invoiceOf = (minting: Minting = {}): Invoice =>
  readInvoice(mintInvoice({ preimage: Buffer.alloc(32, 3), expirySeconds: 300, ...minting }).invoice)
const paymentHash = invoiceOf().paymentHash

type Asked = NonNullable<GuardFacts['demand']>
function facts({
  minting,
  demand,
  challenge,
  ...overrides
}: { minting?: Minting; demand?: Partial<Asked>; challenge?: Partial<Asked['challenge']> } & Partial<
  Omit<GuardFacts, 'demand'>
> = {}): GuardFacts {
  return {
    invoice: invoiceOf(minting),
    network: 'regtest',
    now: NOW,
    paidBefore: false,
    demand: { status: 402, body, ...demand, challenge: { stated: {}, ...challenge } },
    ...overrides,
  }
}

/** The code that refuses the payment, or undefined if it may be paid. */
function refusedBy(guardFacts: GuardFacts): string | undefined {
  try {
    guardInvoice(guardFacts)
    return undefined
  } catch (thrown) {
    if (thrown instanceof SottoError) return thrown.code
    throw thrown
  }
}

test('an invoice that passes every check is payable for its own amount until the earlier end', () => {
  expect(guardInvoice(facts())).toEqual({
    amountMsat: 14_000n,
    expiresAt: NOW + 300_000,
  })
  expect(
    guardInvoice(
      facts({
        challenge: {
          stated: { amountSat: '14', network: 'regtest', paymentHash },
          expiresAt: NOW + 60_000,
          digest: `sha-256=:${sha256(body)}:`,
        },
        demand: { listed: 11_200_000_000n, picoUsdPerSat: 800_000_000n },
      }),
    ),
  ).toEqual({ amountMsat: 14_000n, expiresAt: NOW + 60_000 })
  expect(
    guardInvoice({
      invoice: invoiceOf(),
      network: 'regtest',
      now: NOW,
      paidBefore: false,
      expectedMsat: 14_000n,
    }),
  ).toEqual({ amountMsat: 14_000n, expiresAt: NOW + 300_000 })
})

describe('the payment demand', () => {
  test.each([200, 202, 301, 400, 401, 403, 500])('is invalid with status %i', (status) => {
    expect(refusedBy(facts({ demand: { status } }))).toBe('service/challenge-invalid')
  })
  test('is refused if it was paid or may have been paid', () => {
    expect(refusedBy(facts({ paidBefore: true }))).toBe('payment/already-paid')
  })
})

describe('the network', () => {
  test.each([
    ['lnbc', 'regtest'],
    ['lntb', 'regtest'],
    ['lntbs', 'regtest'],
    ['lnsb', 'regtest'],
    ['lnbcrt', 'bitcoin'],
    ['lntb', 'bitcoin'],
    ['lntbs', 'bitcoin'],
  ] as const)('%s does not match %s', (prefix, network) => {
    expect(refusedBy(facts({ minting: { prefix }, network }))).toBe('payment/wrong-network')
  })
  test.each(['mainnet', 'bitcoin', 'Mainnet'])('named %s is Bitcoin’s', (named) => {
    expect(
      refusedBy(
        facts({ minting: { prefix: 'lnbc' }, network: 'bitcoin', challenge: { stated: { network: named } } }),
      ),
    ).toBeUndefined()
  })
  test.each(['mainnet', 'signet', 'testnet', 'liquid'])(
    'named %s is refused with a regtest invoice',
    (named) => {
      expect(refusedBy(facts({ challenge: { stated: { network: named } } }))).toBe('payment/wrong-network')
    },
  )
})

describe('the amount', () => {
  test.each(['', '0n', '0'])('%j is refused', (amount) => {
    expect(refusedBy(facts({ minting: { amount } }))).toBe('payment/no-amount')
  })
  test.each(['13', '15', '1', '14000', '0'])('of 14 sat does not match the stated %s', (amountSat) => {
    expect(refusedBy(facts({ challenge: { stated: { amountSat } } }))).toBe('payment/wrong-amount')
  })
  test.each([
    ['140000p', '14', undefined],
    ['140010p', '14', undefined],
    ['140010p', '15', undefined],
    ['140010p', '16', 'payment/wrong-amount'],
    ['140010p', '13', 'payment/wrong-amount'],
    ['140000p', '15', 'payment/wrong-amount'],
    ['140000p', '13', 'payment/wrong-amount'],
  ])('of %s matches the stated %s sat, rounded to a whole satoshi: %s', (amount, amountSat, code) => {
    expect(refusedBy(facts({ minting: { amount }, challenge: { stated: { amountSat } } }))).toBe(code)
  })
  test('must equal the requested one', () => {
    const { demand: _, ...topup } = facts()
    expect(refusedBy({ ...topup, expectedMsat: 14_001n })).toBe('payment/wrong-amount')
    expect(refusedBy({ ...topup, expectedMsat: 14_000n })).toBeUndefined()
  })
  // 14 sat at 0.0008 USD: 0.0112 USD.
  test.each([
    [11_200_000_000n, undefined],
    [13_000_000_000n, undefined],
    [9_300_000_000n, undefined],
    [9_100_000_000n, 'payment/above-listing'],
    [1n, 'payment/above-listing'],
    [0n, 'payment/above-listing'],
  ])('is compared with a listed price of %i pico-USD, with a tolerance of 5 % and 2 sat', (listed, code) => {
    expect(refusedBy(facts({ demand: { listed, picoUsdPerSat: 800_000_000n } }))).toBe(code)
    // Without a rate, the price can't be checked.
    expect(refusedBy(facts({ demand: { listed } }))).toBeUndefined()
    expect(refusedBy(facts({ demand: { listed, picoUsdPerSat: 0n } }))).toBeUndefined()
  })
})

test('the stated payment hash must be the invoice’s', () => {
  expect(refusedBy(facts({ challenge: { stated: { paymentHash: '00'.repeat(32) } } }))).toBe(
    'payment/wrong-hash',
  )
  expect(refusedBy(facts({ challenge: { stated: { paymentHash } } }))).toBeUndefined()
})

describe('the expiry', () => {
  test.each([
    [270_000, undefined],
    [270_001, 'payment/expired'],
    [300_000, 'payment/expired'],
    [10_000_000_000, 'payment/expired'],
  ])('of an invoice of 5 minutes, %i ms later', (later, code) => {
    expect(refusedBy(facts({ now: NOW + later }))).toBe(code)
  })
  test('of the challenge applies if it is earlier', () => {
    expect(refusedBy(facts({ challenge: { stated: {}, expiresAt: NOW + 29_999 } }))).toBe('payment/expired')
    expect(refusedBy(facts({ challenge: { stated: {}, expiresAt: Date.UTC(2020, 0) } }))).toBe(
      'payment/expired',
    )
  })
  test('uses the service’s clock if the clock of this computer is wrong', () => {
    for (const skew of [3_600_000, -3_600_000, 23 * 3_600_000]) {
      // This machine's clock is ahead or behind, but five minutes remain five minutes.
      expect(guardInvoice(facts({ now: NOW + skew, demand: { date: NOW } })).expiresAt).toBe(
        NOW + skew + 300_000,
      )
      expect(refusedBy(facts({ now: NOW + skew, demand: { date: NOW + 271_000 } }))).toBe('payment/expired')
    }
    // An impossible date has no effect.
    expect(refusedBy(facts({ now: NOW + 400_000, demand: { date: 0 } }))).toBe('payment/expired')
  })
})

describe('the digest', () => {
  const other = new TextEncoder().encode('{"q":"violas"}')
  test('must match the body, with every known algorithm', () => {
    for (const digest of [
      `sha-256=:${sha256(body)}:`,
      `SHA-256=${sha256(body)}`,
      `sha-512=:${sha256(body, 'sha512')}:`,
      `md5=:AAAA:, sha-256=:${sha256(body)}:`,
    ]) {
      expect([digest, refusedBy(facts({ challenge: { stated: {}, digest } }))]).toEqual([digest, undefined])
      expect(refusedBy(facts({ challenge: { stated: {}, digest }, demand: { body: other } }))).toBe(
        'payment/wrong-digest',
      )
    }
  })
  test.each([
    '',
    'sha-256',
    'sha-256=::',
    'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:',
    `sha-256=:${sha256(body)}:, sha-512=:${sha256(other, 'sha512')}:`,
    `x${'y'.repeat(2000)}`,
  ])('%j is invalid', (digest) => {
    expect(refusedBy(facts({ challenge: { digest } }))).toBe('payment/wrong-digest')
  })
  test('of an empty body is the hash of no bytes', () => {
    const digest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
    expect(refusedBy(facts({ challenge: { digest }, demand: { body: new Uint8Array(0) } }))).toBeUndefined()
  })
})
