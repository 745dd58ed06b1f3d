import { randomUUID } from 'node:crypto'
import type { ExportEvent, ExportFormat } from '../../src/shared/library/conversation-file.ts'
import type { ImportReport } from '../../src/shared/library/import-report.ts'
import type { SearchAnswer } from '../../src/shared/library/search.ts'
import type { StoredConversation } from './mock-data.ts'

/** The library procedures of the mock core. Specs with the whole product test the real ones. */
export function mockLibrary({ state }: { readonly state: { conversations: StoredConversation[] } }) {
  let read = 0
  const report = (whole: boolean): ImportReport => ({
    source: 'sotto',
    conversations: read,
    messages: read,
    skipped: 1,
    skips: [{ at: 7, title: 'A title that was there', reason: 'malformed' }],
    leftOut: { images: 3, tools: 12 },
    whole,
    models: [
      { name: 'gpt-4o', conversations: read },
      { name: 'private/sandbox-large', conversations: 1 },
      { name: '', conversations: 1 },
    ],
  })
  const marked = (text: string, word: string) => {
    const at = text.toLowerCase().indexOf(word)
    return { text, marks: at < 0 || word === '' ? [] : [[at, at + word.length] as const] }
  }
  return {
    search({ question, limit }: { question: string; limit: number }): SearchAnswer {
      const word = question.trim().toLowerCase()
      const found =
        word === ''
          ? []
          : state.conversations.flatMap(({ conversation, messages }) => {
              const excerpts = messages
                .filter(({ text }) => text.toLowerCase().includes(word))
                .map(({ id, role, text }) => ({ messageId: id, role, excerpt: marked(text, word) }))
              return excerpts.length > 0 || conversation.title.toLowerCase().includes(word)
                ? [{ conversation, title: marked(conversation.title, word), excerpts: excerpts.slice(0, 2) }]
                : []
            })
      return { found: found.slice(0, limit), more: found.length > limit, reading: null }
    },
    async *export({ format }: { format: ExportFormat }): AsyncGenerator<ExportEvent, void> {
      yield { type: 'text', text: format }
      await Promise.resolve()
      yield { type: 'ended', conversations: state.conversations.length, unreadable: 0 }
    },
    async *backup(): AsyncGenerator<ExportEvent, void> {
      yield { type: 'text', text: 'sealed' }
      await Promise.resolve()
      yield { type: 'ended', conversations: state.conversations.length, unreadable: 0 }
    },
    importBegin() {
      read = 0
      return { importId: randomUUID() }
    },
    importPiece(): ImportReport {
      read += 1
      return report(false)
    },
    importUndo: () => ({ removed: read, remaining: 0 }),
    importEnd: ({ stopped }: { stopped: boolean }): ImportReport => report(!stopped),
  }
}
