import { FILE_FORMAT, FILE_VERSION } from '../../../../shared/library/conversation-file.ts'
import type { ExportText } from './export-text.ts'

/**
 * Every branch of every conversation. The header is first, so that a reader recognizes the format at once.
 */
export function jsonText(now: number): ExportText {
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
