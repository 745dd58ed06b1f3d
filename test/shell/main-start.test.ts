import fs, { existsSync, readdirSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BrowserWindow } from './electron-stub.ts'
import {
  clientOver,
  isBuilt,
  launch,
  windowRequest,
  WINDOW_ORIGIN,
  type Electron,
  type Handler,
} from './launch.ts'

/**
 * Synchronous file system calls of the built code and its bundled libraries. Loading code is Node's part and
 * doesn't count.
 */
const touched: string[] = []

function recordSynchronousCalls(): void {
  Error.stackTraceLimit = Infinity
  for (const [name, original] of Object.entries(fs)) {
    if (!name.endsWith('Sync') || typeof original !== 'function') continue
    const recording = (...args: unknown[]): unknown => {
      const { stack = '' } = new Error()
      if (/[\\/]out[\\/]main[\\/]/.test(stack) && !stack.includes('node:internal/modules'))
        touched.push(`${name} ${String(args[0])}`)
      return Reflect.apply(original, fs, args) as unknown
    }
    Object.defineProperty(fs, name, {
      value: Object.assign(recording, original),
      configurable: true,
      writable: true,
    })
  }
  syncBuiltinESMExports()
}

/** Replaces the keychain's library by one that always fails, so that no test accesses the user's keychain. */
const KEYCHAIN =
  'data:text/javascript,export class AsyncEntry { constructor() { throw new Error("no keychain") } }'
let keychainAsked = 0

function recordKeychain(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier !== '@napi-rs/keyring') return next(specifier, context)
      keychainAsked++
      return { url: KEYCHAIN, shortCircuit: true }
    },
  })
}

describe.skipIf(!isBuilt())('the packaged main process, until its window has painted', () => {
  let electron: Electron
  let dataDir: string
  let handler: Handler

  beforeAll(async () => {
    recordSynchronousCalls()
    recordKeychain()
    ;({ electron, dataDir } = await launch({
      environment: { SOTTO_VAULT: 'auto' },
      world: { paints: false, packaged: true },
    }))
    await electron.called('window.loadURL')
    handler = electron.sessions.get('sotto')!.handlers.get('app')!
  })

  it('calls before `ready` everything that has to be called then', () => {
    const names = electron.calls.map(({ name }) => name)
    const before = names.slice(0, names.indexOf('app.whenReady'))
    expect(before).toEqual([
      'app.setName',
      'app.enableSandbox',
      'protocol.registerSchemesAsPrivileged',
      'app.setPath',
      'app.requestSingleInstanceLock',
    ])
  })
  it('serves the page without synchronous disk access and without touching the store, vault or keychain', async () => {
    expect((await handler(windowRequest(`${WINDOW_ORIGIN}/`, {}, null))).status).toBe(200)
    expect(electron.callsOf('window.show')).toEqual([])
    expect(touched).toEqual([])
    expect(keychainAsked).toBe(0)
    expect(readdirSync(dataDir)).toEqual(['desktop'])
  })
  it('loads no image and registers no link handler', () => {
    expect(electron.callsOf('nativeImage.createFromPath')).toEqual([])
    expect(electron.callsOf('new Tray')).toEqual([])
    expect(electron.callsOf('app.setAsDefaultProtocolClient')).toEqual([])
  })
  it('delays the page’s requests, and opens the vault and the store after it has painted', async () => {
    const asked = clientOver(handler).app.status()
    expect(existsSync(join(dataDir, 'owner.lock'))).toBe(false)
    const window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    window.emit('ready-to-show')
    expect((await asked).vault).toEqual({ kind: 'memory', state: 'open' })
    expect(existsSync(join(dataDir, 'owner.lock'))).toBe(true)
    expect(electron.callsOf('window.show').length).toBe(1)
    expect(electron.callsOf('new Tray').length).toBe(1)
  })
  it('accesses the keychain and the disk afterwards, which the same spies record', async () => {
    expect(keychainAsked).toBeGreaterThan(0)
    await expect.poll(() => touched).not.toEqual([])
  })
})
