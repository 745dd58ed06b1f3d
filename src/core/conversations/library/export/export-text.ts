import {
  FILE_FORMAT,
  FILE_VERSION,
  type ExportFormat,
  type FileConversation,
} from '../../../../shared/library/conversation-file.ts'
import { htmlText } from './html.ts'
import { markdownText } from './markdown.ts'

/** One file of conversations, in pieces. */
export interface ExportText {
  readonly begin: string
  conversation(conversation: FileConversation): string
  readonly end: string
}

/**
 * Creates the writer of one file. JSON has every branch of a conversation, the other formats only the
 * visible one. @param now Unix ms
 */
export function exportText(format: ExportFormat, now: number): ExportText {
  return { json: jsonText, markdown: markdownText, html: htmlText }[format](now)
}

/**
 * Every branch of every conversation. The header is first, so that a reader recognizes the format at once.
 */
function jsonText(now: number): ExportText {
  const head = { format: FILE_FORMAT, version: FILE_VERSION, exportedAt: new Date(now).toISOString() }
  let first = true
  return {
    begin: `${JSON.stringify(head).slice(0, -1)},"conversations":[`,
    conversation(conversation) {
      const text = `${first ? '' : ','}\n${JSON.stringify(conversation)}`
      first = false
      return text
    },
    end: '\n]}\n',
  }
}
