import fs, { existsSync, readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BrowserWindow } from './electron-stub.ts'
import { clientOver, isBuilt, launch, windowRequest, WINDOW_ORIGIN, type Electron, type Handler } from './launch.ts'

/** Synchronous file calls, but for the loading of code. */
const touched: string[] = []

function recordSynchronousCalls(): void {
  for (const [name, original] of Object.entries(fs)) {
    if (!name.endsWith('Sync') || typeof original !== 'function') continue
    const recording = (...args: unknown[]): unknown => {
      if (!/node_modules|[\\/]out[\\/]main/.test(String(args[0]))) touched.push(`${name} ${String(args[0])}`)
      return Reflect.apply(original, fs, args) as unknown
    }
    Object.defineProperty(fs, name, { value: Object.assign(recording, original), configurable: true, writable: true })
  }
  syncBuiltinESMExports()
}

describe.skipIf(!isBuilt())('the built main, until its window has painted', () => {
  let electron: Electron
  let dataDir: string
  let handler: Handler

  beforeAll(async () => {
    recordSynchronousCalls()
    ;({ electron, dataDir } = await launch({ environment: { SOTTO_VAULT: 'file' }, world: { paints: false } }))
    // Before `ready` come the settings, which name the folder, and the folder that the lock of the one instance is made in.
    expect([`readFileSync ${join(dataDir, 'reach.json')}`, `mkdirSync ${join(dataDir, 'desktop')}`]).toEqual(expect.arrayContaining(touched.filter((call) => call.includes(dataDir))))
    touched.length = 0
    await electron.called('window.loadURL')
    handler = electron.sessions.get('sotto')!.handlers.get('app')!
  })

  it('serves the page, and has touched neither the disk synchronously, nor the store or the vault', async () => {
    expect((await handler(windowRequest(`${WINDOW_ORIGIN}/`, {}, null))).status).toBe(200)
    expect(electron.callsOf('window.show')).toEqual([])
    expect(touched).toEqual([])
    expect(readdirSync(dataDir)).toEqual(['desktop'])
  })
  it('lets the page’s questions wait, and opens the vault and the store once it has painted', async () => {
    const asked = clientOver(handler).app.status()
    expect(existsSync(join(dataDir, 'owner.lock'))).toBe(false)
    const window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    window.emit('ready-to-show')
    expect((await asked).vault).toEqual({ kind: 'file', state: 'passphrase-needed' })
    expect(existsSync(join(dataDir, 'owner.lock'))).toBe(true)
    expect(electron.callsOf('window.show').length).toBe(1)
  })
})
