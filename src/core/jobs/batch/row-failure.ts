import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { mayHaveBeenDone, neverLeft } from '../send.ts'

/** Of the row, and of no other. */
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
/** The service turned it away, as it would the next. */
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
 * What a failure says of a row that was to be paid from the balance. `later`: it was turned away, and is sent when the service takes
 * more; `pause`: it did not leave, or costs nothing, and the next would fare no better; `unknown`: it may have been done.
 */
export type RowOutcome = 'later' | 'pause' | 'unknown' | 'failed' | 'failed-unpaid'

/** What the relay refused did not leave, nor did what found no connection; of everything else the code tells. */
export function classifyRowFailure(failure: SottoError): RowOutcome {
  const { code, details } = failure
  if (details.privacy === 'refused') return isOfTheRow(failure) ? 'failed-unpaid' : 'pause'
  if (code === 'service/rate-limited') return 'later'
  if (neverLeft(failure) || TURNED_AWAY.has(code)) return 'pause'
  return mayHaveBeenDone(failure) ? 'unknown' : 'failed'
}

/** Another row may fare better. */
export function isOfTheRow({ code }: SottoError): boolean {
  return OF_THE_ROW.has(code)
}
