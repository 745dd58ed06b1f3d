import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'

/** The largest difference between the service's clock and this computer's. */
export const CLOCKS_APART_MS = 60_000
/** A longer request isn't compared, because it could have been recorded at any time within. */
export const LONGEST_MS = 15 * 60_000

/** Unix ms, both inclusive. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** Returns when the service may have recorded a request: at its start, at its end or in between. */
export function timesOf({ at, durationMs = LONGEST_MS }: Receipt): Span {
  return { from: at - CLOCKS_APART_MS, until: at + Math.ceil(durationMs) + CLOCKS_APART_MS }
}

/**
 * Returns the time of a receipt that its tokens can match with a record, or already did; null for any other.
 */
function spanOf(receipt: Receipt): Span | null {
  const { durationMs, outcome, privacy, usage, serviceKey, confirmed } = receipt
  if (outcome !== 'complete' || privacy === 'refused' || !(usage || confirmed) || serviceKey === undefined)
    return null
  if (durationMs === undefined || durationMs > LONGEST_MS) return null
  return timesOf(receipt)
}

/** The service bills a private model under the enclave's name for it, which has no prefix. */
export function billedAs({ model, privacy }: Receipt, name: string): boolean {
  return model === name || (privacy === 'sealed' && isPrivateModel(model) && model === `private/${name}`)
}

/**
 * Whether the record matches the receipt: the same key, model and tokens, within its time. For a confirmed
 * cost, only the record that confirmed it.
 */
export function agree(record: QueryRecord, receipt: Receipt, keyIds: ReadonlyMap<string, string>): boolean {
  const span = spanOf(receipt)
  return (
    span !== null &&
    record.apiKeyId !== undefined &&
    record.apiKeyId === keyIds.get(receipt.serviceKey ?? '') &&
    billedAs(receipt, record.model) &&
    (receipt.confirmed ? record.at === receipt.confirmed.recordAt : hasTokensOf(record, receipt)) &&
    record.at >= span.from &&
    record.at <= span.until
  )
}

function hasTokensOf({ inputTokens, outputTokens }: QueryRecord, { usage }: Receipt): boolean {
  return inputTokens === usage?.prompt && outputTokens === usage?.completion
}

/**
 * Whether the record may belong to the receipt even if fewer members match: false only if key, model, time,
 * or trusted token counts rule it out. An absent key or absent tokens in the record rule nothing out.
 */
export function couldBe(record: QueryRecord, receipt: Receipt, keyIds: ReadonlyMap<string, string>): boolean {
  const { from, until } = timesOf(receipt)
  if (
    receipt.privacy === 'refused' ||
    receipt.serviceKey === undefined ||
    record.at < from ||
    record.at > until
  )
    return false
  if (record.apiKeyId !== undefined && record.apiKeyId !== keyIds.get(receipt.serviceKey)) return false
  if (receipt.confirmed) return agree(record, receipt, keyIds)
  if (!billedAs(receipt, record.model))
    return receipt.usage === undefined && !record.inputTokens && !record.outputTokens
  const trusted = receipt.outcome === 'complete' && receipt.usage && !receipt.costDoubted
  return (
    !trusted ||
    record.inputTokens === undefined ||
    record.outputTokens === undefined ||
    hasTokensOf(record, receipt)
  )
}

/** Returns the service's records in a receipt's span: all of them, or `null` if that isn't known. */
export type Surroundings = (receipt: Receipt) => readonly QueryRecord[] | null

/**
 * Returns the receipt of each record: the only one that matches it, if it matches no other record.
 * @param receipts all receipts of this computer that could match any of the records
 */
export function match(
  records: readonly QueryRecord[],
  receipts: readonly Receipt[],
  keyIds: ReadonlyMap<string, string>,
  surroundings: Surroundings,
): (Receipt | undefined)[] {
  return records.map((record) => {
    const [receipt, ...others] = receipts.filter((each) => agree(record, each, keyIds))
    if (!receipt || others.length > 0) return undefined
    const around = surroundings(receipt)
    if (!around) return undefined
    const [only, ...further] = around.filter((each) => agree(each, receipt, keyIds))
    // The service's answers may contain the record twice, or no longer. Then the match is unknown.
    return only && further.length === 0 && only.at === record.at ? receipt : undefined
  })
}
