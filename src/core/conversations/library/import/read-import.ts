import { SottoError } from '../../../../shared/errors.ts'
import type {
  ImportModels,
  ImportReport,
  ImportSource,
  LeftOutKind,
} from '../../../../shared/library/import-report.ts'
import { MAX_IMPORT } from '../../../../shared/library/limits.ts'
import type { Store } from '../../../storage/index.ts'
import { messageOfCharacter, messageOfLog } from './agent-logs.ts'
import { Elements, type Element } from './elements.ts'
import { formatOf } from './formats.ts'
import { fromGeminiActivity, isGeminiActivity } from './gemini-activity.ts'
import { importItems, modelOf } from './import-conversations.ts'
import { ImportedModels } from './imported-models.ts'
import { asObject, MAX_MESSAGES, Skip, type ImportedConversation, type JsonObject } from './imported.ts'
import { fromLooseMessages, isLooseMessage } from './message-lists.ts'

const MAX_REPORTED_SKIPS = 50
const MAX_REPORTED_FILES = 20
const MAX_TITLE = 120

export interface ImportFile {
  /** Differs for every file of one import. */
  readonly index: number
  readonly name: string
}

export interface ImportOptions {
  /** Reads and reports, and saves nothing. */
  readonly preview?: boolean | undefined
  /** Models to continue with. Every other chat keeps the model that its file names. */
  readonly models?: ImportModels | undefined
}

/** One file of an import, while it's read. */
class FileReader {
  readonly file: ImportFile
  readonly elements: Elements
  readonly pending: Element[] = []
  /** Messages, or records of prompts, without a chat around them become chats when the file, or the list that holds them, ends. */
  loose: JsonObject[] = []
  looseRoot = 0
  at = 0
  recognized = false
  invalid = false
  /** Reported only if the file has chats: otherwise the file is reported. */
  unrecognized: ImportReport['skips'] = []
  unrecognizedCount = 0

  constructor(file: ImportFile) {
    this.file = file
    this.elements = new Elements((element) => this.pending.push(element))
  }
}

/** One import of one or more files, read piece by piece. Each chat is saved as soon as it's read, or only counted for a preview. */
export class Import {
  readonly #store: Store
  readonly #now: () => number
  readonly preview: boolean
  #reader: FileReader | null = null
  #read = 0
  readonly #sources = new Set<ImportSource>()
  #conversations = 0
  #messages = 0
  #skipped = 0
  #whole = true
  #from: number | null = null
  #to: number | null = null
  #otherFiles = 0
  readonly #otherNames: string[] = []
  readonly #skips: ImportReport['skips'] = []
  readonly #leftOut = new Map<LeftOutKind, number>()
  readonly #written: { readonly conversationId: string; readonly messages: number }[] = []
  readonly #folders = new Set<string>()
  readonly #models: ImportedModels

  constructor(store: Store, now: () => number, { preview = false, models = [] }: ImportOptions = {}) {
    this.#store = store
    this.#now = now
    this.preview = preview
    this.#models = new ImportedModels(models)
  }

  /**
   * Reads the next piece of a file. Another index begins another file.
   * @throws {SottoError} library/too-large, library/newer-version; store/… if the disk refuses
   */
  async take(piece: string, file: ImportFile = { index: 0, name: '' }): Promise<void> {
    if (this.#reader && this.#reader.file.index !== file.index) this.#endFile()
    const reader = (this.#reader ??= new FileReader(file))
    this.#read += piece.length
    if (this.#read > MAX_IMPORT) throw new SottoError('library/too-large')
    if (reader.invalid) return
    const begun = reader.elements.take(piece)
    for (const element of reader.pending.splice(0)) {
      this.#readElement(reader, element)
      // Lets other work run between two chats.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!begun) reader.invalid = true
  }

  report(): ImportReport {
    const leftOut = new Map(this.#leftOut)
    if (this.#otherFiles > 0) leftOut.set('other-files', this.#otherFiles)
    return {
      source: this.#sources.size === 1 ? ([...this.#sources][0] ?? null) : null,
      conversations: this.#conversations,
      messages: this.#messages,
      skipped: this.#skipped,
      skips: [...this.#skips],
      leftOut: Object.fromEntries(leftOut),
      whole: this.#whole && (this.#reader?.elements.whole ?? true),
      ...(this.#from !== null && { from: this.#from }),
      ...(this.#to !== null && { to: this.#to }),
      ...(this.#models.counted && { models: this.#models.list() }),
      ...(this.#otherNames.length > 0 && { otherFiles: [...this.#otherNames] }),
    }
  }

  /**
   * @param otherFiles - number of files that weren't read because they can't hold chats
   * @throws {SottoError} library/not-conversations – if no file has a chat
   */
  end(otherFiles = 0): ImportReport {
    this.#endFile()
    this.#otherFiles += otherFiles
    if (this.#sources.size === 0) throw new SottoError('library/not-conversations')
    return this.report()
  }

  /**
   * Deletes the chats that this import saved, and its folders if they are empty. A chat that got more messages since stays.
   * @returns number of deleted and of remaining chats
   */
  undo(): { readonly removed: number; readonly remaining: number } {
    const { conversations, messages, folders } = this.#store
    let removed = 0
    let remaining = 0
    this.#store.atOnce(() => {
      for (const { conversationId, messages: count } of this.#written.splice(0)) {
        if (messages.of(conversationId).length > count) remaining += 1
        else if (conversations.remove(conversationId)) removed += 1
      }
      const used = new Set(conversations.list().map(({ folderId }) => folderId))
      for (const id of this.#folders) if (!used.has(id)) folders.remove(id)
    })
    return { removed, remaining }
  }

  #endFile(): void {
    const reader = this.#reader
    if (!reader) return
    this.#reader = null
    this.#endLoose(reader)
    if (reader.recognized) {
      this.#whole &&= reader.elements.whole
      return
    }
    this.#otherFiles += 1
    if (reader.file.name !== '' && this.#otherNames.length < MAX_REPORTED_FILES)
      this.#otherNames.push(reader.file.name.slice(0, MAX_TITLE).toWellFormed())
  }

  #readElement(reader: FileReader, { text, head, root }: Element): void {
    if (reader.loose.length > 0 && root !== reader.looseRoot) this.#endLoose(reader)
    reader.at += 1
    try {
      if (text === null) throw new Skip('too-large')
      const value = parseJson(text)
      const object = asObject(value)
      const logged = object && head === '' ? (messageOfLog(object) ?? messageOfCharacter(object)) : undefined
      if (logged ?? (object && (isLooseMessage(object) || (head === '' && isGeminiActivity(object))))) {
        reader.looseRoot = root
        reader.loose.push(logged ?? object ?? {})
        this.#recognize(reader)
        if (reader.loose.length >= MAX_MESSAGES) this.#endLoose(reader)
        return
      }
      const format = formatOf(value, head)
      if (!format) throw new Skip('unrecognised')
      this.#recognize(reader)
      this.#sources.add(format.source)
      const read = format.read(object ?? {})
      if (read.length === 0) throw new Skip('empty')
      for (const imported of read) this.#save(reader, imported)
    } catch (thrown) {
      this.#skip(reader, thrown)
    }
  }

  #endLoose(reader: FileReader): void {
    const messages = reader.loose
    reader.loose = []
    if (messages.length === 0) return
    const records = messages.filter(isGeminiActivity)
    if (records.length > 0) this.#sources.add('gemini')
    for (const imported of fromGeminiActivity(records)) this.#save(reader, imported)
    const others = messages.filter((each) => !isGeminiActivity(each))
    if (others.length === 0) return
    this.#sources.add(others.some(({ object }) => object === 'thread.message') ? 'jan' : 'messages')
    for (const imported of fromLooseMessages(others)) this.#save(reader, imported)
  }

  #recognize(reader: FileReader): void {
    if (reader.recognized) return
    reader.recognized = true
    this.#skipped += reader.unrecognizedCount
    for (const skip of reader.unrecognized)
      if (this.#skips.length < MAX_REPORTED_SKIPS) this.#skips.push(skip)
  }

  #save(reader: FileReader, imported: ImportedConversation): void {
    try {
      if (imported.messages.length === 0) throw new Skip('empty', imported.title || null)
      if (!this.preview) {
        const model = this.#models.replacementOf(modelOf(imported))
        const saved = importItems(this.#store, imported, this.#now(), model)
        this.#written.push({ conversationId: saved.conversationId, messages: imported.messages.length })
        if (saved.newFolderId !== undefined) this.#folders.add(saved.newFolderId)
      }
      this.#conversations += 1
      this.#models.count(modelOf(imported))
      this.#messages += imported.messages.length
      for (const time of [imported.createdAt, imported.updatedAt, ...imported.messages.map(({ at }) => at)]) {
        if (time === null) continue
        this.#from = Math.min(this.#from ?? time, time)
        this.#to = Math.max(this.#to ?? time, time)
      }
      for (const [kind, count] of imported.leftOut.counts)
        this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
    } catch (thrown) {
      this.#skip(reader, thrown)
    }
  }

  #skip(reader: FileReader, thrown: unknown): void {
    if (!(thrown instanceof Skip)) throw thrown
    const skip = {
      at: reader.at,
      title: thrown.title?.slice(0, MAX_TITLE).toWellFormed() ?? null,
      reason: thrown.reason,
    }
    const known = reader.recognized
    if (known) this.#skipped += 1
    else reader.unrecognizedCount += 1
    const list = known ? this.#skips : reader.unrecognized
    if (list.length < MAX_REPORTED_SKIPS) list.push(skip)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error would quote the text.
    throw new Skip('malformed')
  }
}
