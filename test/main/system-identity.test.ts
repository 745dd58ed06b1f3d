import { describe, expect, it } from 'vitest'
import {
  APP_ID,
  identifyProcess,
  isPortable,
  registerLinks,
  startsHidden,
} from '../../src/main/system-identity.ts'

/** Electron's app, which records what it's asked for. */
function fakeApp({ isPackaged = true, wasOpenedAtLogin = false } = {}) {
  const calls: unknown[][] = []
  return {
    calls,
    isPackaged,
    setName: (name: string) => void calls.push(['setName', name]),
    setAppUserModelId: (id: string) => void calls.push(['setAppUserModelId', id]),
    setAsDefaultProtocolClient: (scheme: string) => {
      calls.push(['setAsDefaultProtocolClient', scheme])
      return true
    },
    getLoginItemSettings: () => ({
      openAtLogin: false,
      openAsHidden: false,
      wasOpenedAsHidden: false,
      restoreState: false,
      status: 'not-registered' as const,
      executableWillLaunchAtLogin: false,
      launchItems: [],
      wasOpenedAtLogin,
    }),
  }
}

describe('the identity of the process', () => {
  it('has the ID of the shortcuts on Windows', () => {
    const app = fakeApp()
    identifyProcess(app, { platform: 'win32' })
    expect(app.calls).toEqual([
      ['setName', 'Sotto'],
      ['setAppUserModelId', APP_ID],
    ])
  })
  it.each(['linux', 'darwin'] as const)('has only a name on %s', (platform) => {
    const app = fakeApp()
    identifyProcess(app, { platform })
    expect(app.calls).toEqual([['setName', 'Sotto']])
  })
})

describe('links', () => {
  it('are registered for a packaged Sotto', () => {
    const app = fakeApp()
    registerLinks(app, { environment: {} })
    expect(app.calls).toEqual([['setAsDefaultProtocolClient', 'sotto']])
  })
  it.each([
    ['a checkout', fakeApp({ isPackaged: false }), {}],
    ['the portable program', fakeApp(), { PORTABLE_EXECUTABLE_FILE: 'C:\\sotto.exe' }],
  ])('aren’t registered for %s', (_what, app, environment) => {
    registerLinks(app, { environment })
    expect(app.calls).toEqual([])
  })
  it('the portable program is recognized by the variable of its launcher', () => {
    expect(isPortable({ environment: { PORTABLE_EXECUTABLE_FILE: 'C:\\sotto.exe' } })).toBe(true)
    expect(isPortable({ environment: {} })).toBe(false)
  })
})

describe('a start at login', () => {
  it.each([
    ['linux', ['sotto', '--hidden'], false, true],
    ['win32', ['sotto', '--hidden'], false, true],
    ['darwin', ['sotto'], true, true],
    ['darwin', ['sotto'], false, false],
    ['linux', ['sotto'], true, false],
    ['win32', ['sotto'], false, false],
  ] as const)('on %s with %j, opened at login: %s', (platform, argv, wasOpenedAtLogin, hidden) => {
    expect(startsHidden(fakeApp({ wasOpenedAtLogin }), argv, { platform })).toBe(hidden)
  })
})
