import type { HistoryRecord } from '../../../shared/history.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../service/account/read/history.ts'

/** A query as the window shows it. */
export function toRecord({ at, model, inputTokens, outputTokens, cost, type, source, apiKeyId, online, freeModel, errorCode }: QueryRecord, keyNames: ReadonlyMap<string, string>, receipt?: Receipt): HistoryRecord {
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
    ...(receipt && { receipt: { id: receipt.id, privacy: receipt.privacy, ...(receipt.cost !== undefined && { cost: receipt.cost }) } }),
  }
}
