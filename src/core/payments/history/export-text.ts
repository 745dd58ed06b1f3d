import type { HistoryLine } from '../../../shared/history.ts'
import { decimalUsd } from '../../../shared/money.ts'

export type ExportFormat = 'csv' | 'json'

/** A text file that is written in pieces. */
export interface ExportText {
  readonly begin: string
  lines(lines: readonly HistoryLine[]): string
  readonly end: string
}

const columns = [
  'time',
  'model',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'type',
  'source',
  'key_id',
  'key_name',
  'online',
  'free_model',
  'error_code',
  'receipt_cost_usd',
  'in_history',
] as const

interface Row extends Readonly<Record<(typeof columns)[number], string | number | boolean | undefined>> {
  /** Dollars in decimal text, to the last digit. */
  readonly cost_usd: string | undefined
  readonly receipt_cost_usd: string | undefined
  /** False for a receipt without a record at the service. */
  readonly in_history: boolean
}

function rowOf(line: HistoryLine): Row {
  if ('missing' in line) {
    const { at, model, inputTokens, outputTokens, keyId, keyName, receipt } = line.missing
    return {
      time: new Date(at).toISOString(),
      model,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost_usd: undefined,
      type: undefined,
      source: undefined,
      key_id: keyId,
      key_name: keyName,
      online: undefined,
      free_model: undefined,
      error_code: undefined,
      receipt_cost_usd: decimalUsd(BigInt(receipt.cost)),
      in_history: false,
    }
  }
  const {
    at,
    model,
    inputTokens,
    outputTokens,
    cost,
    type,
    source,
    keyId,
    keyName,
    online,
    freeModel,
    errorCode,
    receipt,
  } = line.record
  return {
    time: new Date(at).toISOString(),
    model,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: cost === undefined ? undefined : decimalUsd(BigInt(cost)),
    type,
    source,
    key_id: keyId,
    key_name: keyName,
    online,
    free_model: freeModel,
    error_code: errorCode,
    receipt_cost_usd: receipt?.cost === undefined ? undefined : decimalUsd(BigInt(receipt.cost)),
    in_history: true,
  }
}

/** RFC 4180: CRLF after every line, and quotes if a cell contains a delimiter. */
function csv(): ExportText {
  return {
    begin: `${columns.join(',')}\r\n`,
    lines: (lines) =>
      lines
        .map((line) => {
          const row = rowOf(line)
          // Amounts remain numbers, even negative ones.
          return `${columns.map((column) => (column === 'cost_usd' || column === 'receipt_cost_usd' ? (row[column] ?? '') : csvCell(row[column]))).join(',')}\r\n`
        })
        .join(''),
    end: '',
  }
}

/** Characters that spreadsheets read as the beginning of a formula, including full-width ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * The service and others control the names. An apostrophe makes them text, which is the usual protection
 * against formula injection.
 */
function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One array. A record has the CSV's columns as members. */
function json(): ExportText {
  let first = true
  return {
    begin: '[',
    lines: (lines) =>
      lines
        .map((line) => {
          const text = `${first ? '' : ','}\n${JSON.stringify(rowOf(line))}`
          first = false
          return text
        })
        .join(''),
    end: '\n]\n',
  }
}

/** For one file: the JSON writer remembers whether a record was already written. */
export function exportText(format: ExportFormat): ExportText {
  return format === 'csv' ? csv() : json()
}
