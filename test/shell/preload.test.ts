import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Desktop } from '../../src/preload/bridge.ts'
import { builtPreload, isBuilt } from './launch.ts'

type Listener = (event: unknown, ...message: unknown[]) => void
interface Loaded {
  exposed: Record<string, unknown>
  sent: unknown[][]
  required: string[]
  listeners: Map<string, Listener>
}

/** As in a sandboxed renderer: no module system but a require of Electron's own part, and of process only this. */
function load(appearance: unknown = null): Loaded {
  const loaded: Loaded = { exposed: {}, sent: [], required: [], listeners: new Map() }
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, value: unknown) => (loaded.exposed[name] = value) },
    ipcRenderer: {
      send: (...message: unknown[]) => loaded.sent.push(message),
      invoke: (...message: unknown[]) => Promise.resolve(loaded.sent.push(message)),
      sendSync: (channel: string) => (channel === 'sotto:appearance' ? appearance : undefined),
      on: (channel: string, listener: Listener) => loaded.listeners.set(channel, listener),
    },
  }
  const require = (name: string): unknown => {
    loaded.required.push(name)
    if (name !== 'electron') throw new Error(`module not found: ${name}`)
    return electron
  }
  runInNewContext(readFileSync(builtPreload, 'utf8'), {
    require,
    module: { exports: {} },
    exports: {},
    process: { argv: [] },
  })
  return loaded
}

describe.skipIf(!isBuilt())('the built preload', () => {
  it('is one CommonJS file that requires Electron and nothing else', () => {
    expect(readdirSync(dirname(builtPreload))).toEqual(['index.cjs', 'third-party-licences.txt'])
    expect(load().required).toEqual(['electron'])
  })
  it('exposes the desktop’s few calls and not Electron', () => {
    const { exposed } = load()
    expect(Object.keys(exposed)).toEqual(['desktop'])
    expect(Object.keys(exposed['desktop'] as Desktop).sort()).toEqual([
      'onCommand',
      'onGo',
      'openFile',
      'preferences',
      'quick',
      'saveFile',
      'setPreferences',
      'setTheme',
      'theme',
    ])
  })
  it.each([
    ['dark', 'dark'],
    ['light', 'light'],
    ['blue', 'system'],
  ])('asks for the theme when it is loaded: %s', (theme, shown) => {
    expect((load([theme, '']).exposed['desktop'] as Desktop).theme).toBe(shown)
  })
  it('uses the theme of the system if it gets no answer', () =>
    expect((load().exposed['desktop'] as Desktop).theme).toBe('system'))
  it('sends a theme over its one channel', () => {
    const loaded = load()
    const desktop = loaded.exposed['desktop'] as Desktop
    desktop.setTheme('dark')
    expect(loaded.sent).toEqual([['sotto:theme', 'dark']])
  })
  it('asks for the system’s dialogs over a channel each', () => {
    const loaded = load()
    const desktop = loaded.exposed['desktop'] as Desktop
    const content = new Uint8Array([1])
    void desktop.saveFile('a.txt', content)
    void desktop.openFile('recovery-copy')
    expect(loaded.sent).toEqual([
      ['sotto:save', { name: 'a.txt', content }],
      ['sotto:open', 'recovery-copy'],
    ])
  })
  it('tells the page where to go, and hands it neither the event nor anything but a text', () => {
    const loaded = load()
    const calls: unknown[][] = []
    ;(loaded.exposed['desktop'] as Desktop).onGo((...place) => void calls.push(place))
    expect([...loaded.listeners.keys()]).toEqual(['sotto:go'])
    loaded.listeners.get('sotto:go')!({ sender: 'everything' }, '#/wallet', 'more')
    loaded.listeners.get('sotto:go')!({ sender: 'everything' }, { place: '#/wallet' })
    expect(calls).toEqual([['#/wallet']])
  })
  it('passes on the menu’s commands that it knows, without the event', () => {
    const loaded = load()
    const calls: unknown[][] = []
    ;(loaded.exposed['desktop'] as Desktop).onCommand((...command) => void calls.push(command))
    for (const name of ['find', 'constructor', { name: 'find' }, 'shortcuts'])
      loaded.listeners.get('sotto:command')!({ sender: 'everything' }, name, 'more')
    expect(calls).toEqual([['find'], ['shortcuts']])
  })
  it('hands on the language and the density, and sends others over their one channel', () => {
    const preferences = JSON.stringify({ language: 'de', density: 'compact' })
    const loaded = load(['system', preferences])
    const desktop = loaded.exposed['desktop'] as Desktop
    expect(desktop.preferences).toBe(preferences)
    desktop.setPreferences({
      language: 'ja',
      density: 'comfortable',
      textSize: 'medium',
      sidebar: 'open',
      sidebarWidth: 264,
    })
    expect(loaded.sent).toEqual([
      [
        'sotto:preferences',
        { language: 'ja', density: 'comfortable', textSize: 'medium', sidebar: 'open', sidebarWidth: 264 },
      ],
    ])
    expect((load().exposed['desktop'] as Desktop).preferences).toBe('')
  })
})
