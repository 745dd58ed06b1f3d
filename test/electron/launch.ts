import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '..', '..')

/** A data folder that outlives one run of the app, under a passphrase: a build machine has no keychain to unlock. */
export class DataFolder {
  readonly path: string
  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<DataFolder> {
    const path = await mkdtemp(join(tmpdir(), 'sotto-electron-'))
    await writeFile(join(path, 'passphrase'), 'a passphrase for one test', { mode: 0o600 })
    return new DataFolder(path)
  }

  /** The built app, as `electron .` runs it. Nothing but the loopback sandbox is asked. */
  launch(): Promise<ElectronApplication> {
    const { NODE_OPTIONS: _, ...environment } = process.env
    const inherited = Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    return _electron.launch({
      args: [root],
      cwd: root,
      env: {
        ...inherited,
        SOTTO_DATA_DIR: join(this.path, 'data'),
        SOTTO_PORT: '0',
        SOTTO_VAULT: 'file',
        SOTTO_PASSPHRASE_FILE: join(this.path, 'passphrase'),
      },
    })
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The window, past the first start where it is one. */
export async function usableWindow(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow()
  const begin = page.getByRole('button', { name: 'Try the demo' })
  const composer = page.getByRole('textbox', { name: 'Message' })
  await begin.or(composer).first().waitFor()
  if (await begin.isVisible()) await begin.click()
  await composer.waitFor()
  return page
}
