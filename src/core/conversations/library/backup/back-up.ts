import type { ExportEvent } from '../../../../shared/library/conversation-file.ts'
import { sealLines } from '../../../storage/vault/index.ts'
import { BACKUP_FORMAT, type BackupDocument, type BackupRest } from './record.ts'
import { RecordReader, type Backed } from './record-reader.ts'

/**
 * Writes all conversations, each sealed as a line, with their files before them, then the documents of all projects. Damaged records
 * are skipped and counted.
 */
export async function* backUp(
  store: Backed,
  passphrase: string,
  signal: AbortSignal,
): AsyncGenerator<ExportEvent, void> {
  const ids = store.conversations.list().map(({ id }) => id)
  const lines = await sealLines(BACKUP_FORMAT, passphrase)
  const records = new RecordReader(store, signal)
  yield { type: 'text', text: `${lines.head}\n` }
  for (const [index, id] of ids.entries()) {
    for await (const record of records.conversation(id))
      yield { type: 'text', text: `${lines.next(JSON.stringify(record))}\n` }
    yield { type: 'progress', done: index + 1, of: ids.length }
  }
  const projects = store.projects.list().filter(({ damaged }) => damaged !== true)
  for (const project of projects)
    for (const document of store.knowledge.documents(project.id))
      for await (const read of records.document(document)) {
        const record: BackupDocument = { project, ...read }
        yield { type: 'text', text: `${lines.next(JSON.stringify(record))}\n` }
      }
  const rest: BackupRest = { folders: store.folders.list(), prompts: store.prompts.list(), projects }
  yield { type: 'text', text: `${lines.last(JSON.stringify(rest))}\n` }
  yield records.ended()
}
