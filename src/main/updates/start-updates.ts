import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import { checkReleaseFile, releaseIdentity } from '../../host/release-file.ts'
import { readVersion } from '../../host/application-root.ts'
import { keepUpdates } from './stored-updates.ts'
import { githubSource, updateSupport } from './source.ts'
import { createUpdates, type Updates } from './updates.ts'

interface UpdatesParts {
  /** The file of their saved state. */
  readonly file: string
  readonly wanted: () => boolean
  /** Ends the host and lets the lock of the one instance go. */
  readonly leave: () => Promise<void>
}

/**
 * The updates of this build, from the repository in its package.json; none without a repository. The first
 * check loads electron-updater.
 */
export async function startUpdates({ file, wanted, leave }: UpdatesParts): Promise<Updates> {
  const identity = releaseIdentity()
  const source = identity && githubSource(identity)
  const packageType = await readPackageType()
  return createUpdates({
    version: await readVersion(),
    support: updateSupport(source, {
      platform: process.platform,
      packaged: app.isPackaged,
      environment: process.env,
      packageType,
    }),
    hosts: source?.hosts ?? [],
    open: async () => {
      if (!source) throw new Error('there is nowhere to look')
      return (await import('./client.ts')).createUpdateClient(source)
    },
    verify: async (digest, bundle) => {
      if (!source) throw new Error('there is nobody to expect')
      return checkReleaseFile(digest, bundle, source.identity)
    },
    stored: await keepUpdates(file),
    wanted,
    leave,
    again: () => {
      app.relaunch()
      app.quit()
    },
  })
}

/** Absent in all but a deb and an rpm. */
async function readPackageType(): Promise<string | undefined> {
  try {
    return (await readFile(join(process.resourcesPath, 'package-type'), 'utf8')).trim()
  } catch {
    return undefined
  }
}
