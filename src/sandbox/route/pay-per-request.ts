import { createHash } from 'node:crypto'
import { sendsApiKey } from '../credential.ts'
import type { Dialect } from '../dialect.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { querySource, type InvoicePayer, type Payer, type Counts, type Query } from '../ledger/record.ts'
import type { Refusal } from '../refusal.ts'
import type { ServiceContext } from '../service-context.ts'
import type { Arrived } from './route.ts'

/**
 * The digest that binds a payment: method, path with its query, and body, byte for byte. SHA-256,
 * hexadecimal.
 */
function requestDigest(method: string, url: string, body: Uint8Array): string {
  const bodyDigest = createHash('sha256').update(body).digest('hex')
  return createHash('sha256').update(`${method} ${url} ${bodyDigest}`).digest('hex')
}

export interface Price {
  /** 10^-12 USD. */
  readonly picoUsd: bigint
  /** The description of the purchase, for the invoice. */
  readonly description: string
}

/** Spends the credential that was shown, or asks for payment. */
type Settle = (
  price: Price,
) =>
  | { readonly payer: InvoicePayer; readonly headers: Readonly<Record<string, string>> }
  | { readonly refusal: Refusal }

/** The 402 flow, for a request without an API key. @returns undefined if the request has one */
export async function payPerRequest(context: ServiceContext, arrived: Arrived): Promise<Settle | undefined> {
  const { headers, method, url } = arrived.http
  if (sendsApiKey(headers)) return undefined
  const digest = requestDigest(method, url, arrived.body)
  const challenges = await context.challenges()
  return (price) => challenges.settle(headers.authorization, digest, price, arrived.now)
}

/** A request of a known price, debited and recorded in one step. @returns its record, or why it was refused and nothing debited */
export function chargeOnce(
  ledger: Ledger,
  dialect: Dialect,
  { http, now, payer }: Arrived & { readonly payer: Payer },
  query: Pick<Query, 'model' | 'type'>,
  picoUsd: bigint,
  counts: Counts = {},
): { readonly recordId: number } | { readonly refusal: Refusal } {
  const charged = ledger.charge(
    payer,
    { ...query, source: querySource(http.headers), free: picoUsd === 0n, at: now },
    picoUsd,
    counts,
  )
  if (typeof charged === 'number') return { recordId: charged }
  return { refusal: charged === 'balance' ? dialect.insufficient(picoUsd) : dialect.keyLimit }
}
