import { afterEach, describe, expect, it } from 'vitest'
import { isBuilt, launch } from './launch.ts'

describe.skipIf(!isBuilt())('the built main, packaged, with a switch that is not allowed', () => {
  const before = [...process.argv]
  afterEach(() => {
    process.argv = before
  })

  it('names the switch and ends, before it takes the folder or is ready', async () => {
    process.argv = [process.execPath, '--remote-debugging-port=9222', 'sotto://open/privacy']
    const { electron } = await launch({ world: { packaged: true } })
    expect(electron.callsOf('dialog.showErrorBox')).toEqual([
      [
        'Sotto can’t start',
        'Sotto doesn’t accept the option --remote-debugging-port=9222. Start Sotto without it.',
      ],
    ])
    expect(electron.callsOf('app.exit')).toEqual([[1]])
    for (const name of ['app.setPath', 'app.requestSingleInstanceLock', 'app.whenReady'])
      expect(electron.callsOf(name)).toEqual([])
  })
})
