import { describe, expect, it } from 'vitest'
import { isBuilt, launch } from './launch.ts'

describe.skipIf(!isBuilt())('the built main, packaged, with a setting that cannot be used', () => {
  it('names the setting and not its value, and ends', async () => {
    const { electron } = await launch({ environment: { SOTTO_PORT: 'many' }, world: { packaged: true } })
    expect(electron.callsOf('dialog.showErrorBox')).toEqual([
      ['Sotto can’t start', 'SOTTO_PORT has an invalid value.'],
    ])
    expect(electron.callsOf('app.exit')).toEqual([[1]])
    expect(electron.callsOf('app.whenReady')).toEqual([])
  })
})
