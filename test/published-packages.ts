import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages of npm by name. A package that fetches this platform's program names the script that does so. */
export type PublishedPackages = Readonly<
  Record<string, { readonly version: string; readonly script?: string }>
>

/**
 * Installs published packages into a folder of their own, outside the project, and keeps it for later runs.
 *
 * @param within a folder that lasts longer than a run
 * @returns the folder, which has `node_modules`
 */
export async function installPublished(packages: PublishedPackages, within: string): Promise<string> {
  const wanted = Object.entries(packages)
    .map(([name, { version }]) => `${name}@${version}`)
    .toSorted()
  const folder = join(
    within,
    `sotto-published-${createHash('sha256').update(wanted.join()).digest('hex').slice(0, 16)}`,
  )
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder
  const unfinished = `${folder}.${String(process.pid)}`
  await mkdir(unfinished, { recursive: true })
  try {
    await writeFile(join(unfinished, 'package.json'), '{"private":true,"type":"module"}')
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
      cwd: unfinished,
      maxBuffer: 1 << 24,
      shell: process.platform === 'win32',
    })
    for (const [name, { script }] of Object.entries(packages)) {
      if (script !== undefined)
        await run(process.execPath, [script], {
          cwd: join(unfinished, 'node_modules', name),
          maxBuffer: 1 << 24,
        })
    }
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
