import { acquireOwnership, serveOwnerSocket } from '../../src/host/owner-socket.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import type { PayWay } from '../../src/shared/job.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { startStudioWorld, type StudioWorld } from '../core/jobs/studio-world.ts'
import type { WorldOptions } from '../world.ts'
import { runSotto, type Finished } from './sotto-process.ts'
import { answerOf } from './command-json.ts'

export interface OwnedWorld extends StudioWorld {
  /** A command in its own process, which finds this process as the owner of its data folder. */
  sotto(args: string[], input?: string): Promise<Finished>
}

/** A whole core over a sandbox of this revision, behind the owner's socket of its folder, as `sotto serve` has it. */
export async function startOwnedWorld(
  revision: 'A' | 'B',
  pay: PayWay,
  options: WorldOptions = {},
): Promise<OwnedWorld> {
  const world = await startStudioWorld(revision, pay, options)
  const ownership = acquireOwnership(await DataFolder.check(world.folder))
  const socket = await serveOwnerSocket(
    world.folder,
    { asOwner: (request) => world.core.asOwner(request), bodies: new BodyBudget() },
    { open: () => Promise.resolve(null) },
  )
  return {
    ...world,
    sotto: (args, input = '') => runSotto(args, { SOTTO_DATA_DIR: world.folder }, input),
    async [Symbol.asyncDispose]() {
      await socket[Symbol.asyncDispose]()
      ownership?.release()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** The data of one line of JSON, with the error if there is one. */
export function parseStdout({ stdout }: Finished): unknown {
  return answerOf(stdout)
}
