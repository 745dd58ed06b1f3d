import { listReceipts, type ReceiptSelection, type SharedReceipt } from '../replica/index.ts'
import { formatRecordedUsd } from '../shared/format-money.ts'
import { withShared } from './database.ts'
import type { DatabaseOptions } from './database-options.ts'
import { formatSecond, terminalSafe } from './format.ts'
import { sharedReceiptJson } from './json-amounts.ts'
import { privacyNames } from './labels.ts'
import { print } from './with-client.ts'

export interface ReceiptOptions extends DatabaseOptions, ReceiptSelection {}

/** `sotto database receipts`: the newest of all replicas. Returns the exit code. */
export function receipts({ key, since, limit, ...options }: ReceiptOptions): Promise<number> {
  return withShared(options, async (database) => {
    const found = await listReceipts(database, {
      ...(key !== undefined && { key }),
      ...(since !== undefined && { since }),
      ...(limit !== undefined && { limit }),
    })
    print(
      options.json,
      { receipts: found.map(sharedReceiptJson) },
      found.map(line).join('\n') || 'There is no receipt.',
    )
  })
}

function line({ keyName, receipt: { at, model, outcome, code, privacy, charged } }: SharedReceipt): string {
  const parts = [
    keyName ?? 'no key',
    privacyNames[privacy],
    code === undefined ? outcome : `${outcome} (${code})`,
    charged === undefined ? 'charge unknown' : `charged ${formatRecordedUsd(charged)}`,
  ]
  return terminalSafe(`${formatSecond(at)}  ${model}: ${parts.join('; ')}`)
}
