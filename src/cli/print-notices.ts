import type { DataFolder } from '../host/data-folder.ts'
import { RECORDS_CHANGED } from '../shared/record-change.ts'
import { renderEnglish } from '../shared/localized-text.ts'
import { ENTRIES_SKIPPED, type Notice } from '../shared/status.ts'

/**
 * Prints the notice that saved records were changed outside Sotto, if there is one. Sotto refuses many
 * actions until they are accepted in the window.
 */
export function printChangedRecords(notices: readonly Notice[], print: (line: string) => void): void {
  const notice = notices.find(({ id }) => id === RECORDS_CHANGED)
  if (notice) print(`${renderEnglish(notice.says)} Accept them in the window ("sotto open").`)
}

/**
 * Prints the notices that entries of the service's lists can't be read, because a list would otherwise look
 * complete.
 */
export function printSkippedEntries(notices: readonly Notice[], print: (line: string) => void): void {
  for (const { id, says } of notices) if (id.startsWith(ENTRIES_SKIPPED)) print(renderEnglish(says))
}

/** Names at most this many files. */
const MAX_NAMED = 10

/** Prints which files of the data folder other users had access to until now. */
export function reportRestricted({ restricted }: DataFolder, msg: (line: string) => void): void {
  if (restricted.length === 0) return
  const more = restricted.length - MAX_NAMED
  msg(
    `Other users had access to the data folder. Sotto removed it from: ${restricted.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`,
  )
}
