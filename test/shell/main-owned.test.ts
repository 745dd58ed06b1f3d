import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acquireOwnership } from '../../src/host/owner-socket.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import { isBuilt, launch, temporaryDataFolder } from './launch.ts'

describe.skipIf(!isBuilt())('the built main process, if another Sotto owns the data folder', () => {
  it('shows that, and what to do, in the language of its window, and ends without serving its window', async () => {
    const dataDir = temporaryDataFolder()
    mkdirSync(join(dataDir, 'desktop'))
    writeFileSync(
      join(dataDir, 'desktop', 'preferences.json'),
      JSON.stringify({ language: 'de', density: 'comfortable' }),
    )
    const ownership = acquireOwnership(await DataFolder.check(dataDir))
    const { electron } = await launch({ dataDir })
    expect(await electron.called('app.exit')).toEqual([1])
    const [[title, content]] = electron.callsOf('dialog.showErrorBox') as [[string, string]]
    expect(title).toBe('Sotto kann nicht starten')
    expect(content).toContain('Eine andere Instanz von Sotto verwendet diesen Datenordner.')
    expect(content).toContain('host/already-running')
    expect(content).toContain('Verwende das bereits laufende Sotto oder beende es zuerst.')
    expect(electron.callsOf('app.exit').length).toBe(1)
    expect(electron.callsOf('tray.setToolTip')).toEqual([
      ['Sotto: Enklave noch nicht verifiziert · Wird gestartet\u00a0…'],
    ])
    ownership?.release()
  })
})
