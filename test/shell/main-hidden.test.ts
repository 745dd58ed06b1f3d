import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BrowserWindow } from './electron-stub.ts'
import { clientOver, isBuilt, launch, temporaryDataFolder, type Electron } from './launch.ts'

describe.skipIf(!isBuilt())('the packaged main process, started at login', () => {
  let electron: Electron
  const dataDir = temporaryDataFolder()
  const config = join(dataDir, 'config')
  const client = () => clientOver(electron.sessions.get('sotto')!.handlers.get('app')!)

  beforeAll(async () => {
    mkdirSync(join(dataDir, 'desktop'))
    writeFileSync(
      join(dataDir, 'desktop', 'window.json'),
      JSON.stringify({ x: 5000, y: 5000, width: 900, height: 640, maximised: true }),
    )
    writeFileSync(join(dataDir, 'desktop', 'settings.json'), 'not what Sotto wrote')
    process.argv.push('--hidden')
    ;({ electron } = await launch({
      dataDir,
      environment: { XDG_CONFIG_HOME: config },
      world: { packaged: true },
    }))
    await electron.called('session.protocol.handle')
    await client().app.status()
  })

  it('opens no window, and serves other programs from the tray', async () => {
    expect(electron.callsOf('new BrowserWindow')).toEqual([])
    expect((await client().app.status()).proxy.serving).toBe(true)
    expect(electron.callsOf('new Tray').length).toBe(1)
  })
  it('registers as the handler of sotto:// links', async () =>
    expect(await electron.called('app.setAsDefaultProtocolClient')).toEqual(['sotto']))
  it('uses the default settings if the file can’t be read', async () => {
    expect((await client().desktop.view())?.settings).toMatchObject({
      closeToTray: true,
      startAtLogin: false,
    })
  })
  it('starts at login only if that is set', async () => {
    const { settings } = (await client().desktop.view())!
    const file = join(config, 'autostart', 'sotto.desktop')
    expect((await client().desktop.change({ ...settings, startAtLogin: true })).settings.startAtLogin).toBe(
      true,
    )
    if (process.platform === 'linux') {
      expect(readFileSync(file, 'utf8').split('\n')).toEqual(
        expect.arrayContaining([
          '[Desktop Entry]',
          'Type=Application',
          `Exec="${process.execPath}" --hidden`,
        ]),
      )
      expect(statSync(file).mode & 0o077).toBe(0)
    } else
      expect(electron.callsOf('app.setLoginItemSettings')).toEqual([
        [{ openAtLogin: true, args: ['--hidden'] }],
      ])
    await client().desktop.change({ ...settings, startAtLogin: false })
    expect(existsSync(file)).toBe(false)
  })
  it('continues when only the small window of the shortcut closes, also if it isn’t set to keep running', async () => {
    const { settings } = (await client().desktop.view())!
    await client().desktop.change({ ...settings, closeToTray: false })
    // On macOS, Sotto never ends with its window.
    electron.app.emit('window-all-closed')
    expect(electron.callsOf('app.quit')).toEqual([])
    expect(electron.callsOf('notification.show')).toEqual([])
    await client().desktop.change(settings)
  })
  it('opens its window when it is shown, maximized as before, and never outside a display', async () => {
    electron.app.emit('activate')
    const { options, maximised } = (await electron.called('new BrowserWindow'))[0] as BrowserWindow
    expect([options['x'], options['y'], options['width'], options['height'], maximised]).toEqual([
      undefined,
      undefined,
      900,
      640,
      true,
    ])
  })
  it('disables developer tools in its window', () => {
    const [{ options }] = electron.callsOf('new BrowserWindow')[0] as [BrowserWindow]
    expect(options['webPreferences']).toMatchObject({ devTools: false })
  })
})
