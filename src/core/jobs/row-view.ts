import { SottoError } from '../../shared/errors.ts'
import type { BatchRow } from '../../shared/job-rows.ts'
import type { StoredRow } from './index.ts'
import { toFailure } from '../rpc/failure.ts'

/** The limit for a response in a page of rows. The whole response has its own request. */
const SHORT = 2000

/** A row of a batch as the window sees it. */
export function rowView({ part, cells, held: _, price: __, failure, ...rest }: StoredRow): BatchRow {
  return {
    ...rest,
    index: part,
    cells: [...cells],
    ...(failure && {
      failure: toFailure(
        new SottoError(failure.code, failure.detail === undefined ? {} : { detail: failure.detail }),
      ),
    }),
  }
}

/** A row view with at most 2000 UTF-16 units of the response. */
export function shortRowView({ answer, ...row }: StoredRow): BatchRow {
  return rowView({ ...row, ...(answer !== undefined && { answer: answer.slice(0, SHORT) }) })
}
