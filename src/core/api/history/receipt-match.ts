import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../service/account/read/history.ts'

/** How far the service's clock and this machine's may be apart. */
export const CLOCKS_APART_MS = 60_000
/** A request that took longer is not compared: it could have been recorded at any time within. */
export const LONGEST_MS = 15 * 60_000

/** Unix ms, both included. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** When the service may have recorded it: at its start, at its end or between; null where it can be in no record that is compared. */
export function spanOf({ at, durationMs, outcome, privacy, usage, serviceKey }: Receipt): Span | null {
  if (outcome !== 'complete' || privacy === 'refused' || !usage || serviceKey === undefined) return null
  if (durationMs === undefined || durationMs > LONGEST_MS) return null
  return { from: at - CLOCKS_APART_MS, until: at + Math.ceil(durationMs) + CLOCKS_APART_MS }
}

/** The service bills a private model under the name that the enclave reads, which is without the prefix. */
function billedAs({ model, privacy }: Receipt, name: string): boolean {
  return model === name || (privacy === 'sealed' && isPrivateModel(model) && model === `private/${name}`)
}

/** Whether the record can be of this receipt: the same key, model and tokens, and within its time. */
export function agree(record: QueryRecord, receipt: Receipt, keyIds: ReadonlyMap<string, string>): boolean {
  const span = spanOf(receipt)
  return span !== null
    && record.apiKeyId !== undefined && record.apiKeyId === keyIds.get(receipt.serviceKey ?? '')
    && billedAs(receipt, record.model)
    && record.inputTokens === receipt.usage?.prompt && record.outputTokens === receipt.usage?.completion
    && record.at >= span.from && record.at <= span.until
}

/** What the service has in a receipt's span: everything, or `null` where that is not known. */
export type Surroundings = (receipt: Receipt) => readonly QueryRecord[] | null

/**
 * The receipt of each record, where one agrees with it and no other does, and it agrees with no other record.
 * @param receipts all of this machine that could agree with any of the records
 */
export function match(records: readonly QueryRecord[], receipts: readonly Receipt[], keyIds: ReadonlyMap<string, string>, surroundings: Surroundings): (Receipt | undefined)[] {
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
