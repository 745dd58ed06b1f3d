import { existsSync } from 'node:fs'
import { acquireOwnership, ownerFetch } from '../host/owner-socket.ts'
import { DataFolder } from '../host/data-folder.ts'
import { readSettings } from '../host/settings.ts'
import { SottoError } from '../shared/errors.ts'
import { exitOfThrown, print } from './with-client.ts'
import { clientOver } from './client.ts'
import type { Output } from './json-output.ts'

/**
 * The result of `sotto lock`: `locked` now, `already-locked`, or `not-running`, in which case nothing is
 * unlocked.
 */
type Outcome = 'locked' | 'already-locked' | 'not-running'

const texts: Readonly<Record<Outcome, string>> = {
  locked: 'Sotto is locked.',
  'already-locked': 'Sotto was already locked.',
  'not-running': 'Sotto isn’t running, so nothing is unlocked.',
}

/**
 * `sotto lock`: locks the running Sotto. Doesn't start Sotto and doesn't ask for a passphrase.
 *
 * @returns the exit code: 0 if nothing is unlocked now, 1 if Sotto can't be locked or doesn't answer
 */
export async function lock({ json }: Output): Promise<number> {
  const { dataDir } = await readSettings()
  try {
    const outcome = await lockOwner(dataDir)
    print(json, { result: outcome }, texts[outcome])
    return 0
  } catch (thrown) {
    return exitOfThrown(thrown, json)
  }
}

async function lockOwner(dataDir: string): Promise<Outcome> {
  try {
    const { wasOpen } = await clientOver(ownerFetch(dataDir)).vault.lock()
    return wasOpen ? 'locked' : 'already-locked'
  } catch (thrown) {
    if (thrown instanceof SottoError && thrown.code === 'host/already-running' && !(await isOwned(dataDir)))
      return 'not-running'
    throw thrown
  }
}

/** Whether a Sotto runs on this data folder, even if it doesn't answer. */
async function isOwned(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false
  const ownership = acquireOwnership(await DataFolder.check(dataDir))
  ownership?.release()
  return ownership === null
}
