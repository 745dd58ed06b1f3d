import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '../dialect.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type Payer, querySources, type Counts, type Query } from '../ledger/record.ts'
import type { Refusal } from '../refusal.ts'
import type { Arrived } from './route.ts'

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
    { ...query, source: sourceOf(http.headers), free: picoUsd === 0n, at: now },
    picoUsd,
    counts,
  )
  if (typeof charged === 'number') return { recordId: charged }
  return { refusal: charged === 'balance' ? dialect.insufficient(picoUsd) : dialect.keyLimit }
}

function sourceOf(headers: IncomingHttpHeaders): Query['source'] {
  return querySources.find((source) => source === headers['x-query-source']) ?? 'api'
}
