import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { guardInvoice, type GuardFacts } from '../../src/core/payments/invoice-guard.ts'
import { readInvoice, type Invoice } from '../../src/core/payments/invoice.ts'
import { parsePaymentChallenge } from '../../src/core/gateway/service/http/payment-challenge.ts'
import { ChallengeSyntaxError } from '../../src/core/gateway/service/http/www-authenticate.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { mintInvoice } from '../core/payments/mint-invoice.ts'
import { edited, edits, parserRuns, readOrRefuse } from './hostile-bytes.ts'

const NOW = 1_790_000_000_000
const body = new TextEncoder().encode('{"q":"cellos"}')
const ownDigest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
const hash = 'ab'.repeat(32)

const near = (value: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constant(value),
    fc.integer({ min: value - 100_000, max: value + 700_000 }),
    fc.integer({ min: 0, max: 4e12 }),
  )
const invoices: fc.Arbitrary<Invoice> = fc.record({
  network: fc.oneof(
    { weight: 4, arbitrary: fc.constant('regtest' as const) },
    fc.constantFrom('bitcoin' as const, 'testnet' as const, 'signet' as const),
  ),
  amountMsat: fc.oneof(
    { weight: 5, arbitrary: fc.constant(14_000n) },
    fc.constantFrom(null, 0n, 14_001n),
    fc.bigInt({ min: 0n, max: 10n ** 18n }),
  ),
  timestamp: near(NOW),
  expiresAt: near(NOW + 300_000),
  paymentHash: fc.oneof({ weight: 4, arbitrary: fc.constant(hash) }, fc.constant('cd'.repeat(32))),
  payee: fc.constant('02'.repeat(33)),
})
const facts: fc.Arbitrary<GuardFacts> = fc.record(
  {
    invoice: invoices,
    network: fc.oneof(
      { weight: 4, arbitrary: fc.constant('regtest' as const) },
      fc.constant('bitcoin' as const),
    ),
    now: near(NOW),
    paidBefore: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    expectedMsat: fc.constantFrom(14_000n, 14_000n, 15_000n),
    demand: fc.record(
      {
        status: fc.oneof({ weight: 5, arbitrary: fc.constant(402) }, fc.integer({ min: 100, max: 599 })),
        date: near(NOW),
        body: fc.oneof({ weight: 4, arbitrary: fc.constant(body) }, fc.uint8Array({ maxLength: 4 })),
        listed: fc.oneof(fc.constant(11_200_000_000n), fc.bigInt({ min: 0n, max: 10n ** 13n })),
        picoUsdPerSat: fc.oneof(fc.constant(800_000_000n), fc.bigInt({ min: -5n, max: 10n ** 12n })),
        challenge: fc.record(
          {
            stated: fc.record(
              {
                amountSat: fc.oneof(
                  { weight: 4, arbitrary: fc.constant('14') },
                  fc.stringMatching(/^\d{1,16}$/),
                ),
                network: fc.constantFrom('regtest', 'regtest', 'Regtest', 'mainnet', 'bitcoin', ''),
                paymentHash: fc.constantFrom(hash, hash, '00'.repeat(32)),
              },
              { requiredKeys: [] },
            ),
            expiresAt: near(NOW + 300_000),
            digest: fc.oneof({ weight: 3, arbitrary: fc.constant(ownDigest) }, fc.string({ maxLength: 60 })),
          },
          { requiredKeys: ['stated'] },
        ),
      },
      { requiredKeys: ['status', 'body', 'challenge'] },
    ),
  },
  { requiredKeys: ['invoice', 'network', 'now', 'paidBefore'] },
)

/** The rules again, independent of the guard: each can only forbid. */
function forbidden({ invoice, network, now, paidBefore, expectedMsat, demand }: GuardFacts): string[] {
  const sat = invoice.amountMsat === null ? null : Number(invoice.amountMsat) / 1000
  const stated = demand?.challenge.stated
  // The time left by the service's clock, or by this clock if the service reports no plausible time.
  const serviceNow =
    demand?.date !== undefined && Math.abs(demand.date - now) <= 24 * 3_600_000 ? demand.date : now
  const rules: Record<string, boolean> = {
    'status 402': demand !== undefined && demand.status !== 402,
    'no second payment': paidBefore,
    'own network': invoice.network !== network,
    'an amount': sat === null || sat <= 0,
    'the amount that was asked for': expectedMsat !== undefined && expectedMsat !== invoice.amountMsat,
    // In whole satoshis, which an invoice need not be.
    'the amount that is stated':
      stated?.amountSat !== undefined && !(sat !== null && Math.abs(Number(stated.amountSat) - sat) < 1),
    'the network that is stated':
      stated?.network !== undefined &&
      { mainnet: 'bitcoin' }[stated.network.toLowerCase()] !== invoice.network &&
      stated.network.toLowerCase() !== invoice.network,
    'the hash that is stated':
      stated?.paymentHash !== undefined && stated.paymentHash !== invoice.paymentHash,
    'the digest that is named':
      demand?.challenge.digest !== undefined &&
      !(demand.challenge.digest === ownDigest && Buffer.from(demand.body).equals(body)),
    'half a minute left':
      Math.min(invoice.expiresAt, demand?.challenge.expiresAt ?? Infinity) - serviceNow < 30_000,
    // Twice the listed price plus 10 sat is beyond any drift.
    'the listing’s price':
      sat !== null &&
      demand?.listed !== undefined &&
      (demand.picoUsdPerSat ?? 0n) > 0n &&
      sat > (2 * Number(demand.listed)) / Number(demand.picoUsdPerSat) + 10,
  }
  return Object.entries(rules).flatMap(([rule, broken]) => (broken ? [rule] : []))
}

it('the guard allows nothing that a rule forbids', () => {
  let allowed = 0
  fc.assert(
    fc.property(facts, (input) => {
      const guarded = readOrRefuse(() => guardInvoice(input), SottoError)
      if (!guarded) return
      allowed++
      expect(forbidden(input)).toEqual([])
      expect(guarded.amountMsat).toBe(input.invoice.amountMsat)
    }),
    { numRuns: parserRuns },
  )
  // Without this check, a guard that refuses everything would pass.
  expect(allowed).toBeGreaterThan(parserRuns / 1000)
})

it('a challenge that was edited is refused, or still asks for the very invoice that was signed', () => {
  const { invoice, paymentHash } = mintInvoice({
    preimage: Buffer.alloc(32, 4),
    timestamp: NOW / 1000,
    expirySeconds: 300,
  })
  const request = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const stated = {
    amount: '14',
    currency: 'sat',
    methodDetails: { invoice, network: 'regtest', paymentHash },
  }
  const genuine = [
    `Payment id="abc", realm="r", method="lightning", intent="charge", request="${request(stated)}", expires="2026-09-21T13:20:00Z"`,
    `L402 version="0", token="AGIA==", invoice="${invoice}"`,
    `Payment id="abc", method=lightning, invoice="${invoice}", digest="${ownDigest}"`,
    `LSAT macaroon="AGIA", invoice="${invoice}", L402 macaroon="AGIA", invoice="${invoice}", Payment id="x", realm="r", method="tempo", intent="charge", request="e30"`,
  ]
  const now = Date.parse('2026-09-21T13:15:00Z')
  const fresh = { ...readInvoice(invoice), timestamp: now, expiresAt: now + 300_000 }
  let allowed = 0
  fc.assert(
    fc.property(fc.constantFrom(...genuine), edits, (field, changes) => {
      const challenge = readOrRefuse(
        () => parsePaymentChallenge(edited(Buffer.from(field, 'latin1'), changes).toString('latin1')),
        ChallengeSyntaxError,
      )
      if (!challenge) return
      const read =
        challenge.invoice === invoice ? fresh : readOrRefuse(() => readInvoice(challenge.invoice), SottoError)
      // An edit can't turn the invoice into another valid one.
      if (read) expect(challenge.invoice).toBe(invoice)
      if (
        !read ||
        !readOrRefuse(
          () =>
            guardInvoice({
              invoice: read,
              network: 'regtest',
              now,
              paidBefore: false,
              demand: { status: 402, challenge, body },
            }),
          SottoError,
        )
      )
        return
      allowed++
      expect([undefined, '14']).toContain(challenge.stated.amountSat)
      expect([undefined, paymentHash]).toContain(challenge.stated.paymentHash)
      expect([undefined, 'regtest']).toContain(challenge.stated.network?.toLowerCase())
      expect(challenge.expiresAt ?? Infinity).toBeGreaterThanOrEqual(now + 30_000)
    }),
    { numRuns: parserRuns },
  )
  expect(allowed).toBeGreaterThan(parserRuns / 1000)
})

it('an invoice with changed words and a new checksum is refused or names another payee', () => {
  const { invoice } = mintInvoice({
    preimage: Buffer.alloc(32, 4),
    timestamp: NOW / 1000,
    expirySeconds: 300,
  })
  const { payee } = readInvoice(invoice)
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, false)
  const change = fc.tuple(fc.nat(words.length - 1), fc.nat(31))
  // For each readable invoice, a key is recovered, which takes time.
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(prefix, 'lnbcrt14u', 'lnbc140n', 'lnbcrt'),
      (changes, readable) => {
        const other = [...words]
        for (const [at, word] of changes) other[at] = word
        const text = bech32.encode(readable, other, false)
        if (text === invoice) return
        const read = readOrRefuse(() => readInvoice(text), SottoError)
        if (read) expect(read.payee).not.toBe(payee)
      },
    ),
    { numRuns: Math.max(1, Math.floor(parserRuns / 20)) },
  )
})
