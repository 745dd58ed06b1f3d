import type { HistoryEvent } from '../../../shared/contract/history.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import type { Service } from '../../service/http/perform.ts'
import type { Store } from '../../store/index.ts'
import { exportText, type ExportFormat } from './export-text.ts'
import { openSource } from './history-source.ts'
import { keyNames } from './key-names.ts'
import { ownKeys } from './own-keys.ts'
import { readOn } from './read-on.ts'
import { toRecord } from './to-record.ts'

/** One file of a range, piece by piece as it is read; nothing of it is kept. */
export async function* exportRange({ service, store }: { readonly service: Service; readonly store: Pick<Store, 'settings'> }, filter: HistoryFilter, format: ExportFormat, signal: AbortSignal): AsyncGenerator<HistoryEvent, void> {
  const [own, names] = await Promise.all([ownKeys(service, store.settings, signal), keyNames(service, signal)])
  const source = await openSource(service, filter, own.current, signal)
  const text = exportText(format)
  let [read, records, unreadable] = [0, 0, 0]
  yield { type: 'text', text: text.begin }
  for await (const batch of readOn(source)) {
    signal.throwIfAborted()
    const wanted = source.wanted ? batch.records.filter(source.wanted) : batch.records
    read += batch.records.length
    records += wanted.length
    unreadable += batch.unreadable
    if (wanted.length > 0) yield { type: 'text', text: text.records(wanted.map((record) => toRecord(record, names))) }
    yield { type: 'progress', read, of: Math.max(read, batch.total) }
  }
  if (text.end !== '') yield { type: 'text', text: text.end }
  yield { type: 'ended', records, unreadable }
}
