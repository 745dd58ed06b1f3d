import { DataFolder, ownerBesidesRoot, ownerFetch, startHost, type Settings } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { clientOver, type Door, type DoorClient } from './door-client.ts'
import { openVaultAtTerminal } from './passphrase.ts'
import { printChangedRecords } from './print-notices.ts'
import { createQuestionTerminal } from './question-terminal.ts'
import { reportRestricted } from './report-restricted.ts'
import { createTerminalConfirm } from './terminal-confirm.ts'

/**
 * Calls `work` with a client of the process that owns the data folder. If there is none, this process owns the folder until `work` ends.
 * If the vault needs a passphrase, it is asked for in the terminal.
 */
export async function withClient<T>(
  settings: Settings,
  work: (client: DoorClient, door: Door) => Promise<T>,
): Promise<T> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const begin = async (fetch: Door['fetch'], own: boolean): Promise<T> => {
    const client = clientOver(fetch)
    await openVaultAtTerminal(client, say)
    printChangedRecords((await client.app.status()).notices, say)
    return work(client, { client, fetch, own })
  }
  if ((await ownerBesidesRoot(settings.dataDir)) !== null) return begin(ownerFetch(settings.dataDir), false)
  try {
    const folder = await DataFolder.check(settings.dataDir)
    reportRestricted(folder, say)
    // A command writes no log.
    await using host = await startHost({
      settings,
      folder,
      confirm: createTerminalConfirm(createQuestionTerminal({ logsToStderr: false })),
      anyPort: true,
    })
    return await begin((request) => host.asOwner(request), true)
  } catch (thrown) {
    if (thrown instanceof SottoError && thrown.code === 'host/owned')
      return begin(ownerFetch(settings.dataDir), false)
    throw thrown
  }
}
