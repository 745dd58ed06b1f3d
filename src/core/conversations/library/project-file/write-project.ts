import { SottoError } from '../../../../shared/errors.ts'
import type { ExportEvent } from '../../../../shared/library/conversation-file.ts'
import { PROJECT_FILE_FORMAT } from '../../../../shared/library/project-file-head.ts'
import { sealLines } from '../../../storage/vault/index.ts'
import { fileOf, passagesOf, recordOf, type Backed } from '../backup/back-up.ts'
import type { BackupRecord } from '../backup/record.ts'
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
  let [conversations, unreadable, unreadableFiles] = [0, 0, 0]
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
  for (const document of documents) {
    signal.throwIfAborted()
    const passages = passagesOf(store, document)
    if (passages === 'damaged') unreadableFiles += 1
    else {
      const { projectId: _, passages: __, ...about } = document
      yield line({ type: 'document', document: about, passages })
    }
    yield { type: 'progress', done: (done += 1), of }
    await letOthersRun()
  }
  const saved = new Set<string>()
  for (const { id } of ids) {
    signal.throwIfAborted()
    const record = recordOf(store, id)
    if (record === 'damaged') unreadable += 1
    else if (record) {
      conversations += 1
      for (const one of record.messages.flatMap(({ attachments = [] }) => attachments)) {
        if (saved.has(one.id)) continue
        saved.add(one.id)
        const file = await fileOf(store, one.id)
        if (file === 'damaged') unreadableFiles += 1
        else if (file) {
          const { id: attachmentId, name: fileName, type, pages } = file.attachment
          yield line({
            type: 'file',
            attachment: { id: attachmentId, name: fileName, type, pages },
            content: file.content,
          })
        }
      }
      yield line(toConversationRecord(record))
    }
    yield { type: 'progress', done: (done += 1), of }
    await letOthersRun()
  }
  yield { type: 'text', text: `${lines.last(JSON.stringify({ type: 'end', records }))}\n` }
  yield { type: 'ended', conversations, unreadable, ...(unreadableFiles > 0 && { unreadableFiles }) }
}

function plainLines(): LineWriter {
  return {
    head: JSON.stringify({ format: PROJECT_FILE_FORMAT, version: PLAIN_VERSION }),
    next: (text) => text,
    last: (text) => text,
  }
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

/** Returns after other work ran. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
