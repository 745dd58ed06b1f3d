import { readSettings } from '../host/settings.ts'
import type { ContractClient } from './client.ts'
import { exits } from './exit-codes.ts'
import { exitOfThrown, withClient } from './with-client.ts'

export interface Interrupt extends Disposable {
  readonly signal: AbortSignal
}

/** Aborts the signal at the first Ctrl-C until it is disposed of. The second Ctrl-C ends the process. */
export function listenForInterrupt(): Interrupt {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  return { signal: stop.signal, [Symbol.dispose]: () => void process.off('SIGINT', onInterrupt) }
}

/**
 * Runs a command's work until it ends or Ctrl-C stops it. Prints a failure that has a code.
 *
 * @returns the exit code
 */
export async function stoppable(
  json: boolean,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  using interrupt = listenForInterrupt()
  try {
    return await work(interrupt.signal)
  } catch (thrown) {
    return interrupt.signal.aborted ? exits.interrupted : exitOfThrown(thrown, json)
  }
}

/** Runs the work with a client of the process that owns the data folder, as `stoppable` does. */
export function withStoppableClient(
  json: boolean,
  work: (client: ContractClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  return stoppable(json, async (signal) => withClient(await readSettings(), (client) => work(client, signal)))
}

/** Resolves when the process is asked to end. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
