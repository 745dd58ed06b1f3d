import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPackage } from '@electron/asar'

/**
 * The format of the fuses in Electron's binary: this text, the version of the wire, its length, and a character for
 * each fuse.
 */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = 9

/**
 * Writes a folder with the layout of Electron's Linux distribution, which is good only for packaging. Its binary
 * does nothing, and all its fuses are inherited.
 */
export async function writeFakeElectron(folder: string): Promise<void> {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'))
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([
      Buffer.from(`stand-in ${FUSE_SENTINEL}`),
      Buffer.from([1, FUSES]),
      Buffer.from('1'.repeat(FUSES)),
      Buffer.from(' end'),
    ]),
    { mode: 0o755 },
  )
  const welcome = join(folder, 'welcome')
  mkdirSync(welcome)
  writeFileSync(join(welcome, 'main.js'), '')
  await createPackage(welcome, join(folder, 'resources', 'default_app.asar'))
  rmSync(welcome, { recursive: true })
  for (const locale of ['en-US', 'de', 'fi', 'he', 'ja', 'ko', 'zh-TW'])
    writeFileSync(join(folder, 'locales', `${locale}.pak`), locale)
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'version'])
    writeFileSync(join(folder, file), `stand-in ${file}`)
}
