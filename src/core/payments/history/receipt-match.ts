import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'

/** How far the service's clock and this machine's may be apart. */
export const CLOCKS_APART_MS = 60_000
/** A request that took longer is not compared: it could have been recorded at any time within. */
export const LONGEST_MS = 15 * 60_000

/** Unix ms, both included. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** When the service may have recorded a request: at its start, at its end or between. */
export function timesOf({ at, durationMs = LONGEST_MS }: Receipt): Span {
  return { from: at - CLOCKS_APART_MS, until: at + Math.ceil(durationMs) + CLOCKS_APART_MS }
}

/** The times of a receipt that can be matched with a record by its tokens, or that was; null for any other. */
function spanOf(receipt: Receipt): Span | null {
  const { durationMs, outcome, privacy, usage, serviceKey, confirmed } = receipt
  if (outcome !== 'complete' || privacy === 'refused' || !(usage || confirmed) || serviceKey === undefined)
    return null
  if (durationMs === undefined || durationMs > LONGEST_MS) return null
  return timesOf(receipt)
}

/** The service bills a private model under the name that the enclave reads, which is without the prefix. */
export function billedAs({ model, privacy }: Receipt, name: string): boolean {
  return model === name || (privacy === 'sealed' && isPrivateModel(model) && model === `private/${name}`)
}

/** Whether the record can be of this receipt: the same key, model and tokens, and within its time. Of a confirmed cost, the record that confirmed it. */
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
 * Whether the record may be of this receipt even if less agrees: false only if key, model, time, or trusted token counts rule it out. A
 * record without a key or without tokens rules nothing out by them.
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

/** What the service has in a receipt's span: everything, or `null` where that is not known. */
export type Surroundings = (receipt: Receipt) => readonly QueryRecord[] | null

/**
 * The receipt of each record, where one agrees with it and no other does, and it agrees with no other record.
 * @param receipts all of this machine that could agree with any of the records
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
    // The service's answers may tell the record twice, or no longer: then it is not known which it was.
    return only && further.length === 0 && only.at === record.at ? receipt : undefined
  })
}
