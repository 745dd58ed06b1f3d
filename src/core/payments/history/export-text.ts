import { csvRow } from '../../../shared/csv-row.ts'
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

function csv(): ExportText {
  return {
    begin: csvRow(columns),
    lines: (lines) =>
      lines
        .map((line) => {
          const row = rowOf(line)
          return csvRow(columns.map((column) => String(row[column] ?? '')))
        })
        .join(''),
    end: '',
  }
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
