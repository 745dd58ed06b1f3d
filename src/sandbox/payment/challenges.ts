import { z } from 'zod'
import { small, smallOrNull, text, type LedgerDatabase, type Row } from '../ledger/database.ts'
import type { InvoicePayer } from '../ledger/record.ts'
import type { RandomBytes } from '../random.ts'
import { documentedRefusal, type Refusal } from '../refusal.ts'
import type { Price } from '../route/pay-per-request.ts'
import { unitsFor } from './methods.ts'
import { provesPayment, type InvoiceSource } from './lightning-node.ts'
import { tryParseJson } from '../route/schemas.ts'

/** Observed: a challenge holds for five minutes. */
const lifetimeMs = 5 * 60_000
const problems = 'https://paymentauth.org/problems/'

interface Challenge {
  readonly id: string
  readonly requestDigest: string
  /** The parameters of the header, JSON. */
  readonly parameters: string
  readonly paymentHash: string
}

type Shown = {
  readonly id: string
  readonly preimage: string
  readonly echo?: Readonly<Record<string, string>>
}

type Settled =
  | { readonly payer: InvoicePayer; readonly headers: Readonly<Record<string, string>> }
  | { readonly refusal: Refusal }

const credentialSchema = z.object({
  challenge: z.record(z.string(), z.string()).and(z.object({ id: z.string() })),
  payload: z.object({ preimage: z.string() }),
})

/** Why a credential was refused: the last part of the problem's type, and its detail. */
type Problem = readonly [type: string, detail: string]

/**
 * Payment for one request (Authentication 5 of the specification; the Payment scheme as it was observed). A challenge is
 * bound to method, path, query and body, and its credential is spent once.
 */
export class Challenges {
  readonly #db: LedgerDatabase
  readonly #node: InvoiceSource
  readonly #random: RandomBytes
  readonly #realm: string

  constructor(db: LedgerDatabase, node: InvoiceSource, random: RandomBytes, realm: string) {
    this.#db = db
    this.#node = node
    this.#random = random
    this.#realm = realm
  }

  /**
   * @param authorization the header, without an API key
   * @returns the payer and the headers of the answer, or 402 with a new challenge
   */
  settle(authorization: string | undefined, digest: string, price: Price, now: number): Settled {
    if (authorization === undefined)
      return {
        refusal: this.#challenge(digest, price, now, [
          'payment-required',
          `Payment is required (${price.description}).`,
        ]),
      }
    const shown = readCredential(authorization)
    if (shown === undefined) return { refusal: documentedRefusal(401, 'Unauthorized') }
    const found =
      typeof shown === 'string'
        ? (['malformed-credential', `Credential is malformed: ${shown}.`] as const)
        : this.#spend(shown, digest, now)
    if (!('payer' in found)) return { refusal: this.#challenge(digest, price, now, found) }
    return found
  }

  #challenge(digest: string, price: Price, now: number, [problem, detail]: Problem): Refusal {
    const id = this.#random(32).toString('base64url')
    const sat = unitsFor('btc', price.picoUsd)
    const issued = this.#node.invoice(sat, price.description, now, lifetimeMs / 1000)
    const request = {
      amount: sat.toString(),
      currency: 'sat',
      methodDetails: { invoice: issued.invoice, network: 'regtest', paymentHash: issued.paymentHash },
    }
    const parameters = {
      id,
      realm: this.#realm,
      method: 'lightning',
      intent: 'charge',
      request: Buffer.from(JSON.stringify(request)).toString('base64url'),
      description: price.description,
      expires: new Date(now + lifetimeMs).toISOString(),
    }
    this.#db
      .statement(
        `
      INSERT INTO challenge (id, request_digest, parameters, invoice, payment_hash, preimage, pico_usd, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        digest,
        JSON.stringify(parameters),
        issued.invoice,
        issued.paymentHash,
        issued.preimage,
        price.picoUsd,
        now + lifetimeMs,
      )
    return {
      status: 402,
      contentType: 'application/problem+json; charset=utf-8',
      body: JSON.stringify({
        type: problems + problem,
        title: 'Payment Required',
        status: 402,
        detail,
        challengeId: id,
      }),
      headers: {
        'cache-control': 'no-store',
        'www-authenticate': `Payment ${Object.entries(parameters)
          .map(([name, value]) => `${name}=${quoted(value)}`)
          .join(', ')}`,
      },
    }
  }

  #spend(shown: Shown, digest: string, now: number): Exclude<Settled, { refusal: Refusal }> | Problem {
    const row = this.#db.statement('SELECT * FROM challenge WHERE id = ?').get(shown.id)
    if (!row) return ['lightning/unknown-challenge', 'The challenge is unknown.']
    const challenge = challengeOf(row)
    if (shown.echo && !echoes(challenge.parameters, shown.echo))
      return ['invalid-challenge', 'The challenge was changed.']
    if (!provesPayment(shown.preimage, challenge.paymentHash))
      return ['lightning/invalid-preimage', 'The preimage does not match the invoice.']
    if (challenge.requestDigest !== digest)
      return ['verification-failed', 'The payment was made for another request.']
    const spent = this.#db
      .statement(
        'UPDATE challenge SET used_at = ?, paid_at = coalesce(paid_at, ?) WHERE id = ? AND used_at IS NULL',
      )
      .run(now, now, challenge.id)
    if (spent.changes === 0n) return ['lightning/unknown-challenge', 'The payment was already used.']
    const receipt = {
      status: 'success',
      method: 'lightning',
      timestamp: new Date(now).toISOString(),
      reference: challenge.paymentHash,
      challengeId: challenge.id,
    }
    return {
      payer: { kind: 'invoice', paymentHash: challenge.paymentHash },
      headers: {
        'payment-receipt': Buffer.from(JSON.stringify(receipt)).toString('base64url'),
        'cache-control': 'private',
      },
    }
  }

  /**
   * Simulates the wallet. @returns the preimage, or the reason why the invoice can't be paid; undefined for
   * an unknown invoice
   */
  pay(invoice: string, now: number): { readonly preimage: string } | 'expired' | 'paid' | undefined {
    const row = this.#db.statement('SELECT * FROM challenge WHERE invoice = ?').get(invoice)
    if (!row) return undefined
    if (smallOrNull(row, 'paid_at') !== null) return 'paid'
    if (small(row, 'expires_at') <= now) return 'expired'
    this.#db.statement('UPDATE challenge SET paid_at = ? WHERE id = ?').run(now, text(row, 'id'))
    return { preimage: text(row, 'preimage') }
  }
}

/** @returns undefined for another scheme, and a text with the problem of an invalid payment */
function readCredential(authorization: string): Shown | string | undefined {
  const { scheme = '', value = '' } =
    /^(?<scheme>[A-Za-z0-9]+) +(?<value>\S+)$/.exec(authorization)?.groups ?? {}
  switch (scheme.toLowerCase()) {
    case 'l402':
    case 'lsat': {
      const at = value.lastIndexOf(':')
      return at < 0
        ? 'Expected <token>:<preimage>'
        : { id: value.slice(0, at), preimage: value.slice(at + 1).toLowerCase() }
    }
    case 'payment': {
      const read = credentialSchema.safeParse(tryParseJson(Buffer.from(value, 'base64url').toString('utf8')))
      if (!read.success) return 'Invalid base64url or JSON.'
      const { challenge, payload } = read.data
      return { id: challenge.id, preimage: payload.preimage, echo: challenge }
    }
    default:
      return undefined
  }
}

/** Every echoed member must be in the challenge unchanged, and the members that bind it must be echoed. */
function echoes(parameters: string, echo: Readonly<Record<string, string>>): boolean {
  const fields = z.record(z.string(), z.string()).parse(JSON.parse(parameters))
  const bound = ['id', 'realm', 'method', 'intent', 'request']
  return (
    bound.every((name) => echo[name] === fields[name]) &&
    Object.entries(echo).every(([name, value]) => fields[name] === undefined || fields[name] === value)
  )
}

/** RFC 9110, section 5.6.4. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

function challengeOf(row: Row): Challenge {
  return {
    id: text(row, 'id'),
    requestDigest: text(row, 'request_digest'),
    parameters: text(row, 'parameters'),
    paymentHash: text(row, 'payment_hash'),
  }
}
