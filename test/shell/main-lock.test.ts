import { beforeAll, describe, expect, it } from 'vitest'
import { clientOver, isBuilt, launch, type Electron, type Handler } from './launch.ts'

interface Item {
  label?: string
  accelerator?: string
  submenu?: Item[]
  click?: () => void
}

const PASSPHRASE = 'a heron and a passphrase'

describe.skipIf(!isBuilt())('the built main locks', () => {
  let electron: Electron
  let handler: Handler
  const client = () => clientOver(handler)
  const reloads = (): number => electron.callsOf('contents.reload').length
  const vault = async () => (await client().app.status()).vault
  const trayItem = (label: string): Item | undefined =>
    (electron.callsOf('tray.setContextMenu').at(-1)![0] as Item[]).find((item) => item.label === label)
  const menuItem = (label: string): Item | undefined =>
    (electron.callsOf('Menu.setApplicationMenu').at(-1)![0] as Item[])
      .flatMap(({ submenu = [] }) => submenu)
      .find((item) => item.label === label)
  const unlock = () => client().vault.unlock({ passphrase: PASSPHRASE })

  beforeAll(async () => {
    ;({ electron } = await launch({ environment: { SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: PASSPHRASE } }))
    await electron.called('window.show')
    handler = electron.sessions.get('sotto')!.handlers.get('app')!
    await client().app.status()
  })

  it('from the tray, starts the page over and closes the small window', async () => {
    await expect.poll(() => trayItem('Lock Sotto')).toBeDefined()
    const { settings } = (await client().desktop.view())!
    await client().desktop.change({ ...settings, quickEntry: true })
    for (const open of electron.shortcuts.values()) open()
    expect(electron.callsOf('new BrowserWindow')).toHaveLength(2)
    const before = reloads()
    trayItem('Lock Sotto')!.click!()
    await expect.poll(vault).toMatchObject({ state: 'locked', lockedBy: { by: 'request' } })
    await expect.poll(reloads).toBe(before + 1)
    expect(electron.callsOf('window.destroy')).toHaveLength(1)
    // A locked app can't be locked again.
    await expect.poll(() => trayItem('Lock Sotto')).toBeUndefined()
    await unlock()
  })

  it('from the menu, by its keys', async () => {
    await expect.poll(() => trayItem('Lock Sotto')).toBeDefined()
    expect(menuItem('Lock Sotto')?.accelerator).toBe('CmdOrCtrl+Shift+L')
    menuItem('Lock Sotto')!.click!()
    await expect.poll(vault).toMatchObject({ state: 'locked' })
    await unlock()
  })

  it('before the computer sleeps, only if that was chosen', async () => {
    electron.powerMonitor.emit('suspend')
    electron.powerMonitor.emit('resume')
    await client().vault.setAutoLock({ afterMinutes: null, onSleep: true })
    expect(await vault()).toMatchObject({ state: 'open' })
    electron.powerMonitor.emit('suspend')
    await expect.poll(vault).toEqual({ kind: 'file', state: 'locked', lockedBy: { by: 'sleep' } })
    await unlock()
    // If the system announced no sleep, the app notices it on wake.
    electron.powerMonitor.emit('resume')
    await expect.poll(vault).toMatchObject({ state: 'locked', lockedBy: { by: 'sleep' } })
  })
})
