import { describe, expect, it } from 'vitest'
import { isBuilt, launch } from './launch.ts'

describe.skipIf(!isBuilt())(
  'the built main, packaged, with a sandbox that the environment turned off',
  () => {
    it('shows an error and exits before the switch could be removed', async () => {
      const { electron } = await launch({ world: { packaged: true, switches: ['no-sandbox'] } })
      expect(electron.callsOf('dialog.showErrorBox')).toEqual([
        ['Sotto can’t start', expect.stringContaining('needs the Chromium sandbox') as string],
      ])
      expect(electron.callsOf('app.exit')).toEqual([[1]])
      for (const name of ['app.enableSandbox', 'app.whenReady']) expect(electron.callsOf(name)).toEqual([])
    })
  },
)
