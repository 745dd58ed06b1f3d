import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import type { StoredAsk, MappedColumn } from '../../../shared/job-ask.ts'
import { msg, type LocalizedText } from '../../../shared/localized-text.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import type { PayableAsk } from '../service.ts'
import { refuseClash } from './image-request.ts'

/** The parameters of a batch. */
export type BatchAsk = Extract<StoredAsk, { kind: 'batch' }>

/** Throws studio/parameter-clash, request/invalid. */
export function checkBatchAsk({
  method,
  columns,
  input = {},
}: Pick<BatchAsk, 'method' | 'columns' | 'input'>): void {
  refuseClash(
    input,
    Object.keys(columns).map((name) => name.toLowerCase()),
  )
  if (method === 'GET' && Object.values(columns).some(({ as }) => as === 'list' || as === 'json'))
    throw new SottoError('request/invalid', {
      param: 'columns',
      detail: msg('A query accepts only plain values: no lists and no JSON.'),
    })
}

/**
 * Builds the request of one row. Throws studio/invalid-cell if a cell is invalid, and studio/csv-column if
 * a column doesn't exist.
 */
export function batchRequest(
  { method, path, columns, input }: Pick<BatchAsk, 'method' | 'path' | 'columns' | 'input'>,
  cells: readonly string[],
): PayableAsk {
  const filled = Object.entries(columns).flatMap(([field, mapped]): [string, JsonValue][] => {
    const cell = cells[mapped.column]
    if (cell === undefined) throw new SottoError('studio/csv-column')
    return cell.trim() === '' ? [] : [[field, valueOf(cell.trim(), mapped, field)]]
  })
  if (filled.length === 0) throw new SottoError('studio/invalid-cell')
  return {
    endpoint: 'data',
    method,
    path,
    input: { ...input, ...Object.fromEntries(filled) } satisfies JsonObject,
  }
}

const TRUE = new Set(['true', 'yes', '1'])
const FALSE = new Set(['false', 'no', '0'])

function valueOf(cell: string, { as }: MappedColumn, field: string): JsonValue {
  switch (as) {
    case 'text':
      return cell
    case 'number':
      return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell) && Number.isFinite(Number(cell))
        ? Number(cell)
        : wrong(msg('The value for “{field}” isn’t a number.', { field: field.slice(0, 60) }))
    case 'boolean':
      return (
        TRUE.has(cell.toLowerCase()) ||
        (!FALSE.has(cell.toLowerCase()) &&
          wrong(msg('The value for “{field}” is neither true nor false.', { field: field.slice(0, 60) })))
      )
    case 'list':
      return cell
        .split(';')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    case 'json':
      return jsonIn(cell, field)
  }
}

function jsonIn(cell: string, field: string): JsonValue {
  const parsed = z.json().safeParse(tryParseJson(cell))
  return parsed.success
    ? parsed.data
    : wrong(msg('The value for “{field}” isn’t valid JSON.', { field: field.slice(0, 60) }))
}

function wrong(detail: LocalizedText): never {
  throw new SottoError('studio/invalid-cell', { detail })
}
