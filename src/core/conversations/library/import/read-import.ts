import { fileHeadSchema, FILE_VERSION } from '../../../../shared/library/conversation-file.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { ImportReport, ImportSource, LeftOutKind } from '../../../../shared/library/import-report.ts'
import { MAX_IMPORT } from '../../../../shared/library/limits.ts'
import type { Store } from '../../../storage/index.ts'
import { fromChatGpt } from './chatgpt.ts'
import { fromClaude } from './claude.ts'
import { Elements, type Element } from './elements.ts'
import { Skip, type ImportedConversation } from './imported.ts'
import { fromOpenWebUi } from './open-webui.ts'
import { fromSotto } from './sotto.ts'
import { importItems } from './import-conversations.ts'

/** The number of skipped conversations that the report lists. */
const TOLD = 50
const MAX_TITLE = 120

const readers: Readonly<Record<Exclude<ImportSource, 'backup'>, (value: unknown) => ImportedConversation>> = {
  chatgpt: fromChatGpt,
  claude: fromClaude,
  'open-webui': fromOpenWebUi,
  sotto: fromSotto,
}

/** Imports one file, piece by piece. Each conversation is stored as soon as it's read. */
export class Import {
  readonly #store: Store
  readonly #now: () => number
  readonly #elements = new Elements((element) => this.#waiting.push(element))
  #waiting: Element[] = []
  #read = 0
  #at = 0
  #source: ImportSource | null = null
  #conversations = 0
  #messages = 0
  #skipped = 0
  readonly #skips: ImportReport['skips'] = []
  readonly #leftOut = new Map<LeftOutKind, number>()

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Throws library/not-conversations, library/too-large, library/newer-version, and store/… if the disk
   * fails.
   */
  async take(piece: string): Promise<void> {
    this.#read += piece.length
    if (this.#read > MAX_IMPORT) throw new SottoError('library/too-large')
    if (!this.#elements.take(piece)) throw new SottoError('library/not-conversations')
    const waiting = this.#waiting
    this.#waiting = []
    for (const element of waiting) {
      this.#one(element)
      // Let other work run.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  report(): ImportReport {
    return {
      source: this.#source,
      conversations: this.#conversations,
      messages: this.#messages,
      skipped: this.#skipped,
      skips: [...this.#skips],
      leftOut: Object.fromEntries(this.#leftOut),
      whole: this.#elements.whole,
    }
  }

  /** The report at the end. Throws library/not-conversations if the file had no conversation. */
  end(): ImportReport {
    if (this.#source === null) throw new SottoError('library/not-conversations')
    return this.report()
  }

  #one({ text, head }: Element): void {
    this.#at += 1
    try {
      if (text === null) throw new Skip('too-large')
      const value = parseJson(text)
      const source = sourceOf(value, head)
      if (source === null) throw new Skip('unrecognised')
      this.#source ??= source
      const imported = readers[source](value)
      this.#messages += importItems(this.#store, imported, this.#now())
      this.#conversations += 1
      for (const [kind, count] of imported.leftOut.counts)
        this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
    } catch (thrown) {
      if (!(thrown instanceof Skip)) throw thrown
      this.#skipped += 1
      if (this.#skips.length < TOLD)
        this.#skips.push({
          at: this.#at,
          title: thrown.title?.slice(0, MAX_TITLE).toWellFormed() ?? null,
          reason: thrown.reason,
        })
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Don't pass on the parser's error, which would quote the content.
    throw new Skip('malformed')
  }
}

function sourceOf(value: unknown, head: string): keyof typeof readers | null {
  if (head !== '') {
    const parsed = fileHeadSchema.safeParse(headOf(head))
    if (parsed.success) {
      if (parsed.data.version > FILE_VERSION) throw new SottoError('library/newer-version')
      return 'sotto'
    }
  }
  if (typeof value !== 'object' || value === null) return null
  if ('mapping' in value) return 'chatgpt'
  if ('chat_messages' in value) return 'claude'
  return 'chat' in value ? 'open-webui' : null
}

function headOf(head: string): unknown {
  try {
    return JSON.parse(head)
  } catch {
    return null
  }
}
