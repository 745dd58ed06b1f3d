import { readSettings } from '../host/index.ts'
import { failureOf, type DoorClient } from './door-client.ts'
import { jsonLine } from './json-line.ts'
import { printFailure } from './print-failure.ts'
import { withClient } from './with-client.ts'

/** One command's work at the door of the data folder's owner. Returns the exit code; a coded failure is printed. */
export async function atDoor(json: boolean, work: (client: DoorClient) => Promise<number>): Promise<number> {
  try {
    return await withClient(await readSettings(), work)
  } catch (thrown) {
    const failed = failureOf(thrown)
    if (!failed) throw thrown
    printFailure(failed, json)
    return 1
  }
}

/** One line of JSON, or what a person reads, on standard output. */
export function print(json: boolean, value: object, text: string): void {
  process.stdout.write(`${json ? jsonLine(value) : text}\n`)
}
