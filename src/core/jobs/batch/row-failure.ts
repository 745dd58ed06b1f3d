import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { mayHaveBeenDone, neverLeft } from '../send.ts'

/** Errors of one row that don't affect other rows. */
const OF_THE_ROW = new Set<ErrorCode>([
  'request/invalid',
  'proxy/invalid-request',
  'privacy/path',
  'studio/invalid-cell',
  'studio/csv-column',
  'service/rejected',
  'service/not-found',
  'service/response-invalid',
])
/** Errors by which the service would refuse the next row too. */
const TURNED_AWAY = new Set<ErrorCode>([
  'service/key-refused',
  'service/key-revoked',
  'service/key-expired',
  'service/insufficient-balance',
  'service/spending-cap',
  'service/payment-required',
  'service/no-account',
  'service/no-api-key',
])

/**
 * The outcome of a failed row that the balance would have paid. `later`: rate limited, and to be sent
 * again. `pause`: it wasn't sent or costs nothing, and the next row would fail too. `unknown`: the service
 * may have processed it.
 */
export type RowOutcome = 'later' | 'pause' | 'unknown' | 'failed' | 'failed-unpaid'

/**
 * Classifies a failure. A request that the relay refused, or that found no connection, wasn't sent. For all
 * other failures the code decides.
 */
export function classifyRowFailure(failure: SottoError): RowOutcome {
  const { code, details } = failure
  if (details.privacy === 'refused') return isOfTheRow(failure) ? 'failed-unpaid' : 'pause'
  if (code === 'service/rate-limited') return 'later'
  if (neverLeft(failure) || TURNED_AWAY.has(code)) return 'pause'
  return mayHaveBeenDone(failure) ? 'unknown' : 'failed'
}

/** Whether the failure concerns only this row, so that another row may succeed. */
export function isOfTheRow({ code }: SottoError): boolean {
  return OF_THE_ROW.has(code)
}
