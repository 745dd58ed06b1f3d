import type { ExportFormat, FileConversation } from '../../../../shared/library/conversation-file.ts'
import { htmlText } from './html.ts'
import { jsonText } from './json.ts'
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
