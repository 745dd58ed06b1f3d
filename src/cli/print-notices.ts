import { RECORDS_CHANGED } from '../shared/record-change.ts'
import { inEnglish } from '../shared/say.ts'
import type { Notice } from '../shared/status.ts'

/** Prints that saved records were changed outside Sotto, if a notice states it: until they are accepted in the window, much is refused. */
export function printChangedRecords(notices: readonly Notice[], print: (line: string) => void): void {
  const notice = notices.find(({ id }) => id === RECORDS_CHANGED)
  if (notice) print(`${inEnglish(notice.says)} Accept them in the window ("sotto open").`)
}
