import { RECORDS_CHANGED } from '../shared/record-change.ts'
import { inEnglish } from '../shared/say.ts'
import type { DoorClient } from './door-client.ts'

/** Prints that saved records were changed outside Sotto, if they were: until they are accepted in the window, much is refused. */
export async function printChangedRecords(client: DoorClient, print: (line: string) => void): Promise<void> {
  const { notices } = await client.app.status()
  const notice = notices.find(({ id }) => id === RECORDS_CHANGED)
  if (notice) print(`${inEnglish(notice.says)} Accept them in the window ("sotto open").`)
}
