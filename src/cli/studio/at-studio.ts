import { z } from 'zod'
import { readSettings } from '../../host/settings.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { exitOfThrown, withClient } from '../with-client.ts'
import { CommandFailure, type CommandClient } from '../client.ts'
import { exits } from '../exit-codes.ts'
import { ProgressLine } from './follow-job.ts'

/** Ctrl-C: the first asks to stop the job, the second to exit at once. */
export interface Interrupts extends Disposable {
  readonly asked: AbortSignal
  readonly insisted: AbortSignal
}

/** Listens for Ctrl-C, which doesn't end the process until the result is disposed of. */
function listenForInterrupts(): Interrupts {
  const asked = new AbortController()
  const insisted = new AbortController()
  const onInterrupt = (): void => (asked.signal.aborted ? insisted : asked).abort()
  process.on('SIGINT', onInterrupt)
  return {
    asked: asked.signal,
    insisted: insisted.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', onInterrupt),
  }
}

/** The environment of a command. */
export interface Studio {
  readonly connection: CommandClient
  readonly interrupts: Interrupts
  readonly progress: ProgressLine
  /** Prints a single line of JSON to standard output. */
  readonly json: boolean
}

/**
 * Runs a command's work with the owner of the data folder. Returns the exit code, and prints a failure that
 * has a code.
 */
export async function atStudio(json: boolean, work: (studio: Studio) => Promise<number>): Promise<number> {
  const interrupts = listenForInterrupts()
  const progress = new ProgressLine(process.stderr)
  try {
    return await withClient(await readSettings(), (_client, connection) =>
      work({ connection, interrupts, progress, json }),
    )
  } catch (thrown) {
    progress.end()
    if (interrupts.asked.aborted) {
      process.stderr.write('Stopped. Nothing was paid.\n')
      return exits.interrupted
    }
    return exitOfThrown(thrown, json)
  } finally {
    progress.end()
    interrupts[Symbol.dispose]()
  }
}

/** The failure for input that can't be used. @param message what happened @param remedy what to do */
export function unusable(message: string, remedy = ''): CommandFailure {
  return new CommandFailure({ code: 'request/invalid', says: message, remedy } satisfies Failure)
}

const objectSchema = z.record(z.string(), z.json())

/** Checks that a value is a JSON object. Throws request/invalid. */
export function jsonObject(value: unknown): z.infer<typeof objectSchema> {
  const parsed = objectSchema.safeParse(value)
  if (!parsed.success)
    throw unusable('The parameters are not a JSON object.', 'Use an object such as {"style":"ink"}.')
  return parsed.data
}

/** Returns the request's member for extra parameters, if there are any. */
export function asExtra(extra: Record<string, unknown> | undefined): {
  extra?: z.infer<typeof objectSchema>
} {
  return extra === undefined ? {} : { extra: jsonObject(extra) }
}
