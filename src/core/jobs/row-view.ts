import { SottoError } from '../../shared/errors.ts'
import type { BatchRow } from '../../shared/job-rows.ts'
import type { StoredRow } from './index.ts'
import { toFailure } from '../rpc/failure.ts'

/** Of an answer in a page of rows: the whole of it is asked for by itself. */
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

/** As rowView, with no more than 2000 UTF-16 units of its answer. */
export function shortRowView({ answer, ...row }: StoredRow): BatchRow {
  return rowView({ ...row, ...(answer !== undefined && { answer: answer.slice(0, SHORT) }) })
}
