import { readSettings } from '../../host/index.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { CommandFailure, failureOf, type Door } from '../door-client.ts'
import { printFailure } from '../print-failure.ts'
import { withClient } from '../with-client.ts'
import { exitOfFailure, jobExit } from './exit-codes.ts'
import { listenForInterrupts, type Interrupts } from './interrupts.ts'
import { ProgressLine } from './progress-line.ts'

/** What a command works with. */
export interface Studio {
  readonly door: Door
  readonly interrupts: Interrupts
  readonly progress: ProgressLine
  /** One line of JSON on standard output. */
  readonly json: boolean
}

/** One command's work, at the door of the data folder's owner. Returns the exit code; a coded failure is printed. */
export async function atStudio(json: boolean, work: (studio: Studio) => Promise<number>): Promise<number> {
  const interrupts = listenForInterrupts()
  const progress = new ProgressLine(process.stderr)
  try {
    return await withClient(await readSettings(), (_client, door) =>
      work({ door, interrupts, progress, json }),
    )
  } catch (thrown) {
    progress.end()
    if (interrupts.asked.aborted) {
      process.stderr.write('Stopped. Nothing was paid.\n')
      return jobExit.stopped
    }
    const failed = failureOf(thrown)
    if (!failed) throw thrown
    printFailure(failed, json)
    return exitOfFailure(failed)
  } finally {
    progress.end()
    interrupts[Symbol.dispose]()
  }
}

/** The failure for input that can't be used. @param says what happened @param remedy what to do */
export function unusable(says: string, remedy = ''): CommandFailure {
  return new CommandFailure({ code: 'request/invalid', says, remedy } satisfies Failure)
}
