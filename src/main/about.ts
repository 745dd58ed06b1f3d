import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '@lingui/core/macro'
import { clipboard, dialog, shell, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { applicationRoot, readVersion } from '../host/application-root.ts'
import { showMessage } from './native-confirm.ts'

const LICENCES = 'third-party-licences.txt'
/** Each part of the build has the licenses of the packages in it. */
const PARTS = ['main', 'preload', 'renderer']

/** Shows the versions for a problem report, with a way to the licenses. @param folder the desktop's own files */
export async function showAbout(parent: BrowserWindow | null, folder: string): Promise<void> {
  const name = `Sotto ${await readVersion()}`
  const { electron, chrome, node } = process.versions
  const versions = [
    `Electron ${electron}`,
    `Chromium ${chrome}`,
    `Node.js ${node}`,
    `${process.platform} ${process.arch}`,
  ].join('\n')
  const options: MessageBoxOptions = {
    type: 'info',
    title: t`About Sotto`,
    message: name,
    detail: `${versions}\n\n${t`MIT license`}`,
    buttons: [t`Close`, t`Copy`, t`Third-Party Licenses`],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const { response } = await showMessage(parent, options)
  if (response === 1) await clipboard.writeText(`${name}\n${versions}`)
  if (response === 2) await showLicences(folder)
}

/**
 * Opens the licenses of the packages in Sotto in the system's viewer of texts. It can't read the packed app, so the
 * texts are copied into a file.
 *
 * @param folder the desktop's own files
 */
export async function showLicences(folder: string): Promise<void> {
  const file = join(folder, LICENCES)
  try {
    const texts = await Promise.all(
      PARTS.map((part) => readFile(join(applicationRoot, 'out', part, LICENCES), 'utf8')),
    )
    await writeFile(file, texts.join('\n'), { mode: 0o600 })
    const problem = await shell.openPath(file)
    if (problem !== '') throw new Error(problem)
  } catch {
    dialog.showErrorBox(t`Couldn’t open the licenses`, file)
  }
}
