import { describe, expect, it } from 'vitest'
import { acquireOwnership } from '../../src/host/index.ts'
import { isBuilt, launch, temporaryDataFolder } from './launch.ts'

describe.skipIf(!isBuilt())('the built main, where another Sotto owns the data folder', () => {
  it('says so and what to do, and ends; its window was never answered', async () => {
    const dataDir = temporaryDataFolder()
    const ownership = await acquireOwnership(dataDir)
    const { electron } = await launch({ dataDir })
    expect(await electron.called('app.exit')).toEqual([1])
    const [[title, content]] = electron.callsOf('dialog.showErrorBox') as [[string, string]]
    expect(title).toBe('Sotto cannot start')
    expect(content).toContain('host/owned')
    expect(content).toContain('sotto open')
    expect(electron.callsOf('app.exit').length).toBe(1)
    expect(electron.callsOf('tray.setToolTip')).toEqual([['Sotto: Enclave not verified yet · Starting']])
    ownership?.release()
  })
})
