import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBuilt, launch, temporaryDataFolder } from './launch.ts'

describe.skipIf(process.platform === 'win32' || !isBuilt())(
  'the built main, with a data folder that others can replace',
  () => {
    it('shows the error with its fix, and exits before it writes or opens anything', async () => {
      const open = join(temporaryDataFolder(), 'open')
      mkdirSync(open)
      chmodSync(open, 0o777)
      const dataDir = join(open, 'data')
      const { electron } = await launch({ dataDir })
      const [[title, content]] = electron.callsOf('dialog.showErrorBox') as [[string, string]]
      expect(title).toBe('Sotto can’t start')
      expect(content).toContain(`chmod go-w "${open}"`)
      expect(content).toContain('host/folder-writable-by-others')
      expect(electron.callsOf('app.exit')).toEqual([[1]])
      expect([...electron.callsOf('app.setPath'), ...electron.callsOf('app.whenReady')]).toEqual([])
      expect(existsSync(dataDir)).toBe(false)
    })
  },
)
