import type { HistoryRecord, MissingReceipt } from '../../../shared/history.ts'
import { costOf, summedCost } from '../../../shared/receipt-cost.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'

/** Builds the window's view of a query. */
export function toRecord(
  {
    at,
    model,
    inputTokens,
    outputTokens,
    cost,
    type,
    source,
    apiKeyId,
    online,
    freeModel,
    errorCode,
  }: QueryRecord,
  keyNames: ReadonlyMap<string, string>,
  receipt?: Receipt,
): HistoryRecord {
  const keyName = apiKeyId === undefined ? undefined : keyNames.get(apiKeyId)
  return {
    at,
    model,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cost !== undefined && { cost: cost.toString() }),
    ...(type !== undefined && { type }),
    ...(source !== undefined && { source }),
    ...(apiKeyId !== undefined && { keyId: apiKeyId }),
    ...(keyName !== undefined && { keyName }),
    ...(online !== undefined && { online }),
    ...(freeModel !== undefined && { freeModel }),
    ...(errorCode !== undefined && { errorCode }),
    ...(receipt && { receipt: toJoined(receipt) }),
  }
}

function toJoined(receipt: Receipt): NonNullable<HistoryRecord['receipt']> {
  const cost = costOf(receipt)
  return {
    id: receipt.id,
    privacy: receipt.privacy,
    ...(cost !== undefined && { cost }),
    ...(receipt.confirmed && { confirmed: true }),
  }
}

/** Builds the window's view of a receipt without a record at the service. */
export function toMissing(
  receipt: Receipt,
  keyNames: ReadonlyMap<string, string>,
  keyIds: ReadonlyMap<string, string>,
): MissingReceipt {
  const { id, at, model, privacy, usage, serviceKey = '' } = receipt
  const keyId = keyIds.get(serviceKey)
  const keyName = keyId === undefined ? undefined : keyNames.get(keyId)
  return {
    at,
    model,
    ...(usage && !receipt.costDoubted && { inputTokens: usage.prompt, outputTokens: usage.completion }),
    ...(keyId !== undefined && { keyId }),
    ...(keyName !== undefined && { keyName }),
    // Only receipts with a cost can be missing.
    receipt: { id, privacy, cost: summedCost(receipt) ?? '0' },
  }
}
