import { SottoError } from '../../../../shared/errors.ts'
import type { ExportEvent } from '../../../../shared/library/conversation-file.ts'
import { PROJECT_FILE_FORMAT } from '../../../../shared/library/project-file-head.ts'
import { sealLines } from '../../../storage/vault/index.ts'
import type { BackupFile, BackupRecord } from '../backup/record.ts'
import { RecordReader, type Backed } from '../backup/record-reader.ts'
import { PLAIN_VERSION, SEALED_FORMAT, type ConversationRecord, type ProjectFileRecord } from './record.ts'

/** Turns records into the lines of a file. */
interface LineWriter {
  readonly head: string
  readonly next: (text: string) => string
  readonly last: (text: string) => string
}

/**
 * Writes one project with its documents, conversations and attachments. Damaged records are skipped and counted.
 * @param passphrase that opens the file; undefined writes it unencrypted
 * @throws {SottoError} project/unknown, store/damaged – the project can't be decrypted
 */
export async function* writeProject(
  store: Backed,
  projectId: string,
  passphrase: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ExportEvent, void> {
  const project = store.projects.get(projectId)
  if (!project) throw new SottoError('project/unknown')
  if (project.damaged) throw new SottoError('store/damaged')
  const lines = passphrase === undefined ? plainLines() : await sealLines(SEALED_FORMAT, passphrase)
  let records = 0
  const line = (record: Exclude<ProjectFileRecord, { type: 'end' }>): ExportEvent => {
    records += 1
    return { type: 'text', text: `${lines.next(JSON.stringify(record))}\n` }
  }
  const reader = new RecordReader(store, signal)
  yield { type: 'text', text: `${lines.head}\n` }
  const { name, instructions, model, parameters, budget, privateOnly } = project
  yield line({ type: 'project', project: { name, instructions, model, parameters, budget, privateOnly } })

  const documents = store.knowledge.documents(projectId)
  // A damaged conversation may be of this project. Its record can't show that.
  const ids = store.conversations
    .list()
    .filter((listed) => listed.projectId === projectId)
    // The list begins with the newest, and an import adds one after the other.
    .toReversed()
  const of = documents.length + ids.length
  let done = 0
  for (const each of documents) {
    for await (const { document, passages } of reader.document(each)) {
      const { projectId: _, passages: __, ...about } = document
      yield line({ type: 'document', document: about, passages })
    }
    yield { type: 'progress', done: (done += 1), of }
  }
  for (const { id } of ids) {
    for await (const record of reader.conversation(id))
      yield line('attachment' in record ? toFileRecord(record) : toConversationRecord(record))
    yield { type: 'progress', done: (done += 1), of }
  }
  yield { type: 'text', text: `${lines.last(JSON.stringify({ type: 'end', records }))}\n` }
  yield reader.ended()
}

function plainLines(): LineWriter {
  return {
    head: JSON.stringify({ format: PROJECT_FILE_FORMAT, version: PLAIN_VERSION }),
    next: (text) => text,
    last: (text) => text,
  }
}

function toFileRecord({
  attachment: { id, name, type, pages },
  content,
}: BackupFile): Extract<ProjectFileRecord, { type: 'file' }> {
  return { type: 'file', attachment: { id, name, type, pages }, content }
}

function toConversationRecord({ conversation, messages }: BackupRecord): ConversationRecord {
  const { id: _, folderId: __, projectId: ___, imported: ____, damaged: _____, ...about } = conversation
  return {
    type: 'conversation',
    conversation: about,
    messages: messages.map(
      ({ conversationId: _c, receiptId: _r, errorDetail: _e, damaged: _d, ...message }) => message,
    ),
  }
}
