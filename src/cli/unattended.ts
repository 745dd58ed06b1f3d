import { DataFolder } from '../host/data-folder.ts'
import { readSettings } from '../host/settings.ts'
import { startHost } from '../host/host.ts'
import { CORE, type Confirm } from '../shared/confirm.ts'
import { clientOver, CommandFailure, failureOf, type ContractClient } from './client.ts'
import { reportRestricted } from './print-notices.ts'
import { exitOfThrown, failure } from './with-client.ts'

/**
 * Finds what the environment lacks for a command without a person. The passphrase then comes from a file and opens
 * the vault, so the program that starts the command can already reach what a confirmation protects. In a keychain,
 * every program of the user would have it.
 * @returns the missing setting; null if there is none
 */
export function missingForUnattended(environment: NodeJS.ProcessEnv): string | null {
  if (environment['SOTTO_VAULT'] !== 'file') return 'SOTTO_VAULT=file'
  if (!environment['SOTTO_PASSPHRASE_FILE']) return 'SOTTO_PASSPHRASE_FILE'
  return null
}

/**
 * Runs a command's work in a core of its own and confirms its questions. Prints a failure that has a code, such as
 * host/already-running: the questions of a running Sotto belong to the terminal that runs it.
 * @returns the exit code
 */
export async function withUnattendedClient(
  json: boolean,
  work: (client: ContractClient) => Promise<number>,
): Promise<number> {
  try {
    const settings = await readSettings()
    const folder = await DataFolder.check(settings.dataDir)
    reportRestricted(folder, (line) => void process.stderr.write(`${line}\n`))
    await using host = await startHost({ settings, folder, confirm: confirmOwn, anyPort: true })
    return await work(clientOver((request) => host.asOwner(request)))
  } catch (thrown) {
    const running = failureOf(thrown)?.code === 'host/already-running'
    return exitOfThrown(running ? new CommandFailure(failure('host/already-running')) : thrown, json)
  }
}

/** Agrees to the questions of the command. A question that no caller asked stays refused. */
export const confirmOwn: Confirm = {
  ask: ({ from }) => Promise.resolve(from !== CORE),
  pending: () => null,
  answer: () => ({ accepted: false }),
}
