import { z } from 'zod'
import { readSettings } from '../../host/settings.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { exitOfThrown, withClient } from '../with-client.ts'
import { CommandFailure, wordsOf, type CommandClient } from '../client.ts'
import { exits } from '../exit-codes.ts'
import { listenForInterrupt, type Interrupt } from '../stoppable.ts'
import { ProgressLine } from './follow-job.ts'

/** Ctrl-C. The second one ends the process, except while something waits for it. */
export interface Interrupts extends Disposable {
  /** Aborted by the first one. */
  readonly asked: AbortSignal
  /** Waits for the next one, until the result is disposed of. */
  readonly next: () => Interrupt
}

function listenForInterrupts(): Interrupts {
  const first = listenForInterrupt()
  return {
    asked: first.signal,
    next: listenForInterrupt,
    [Symbol.dispose]: () => first[Symbol.dispose](),
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
      const saved = thrown instanceof CommandFailure ? wordsOf(thrown.failure) : undefined
      process.stderr.write(`${saved ?? 'Stopped. Nothing was paid.'}\n`)
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
