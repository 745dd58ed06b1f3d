import type { LocalApiEvent } from '../../../shared/contract/sotto-contract.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import { localRequestSchema, type LocalRequest } from '../../../shared/local-key.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { delay } from '../../../shared/sleep.ts'
import type { ReceiptPlace, Store } from '../../storage/index.ts'
import type { LocalKeys } from './local-keys.ts'

/** Receipts that one call examines for a match. Decrypting one takes some 20 µs and blocks the thread. */
const MOST_LOOKED_AT = 500
/**
 * The shortest time between two events of a watcher, and the longest until it gets all keys again, because
 * periods end and keys expire.
 */
const TELL_EVERY_MS = 200
const TELL_ALL_MS = 60_000

export interface RequestsQuery {
  readonly keyId?: string | undefined
  readonly privacy?: Privacy | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/** Returns a page of the request list. */
export function listRequests(
  { receipts, localKeys }: Pick<Store, 'receipts' | 'localKeys'>,
  { keyId, privacy, cursor, limit }: RequestsQuery,
): { requests: LocalRequest[]; next: string | null } {
  const requests: LocalRequest[] = []
  let after = cursor === undefined ? undefined : placeOf(cursor)
  for (let looked = 0; looked < MOST_LOOKED_AT;) {
    const page = receipts.listOfKeys({
      ...(keyId !== undefined && { keyId }),
      ...(after && { after }),
      limit,
    })
    for (const { place, receipt } of page) {
      after = place
      if (privacy === undefined || receipt.privacy === privacy) requests.push(toRequest(localKeys, receipt))
      if (requests.length === limit) return { requests, next: cursorOf(place) }
    }
    if (page.length < limit) return { requests, next: null }
    looked += page.length
  }
  return { requests, next: after ? cursorOf(after) : null }
}

/** Yields keys and requests as they change, until the signal is aborted or the reader stops. */
export async function* watchLocalApi(
  keys: LocalKeys,
  localKeys: Store['localKeys'],
  signal: AbortSignal,
): AsyncGenerator<LocalApiEvent, void> {
  const watcher = keys.activity.watch()
  try {
    yield { keys: keys.list(), requests: [], more: false }
    for (;;) {
      await watcher.happened(TELL_ALL_MS, signal)
      if (signal.aborted) return
      const { keyIds, receipts, more } = watcher.take()
      yield {
        keys: keyIds.size === 0 ? keys.list() : [...keyIds].map((keyId) => keys.view(keyId)),
        requests: receipts.map((receipt) => toRequest(localKeys, receipt)),
        more,
      }
      await delay(TELL_EVERY_MS, signal)
    }
  } finally {
    watcher.leave()
  }
}

function toRequest(localKeys: Store['localKeys'], receipt: Receipt): LocalRequest {
  const keyId = receipt.caller.localKeyId ?? ''
  return localRequestSchema.parse({
    ...receipt,
    cost: costOf(receipt),
    keyId,
    tool: localKeys.get(keyId)?.name ?? '',
  })
}

function cursorOf({ at, seq }: ReceiptPlace): string {
  return `${String(at)}.${String(seq)}`
}

function placeOf(cursor: string): ReceiptPlace {
  const [at, seq] = cursor.split('.').map(Number)
  return { at: at ?? 0, seq: seq ?? 0 }
}
