import { randomUUID } from 'node:crypto'
import { cleanFileName } from '../../../../shared/display-name.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { ImportReport } from '../../../../shared/library/import-report.ts'
import { MAX_IMPORT } from '../../../../shared/library/limits.ts'
import { MOST_DOCUMENTS, MOST_PROJECT_PASSAGES } from '../../../../shared/knowledge.ts'
import { MOST_PROJECTS, type Project } from '../../../../shared/project.ts'
import { tryParseJson } from '../../../../shared/strict-json.ts'
import { hadPlaintext } from '../../../projects/private-only.ts'
import type { Store } from '../../../storage/index.ts'
import { decryptLines } from '../../../storage/vault/index.ts'
import { importItems } from '../../attachments/attach-file.ts'
import { MAX_LINE } from '../backup/record.ts'
import { LineBuffer } from '../line-buffer.ts'
import { IdMap, toConversation, toMessages } from './renamed.ts'
import {
  PLAIN_VERSION,
  plainHeadSchema,
  recordSchema,
  SEALED_FORMAT,
  type ConversationRecord,
  type ProjectFileRecord,
} from './record.ts'

/** Opens the lines after the first one, in their order. A sealed line states whether it's the last. */
type LineReader = (line: string) => { readonly text: string; readonly last?: boolean }

const invalid = (): SottoError => new SottoError('project/file-invalid')

/**
 * Imports the file of one project, piece by piece, as a new project. All of it gets new IDs, so a file can't name
 * anything that exists. After a failure, a stop or a missing end, everything imported is deleted.
 */
export class ProjectImport {
  readonly #store: Store
  readonly #buffer = new LineBuffer(MAX_LINE, invalid)
  #passphrase: string | undefined
  #readLine: LineReader | undefined
  #length = 0
  #records = 0
  #project: Project | undefined
  #documents = 0
  #passages = 0
  #messages = 0
  #whole = false
  #abandoned = false
  readonly #conversations: string[] = []
  readonly #files = new Map<string, string>()
  readonly #ids = new IdMap()

  /** @param passphrase undefined for a plain file */
  constructor(store: Store, passphrase: string | undefined) {
    this.#store = store
    this.#passphrase = passphrase
  }

  /**
   * @throws {SottoError} project/file-invalid, project/file-passphrase, project/file-too-large, project/too-many,
   * library/newer-version, store/unwritable
   */
  async take(piece: string): Promise<void> {
    try {
      this.#length += piece.length
      if (this.#length > MAX_IMPORT) throw new SottoError('project/file-too-large')
      for (const line of this.#buffer.take(piece)) await this.#line(line)
    } catch (error) {
      this.abandon()
      throw error
    }
  }

  report(): ImportReport {
    return {
      source: 'project',
      conversations: this.#conversations.length,
      messages: this.#messages,
      skipped: 0,
      skips: [],
      leftOut: {},
      whole: this.#whole,
      ...(this.#project && { projectId: this.#project.id }),
    }
  }

  /**
   * @returns the report
   * @throws {SottoError} project/file-invalid – the end is missing
   */
  end(): ImportReport {
    if (!this.#whole) {
      this.abandon()
      throw invalid()
    }
    return this.report()
  }

  /** Deletes everything imported, unless the file was complete. */
  abandon(): void {
    if (this.#whole) return
    this.#abandoned = true
    const id = this.#project?.id
    if (id === undefined) return
    this.#project = undefined
    this.#messages = 0
    const { conversations, knowledge, projects } = this.#store
    // The project is removed last, so that its remaining content stays private-only until then.
    for (const conversationId of this.#conversations.splice(0)) conversations.remove(conversationId)
    knowledge.removeProject(id)
    projects.remove(id)
  }

  async #line(line: string): Promise<void> {
    if (this.#abandoned) throw new SottoError('library/import-unknown')
    if (this.#whole) {
      if (line === '') return
      this.#whole = false
      throw invalid()
    }
    if (!this.#readLine) {
      this.#readLine = await readHead(line, this.#passphrase)
      this.#passphrase = undefined
      return
    }
    const { text, last } = this.#readLine(line)
    const record = recordFrom(text)
    if (last !== undefined && last !== (record.type === 'end')) throw invalid()
    await this.#record(record)
    this.#records += 1
    // Let other work run.
    await new Promise((resolve) => setImmediate(resolve))
  }

  async #record(record: ProjectFileRecord): Promise<void> {
    if (record.type === 'project') {
      if (this.#records > 0) throw invalid()
      if (this.#store.projects.list().length >= MOST_PROJECTS) throw new SottoError('project/too-many')
      this.#project = this.#store.projects.put(record.project)
      return
    }
    const project = this.#project
    if (!project) throw invalid()
    if (record.type === 'document') this.#document(project, record)
    else if (record.type === 'file') await this.#file(record)
    else if (record.type === 'conversation') this.#conversation(project, record)
    else if (record.records === this.#records) this.#whole = true
    else throw invalid()
  }

  #document(
    { id: projectId }: Project,
    { document, passages }: Extract<ProjectFileRecord, { type: 'document' }>,
  ) {
    this.#documents += 1
    this.#passages += passages.length
    if (this.#documents > MOST_DOCUMENTS || this.#passages > MOST_PROJECT_PASSAGES) throw invalid()
    const id = this.#ids.add(document.id)
    if (id === null) throw invalid()
    this.#store.knowledge.insert(
      { ...document, id, projectId, name: cleanFileName(document.name), passages: passages.length },
      passages.map((passage, number) => ({ ...passage, number })),
    )
  }

  /** If no conversation uses the file, the next start removes it. */
  async #file({ attachment: { id, ...file }, content }: Extract<ProjectFileRecord, { type: 'file' }>) {
    if (this.#files.has(id)) throw invalid()
    // The content may be anything, so it's read like a file that a person attaches.
    const attachment = imported({ ...file, content: Buffer.from(content, 'base64') })
    const added = await this.#store.attachments.add(attachment.about, attachment.content)
    this.#files.set(id, added.id)
  }

  #conversation({ id: projectId, privateOnly }: Project, record: ConversationRecord): void {
    const id = randomUUID()
    const messages = toMessages(record.messages, id, this.#ids, (fileId) =>
      this.#store.attachments.get(this.#files.get(fileId) ?? ''),
    )
    if (!messages) throw invalid()
    const conversation = toConversation(record.conversation, { id, projectId }, messages.ids)
    if (privateOnly && hadPlaintext(conversation, messages.list)) throw invalid()
    this.#store.atOnce(() => {
      this.#store.conversations.insert(conversation)
      for (const message of messages.list) this.#store.messages.insert(message)
    })
    this.#conversations.push(id)
    this.#messages += messages.list.length
  }
}

function imported(file: Parameters<typeof importItems>[0]): ReturnType<typeof importItems> {
  try {
    return importItems(file)
  } catch (cause) {
    throw new SottoError('project/file-invalid', { cause })
  }
}

/** A passphrase is a person's statement that the file is sealed, so a plain file is then refused. */
async function readHead(line: string, passphrase: string | undefined): Promise<LineReader> {
  const plain = plainHeadSchema.safeParse(tryParseJson(line)).data
  if (plain) {
    if (plain.version > PLAIN_VERSION) throw new SottoError('library/newer-version')
    if (passphrase !== undefined) throw invalid()
    return (text) => ({ text })
  }
  const lines = await decryptLines(SEALED_FORMAT, passphrase ?? '', line)
  if (lines === 'wrong-passphrase') throw new SottoError('project/file-passphrase')
  if (lines === 'damaged') throw invalid()
  return (sealed) => {
    const opened = lines.next(sealed)
    if (opened === 'damaged') throw invalid()
    return opened
  }
}

function recordFrom(text: string): ProjectFileRecord {
  const parsed = recordSchema.safeParse(tryParseJson(text))
  // The parser's error would quote the content.
  if (!parsed.success) throw invalid()
  return parsed.data
}
