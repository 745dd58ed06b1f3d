import { DataFolder } from '../../src/host/data-folder.ts'
import { acquireOwnership, serveOwnerSocket } from '../../src/host/owner-socket.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'

/**
 * Answers the commands that use a data folder, in place of a running Sotto. It has the lock of the folder too, because
 * otherwise a command opens the folder itself.
 */
export async function answerCommands(
  dataDir: string,
  asOwner: (request: Request) => Promise<Response>,
): Promise<AsyncDisposable> {
  const ownership = acquireOwnership(await DataFolder.check(dataDir))
  const socket = await serveOwnerSocket(
    dataDir,
    { asOwner, bodies: new BodyBudget() },
    { open: () => Promise.resolve(null) },
  )
  return {
    async [Symbol.asyncDispose]() {
      await socket[Symbol.asyncDispose]()
      ownership?.release()
    },
  }
}
