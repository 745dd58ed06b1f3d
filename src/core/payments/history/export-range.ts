import type { HistoryEvent } from '../../../shared/contract/history.ts'
import { linesOf, type HistoryFilter } from '../../../shared/history.ts'
import { exportText, type ExportFormat } from './export-text.ts'
import { createAccountHistory } from './history-source.ts'
import { joinReceipts } from './join-receipts.ts'
import { seenIn, type HistoryPlace } from './list-page.ts'
import { START } from './place.ts'
import { readOn, type Batch } from './read-on.ts'
import { scopeOf } from './scope.ts'
import { toMissing, toRecord } from './to-record.ts'

/**
 * Yields one file of a range, piece by piece as it's read: records, and receipts that the service doesn't
 * have. Nothing of it is saved here.
 */
export async function* exportRange(
  account: HistoryPlace,
  filter: HistoryFilter,
  format: ExportFormat,
  signal: AbortSignal,
): AsyncGenerator<HistoryEvent, void> {
  const { keys, names, source, open } = await createAccountHistory(account, filter, signal)
  const text = exportText(format)
  let [read, records, unreadable, place] = [0, 0, 0, START]
  yield { type: 'text', text: text.begin }
  for await (const { batch, around } of withNeighbors(readOn(source))) {
    signal.throwIfAborted()
    const wanted = source.wanted ? batch.records.filter(source.wanted) : batch.records
    const after = batch.after(batch.records.length)
    const { receipts, missing } = await joinReceipts(wanted, {
      receipts: account.store.receipts,
      keyIds: keys.ids,
      seen: seenIn(around, filter),
      open,
      now: account.now(),
      confirm: account.confirm,
      scope: scopeOf(filter, place, batch.last ? null : after, keys, names),
    })
    place = after
    read += batch.records.length
    records += wanted.length
    unreadable += batch.unreadable
    const lines = linesOf(
      wanted.map((record, index) => toRecord(record, names, receipts[index])),
      missing.map((receipt) => toMissing(receipt, names, keys.ids)),
    )
    if (lines.length > 0) yield { type: 'text', text: text.lines(lines) }
    yield { type: 'progress', read, of: Math.max(read, batch.total) }
  }
  if (text.end !== '') yield { type: 'text', text: text.end }
  yield { type: 'ended', records, unreadable }
}

/** Yields each batch with its neighbors, so that the records around its receipts are rarely read twice. */
async function* withNeighbors(
  batches: AsyncIterable<Batch>,
): AsyncGenerator<{ batch: Batch; around: readonly Batch[] }, void> {
  let around: Batch[] = []
  for await (const next of batches) {
    const batch = around.at(-1)
    around = [...around.slice(-2), next]
    if (batch) yield { batch, around }
  }
  const last = around.at(-1)
  if (last) yield { batch: last, around: around.slice(-2) }
}
