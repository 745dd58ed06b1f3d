import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBuilt, launch, temporaryDataFolder } from './launch.ts'

describe.skipIf(process.platform === 'win32' || !isBuilt())(
  'the built main, with a data folder that cannot be written',
  () => {
    it('names the folder and the reason, and ends', async () => {
      const parent = temporaryDataFolder()
      // Root may write in every folder, but not below a file.
      const [dataDir, reason] =
        process.geteuid?.() === 0 ? [join(parent, 'file', 'data'), 'ENOTDIR'] : [parent, 'EACCES']
      if (reason === 'ENOTDIR') writeFileSync(join(parent, 'file'), '')
      else chmodSync(parent, 0o500)
      const { electron } = await launch({ dataDir })
      const [[title, content]] = electron.callsOf('dialog.showErrorBox') as [[string, string]]
      expect(title).toBe('Sotto can’t start')
      expect(content).toContain(`${dataDir}: ${reason}.`)
      expect(content).toContain('store/unwritable')
      expect(electron.callsOf('app.exit')).toEqual([[1]])
      expect([...electron.callsOf('app.setPath'), ...electron.callsOf('app.whenReady')]).toEqual([])
      chmodSync(parent, 0o700)
    })
  },
)
