import { readSettings, type Settings } from '../host/settings.ts'
import { DataFolder } from '../host/data-folder.ts'
import { ownerBesidesRoot } from '../host/socket-place.ts'
import { acquireOwnership, ownerFetch } from '../host/owner-socket.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import type { ErrorCode } from '../shared/error-codes.ts'
import { SottoError } from '../shared/errors.ts'
import type { LocalizedText } from '../shared/localized-text.ts'
import { toolTextOf } from '../shared/tool-texts.ts'
import { failureOf, type ContractClient, failureLine, clientOver, type CommandClient } from './client.ts'
import { exitOfFailure } from './exit-codes.ts'
import { jsonLine } from './json-output.ts'
import { unlockVaultAtTerminal } from './passphrase.ts'
import { printChangedRecords, reportRestricted } from './print-notices.ts'
import { createQuestionTerminal } from './question-terminal.ts'
import { createTerminalConfirm } from './terminal-confirm.ts'

/** A failure of the command itself, to a person on standard error, or as one line of JSON on standard output. */
export function printFailure(failure: Failure, json: boolean): void {
  if (json) process.stdout.write(`${jsonLine(null, failure)}\n`)
  else process.stderr.write(`${failureLine(failure)}\n`)
}

/** Prints a failure that has a code, and returns its exit code. Throws anything else. */
export function exitOfThrown(thrown: unknown, json: boolean): number {
  const failed = failureOf(thrown)
  if (!failed) throw thrown
  printFailure(failed, json)
  return exitOfFailure(failed)
}

/** A failure that the command itself found. Its text may name commands and options. */
export function failure(code: ErrorCode, detail?: LocalizedText): Failure {
  const { says, remedy } = toolTextOf(code)
  return { code, says, remedy, ...(detail !== undefined && { detail }) }
}

/**
 * Runs a command's work with the owner of the data folder. Returns the exit code, and prints a failure that
 * has a code.
 */
export async function withCommandClient(
  json: boolean,
  work: (client: ContractClient) => Promise<number>,
): Promise<number> {
  try {
    return await withClient(await readSettings(), work)
  } catch (thrown) {
    return exitOfThrown(thrown, json)
  }
}

/** Prints a single line of JSON, or text for a person, to standard output. */
export function print(json: boolean, value: object, text: string): void {
  process.stdout.write(`${json ? jsonLine(value) : text}\n`)
}

/**
 * Calls `work` with a client of the process that owns the data folder. If there is none, this process owns
 * the folder until `work` ends. If the vault needs a passphrase, it is asked for in the terminal.
 */
export async function withClient<T>(
  settings: Settings,
  work: (client: ContractClient, connection: CommandClient) => Promise<T>,
): Promise<T> {
  const printLine = (line: string): void => void process.stderr.write(`${line}\n`)
  const begin = async (fetch: CommandClient['fetch'], ownsDataFolder: boolean): Promise<T> => {
    const client = clientOver(fetch)
    await unlockVaultAtTerminal(client, printLine)
    printChangedRecords((await client.app.status()).notices, printLine)
    return work(client, { client, fetch, ownsDataFolder })
  }
  if ((await ownerBesidesRoot(settings.dataDir)) !== null) return begin(ownerFetch(settings.dataDir), false)
  try {
    const folder = await DataFolder.check(settings.dataDir)
    reportRestricted(folder, printLine)
    const ownership = acquireOwnership(folder)
    if (!ownership) return await begin(ownerFetch(settings.dataDir), false)
    ownership.release()
    // Most commands find a running Sotto, so they never load the core.
    const { startHost } = await import('../host/host.ts')
    // A command writes no log.
    await using host = await startHost({
      settings,
      folder,
      confirm: createTerminalConfirm(createQuestionTerminal({ logsToStderr: false })),
      anyPort: true,
    })
    return await begin((request) => host.asOwner(request), true)
  } catch (thrown) {
    if (thrown instanceof SottoError && thrown.code === 'host/already-running')
      return begin(ownerFetch(settings.dataDir), false)
    throw thrown
  }
}
