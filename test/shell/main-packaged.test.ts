import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrowserWindow } from './electron-stub.ts'
import { isBuilt, launch, type Electron } from './launch.ts'

describe.skipIf(!isBuilt())('the built main, packaged, on a desktop without a tray', () => {
  let electron: Electron
  beforeAll(async () => {
    process.argv.push('--hidden', 'sotto://open/privacy')
    ;({ electron } = await launch({ world: { packaged: true, trayWorks: false } }))
    await electron.called('window.show')
  })
  afterAll(async () => {
    electron.app.emit('will-quit', { preventDefault: () => undefined })
    await electron.called('app.quit')
  })

  it('opens its window though it was started hidden, and goes where its link leads', async () => {
    expect(electron.callsOf('window.loadURL')).toEqual([['app://sotto/']])
    await expect.poll(() => electron.callsOf('contents.send')).toEqual([['sotto:go', '#/privacy']])
  })
  it('takes SIGUSR1 itself, which would open the inspector of an unpackaged Electron', () => {
    expect(process.listenerCount('SIGUSR1')).toBe(1)
  })
  it('has no developer tools', () => {
    const window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    expect(window.options['webPreferences']).toMatchObject({ devTools: false })
    expect(JSON.stringify(electron.callsOf('Menu.setApplicationMenu'))).not.toContain('toggleDevTools')
    let cancel: boolean | undefined
    electron.sessions.get('sotto')!.beforeRequest!(
      { url: 'devtools://devtools/bundled/inspector.html' },
      (answer) => (cancel = answer.cancel),
    )
    expect(cancel).toBe(true)
  })
  it.skipIf(process.platform === 'darwin')(
    'ends with its window, because there’s no icon to quit from',
    () => {
      ;(electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow).emit('closed')
      electron.app.emit('window-all-closed')
      expect(electron.callsOf('app.quit').length).toBe(1)
      expect(electron.callsOf('notification.show')).toEqual([])
    },
  )
})
