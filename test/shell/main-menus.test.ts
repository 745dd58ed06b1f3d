import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BrowserWindow, Notification } from './electron-stub.ts'
import {
  clientOver,
  isBuilt,
  launch,
  passAnHour,
  WINDOW_ORIGIN,
  type Electron,
  type Handler,
} from './launch.ts'

interface Item {
  label?: string
  accelerator?: string
  registerAccelerator?: boolean
  submenu?: Item[]
  click?: () => void
}

interface Preferences {
  readonly additionalArguments: readonly string[]
}

describe.skipIf(!isBuilt())('the menus of the built main', () => {
  let electron: Electron
  let dataDir: string
  let window: BrowserWindow
  let handler: Handler
  const client = () => clientOver(handler)
  const last = (name: string): readonly unknown[] | undefined => electron.callsOf(name).at(-1)
  const sent = (): (readonly unknown[])[] => electron.callsOf('contents.send')

  beforeAll(async () => {
    ;({ electron, dataDir } = await launch())
    await electron.called('window.show')
    window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    handler = electron.sessions.get('sotto')!.handlers.get('app')!
    await client().app.status()
  })
  beforeEach(passAnHour)

  describe('its appearance', () => {
    const page = { parent: null, origin: WINDOW_ORIGIN }
    const answerFor = (senderFrame: unknown): unknown => {
      const event = { senderFrame, returnValue: undefined }
      electron.ipcMain.emit('sotto:appearance', event)
      return event.returnValue
    }
    it('is what the page chose last, each time the page is loaded', () => {
      const chosen = {
        language: 'en',
        density: 'compact',
        textSize: 'medium',
        sidebar: 'closed',
        sidebarWidth: 300,
      }
      electron.ipcMain.emit('sotto:theme', { senderFrame: page }, 'dark')
      electron.ipcMain.emit('sotto:preferences', { senderFrame: page }, chosen)
      // The address of a page isn't known yet when its preload asks.
      expect(answerFor({ parent: null, origin: 'null' })).toEqual(['dark', JSON.stringify(chosen)])
    })
    it.each([
      ['an embedded frame', { ...page, parent: page }],
      ['a frame that is gone', null],
    ])('isn’t sent to %s', (_who, frame) => expect(answerFor(frame)).toBeNull())
  })

  describe('its menu', () => {
    const menu = (): Item[] => (last('Menu.setApplicationMenu') as [Item[]])[0]
    const all = (items: Item[]): Item[] =>
      items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
    const choose = (label: string): void => all(menu()).find((item) => item.label === label)!.click!()
    it('has the page find text and list its shortcuts, whose keys the page handles itself', () => {
      const before = sent().length
      for (const label of ['Find in Chat', 'Keyboard Shortcuts']) choose(label)
      expect(sent().slice(before)).toEqual([
        ['sotto:command', 'find'],
        ['sotto:command', 'shortcuts'],
      ])
      const shown = all(menu()).filter(({ registerAccelerator }) => registerAccelerator === false)
      expect(shown.map(({ accelerator }) => accelerator)).toEqual(['CmdOrCtrl+F', 'CmdOrCtrl+/'])
    })
    it('prints, and reports a failure but not a canceled dialog', () => {
      const failures = (): number => electron.callsOf('dialog.showErrorBox').length
      const before = failures()
      choose('Print…')
      electron.world.printing = 'Print job canceled'
      choose('Print…')
      expect([electron.callsOf('contents.print').length, failures()]).toEqual([2, before])
      electron.world.printing = 'Invalid printer settings'
      choose('Print…')
      expect(failures()).toBe(before + 1)
      electron.world.printing = ''
    })
    it('saves the view as a PDF at the chosen place, and reports a failure', async () => {
      electron.world.saveTo = join(dataDir, 'view.pdf')
      choose('Save as PDF…')
      const file = join(dataDir, 'view.pdf')
      await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('%PDF-')
      expect(last('contents.printToPDF')).toEqual([{ pageSize: 'A4' }])
      electron.world.saveTo = null
      const before = electron.callsOf('dialog.showErrorBox').length
      electron.world.printing = 'failed'
      choose('Save as PDF…')
      await expect.poll(() => electron.callsOf('dialog.showErrorBox').length).toBe(before + 1)
      electron.world.printing = ''
    })
    it('shows the versions, copies them, and opens the licenses in a file of its own', async () => {
      electron.world.pressed = 1
      choose('About Sotto')
      const [copied] = await electron.called('clipboard.writeText')
      expect(copied).toMatch(/^Sotto \d+\.\d+\.\d+\nElectron .*\nChromium .*\nNode\.js \d+\./)
      electron.world.pressed = 2
      choose('About Sotto')
      const [opened] = await electron.called('shell.openPath')
      expect(opened).toBe(join(dataDir, 'desktop', 'third-party-licences.txt'))
      const text = readFileSync(String(opened), 'utf8')
      for (const name of ['fastify', 'react-dom']) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
      electron.world.pressed = 0
    })
  })

  describe('its context menu', () => {
    const nowhere = {
      isEditable: false,
      selectionText: '',
      linkURL: '',
      mediaType: 'none',
      hasImageContents: false,
      misspelledWord: '',
      dictionarySuggestions: [],
      editFlags: { canCopy: true },
      x: 3,
      y: 4,
    }
    const shownAt = (place: object): Item[] | undefined => {
      const before = electron.callsOf('menu.popup').length
      window.webContents.emit('context-menu', {}, { ...nowhere, ...place })
      return (electron.callsOf('menu.popup').slice(before)[0] as [Item[]] | undefined)?.[0]
    }
    const labels = (place: object): string[] => shownAt(place)?.flatMap(({ label }) => label ?? []) ?? []
    it.each([
      [{}, []],
      [{ linkURL: 'app://sotto/#/wallet' }, []],
      [{ linkURL: 'javascript:alert(1)' }, []],
      [{ mediaType: 'image' }, []],
      [{ selectionText: 'a word' }, ['Copy']],
      [{ misspelledWord: 'wrod', dictionarySuggestions: ['word'], selectionText: 'wrod' }, ['Copy']],
      [{ linkURL: 'https://example.com/', selectionText: 'x' }, ['Copy Link', 'Copy']],
      [{ isEditable: true }, ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select All']],
    ])('at %j has only what can be done there', (place, expected) => {
      expect(labels(place)).toEqual(expected)
    })
    it('copies the address of a link and an image', () => {
      shownAt({ linkURL: 'https://example.com/a b' })![0]!.click!()
      expect(last('clipboard.writeText')).toEqual(['https://example.com/a%20b'])
      shownAt({ mediaType: 'image', hasImageContents: true })![0]!.click!()
      expect(last('contents.copyImageAt')).toEqual([3, 4])
    })
    it('offers at most five spellings, and adds a word to the dictionary', () => {
      const suggestions = ['word', 'wrote', 'rod', 'wood', 'ward', 'wry']
      const items = shownAt({ isEditable: true, misspelledWord: 'wrod', dictionarySuggestions: suggestions })!
      expect(items.slice(0, 6).map(({ label }) => label)).toEqual([
        ...suggestions.slice(0, 5),
        'Add to Dictionary',
      ])
      for (const item of items.slice(0, 6)) item.click?.()
      expect(last('contents.replaceMisspelling')).toEqual(['ward'])
      expect(last('session.addWordToSpellCheckerDictionary')).toEqual(['wrod'])
    })
  })

  describe('its notifications', () => {
    /** The picture in the tray shows the verdict. */
    const shape = (): string => basename((last('tray.setImage') as [{ path: string }])[0].path)
    it('have a button that verifies again', async () => {
      await client().sandbox.setFault({ fault: 'other-measurement', on: true })
      await client().privacy.verify()
      await expect.poll(shape).toMatch(/^refused/)
      await client().sandbox.setFault({ fault: 'other-measurement', on: false })
      const [options, notification] = last('notification.show') as [object, Notification]
      expect(options).toMatchObject({ actions: [{ type: 'button', text: 'Verify Again' }] })
      const before = sent().length
      notification.emit('action', {}, 0)
      await expect.poll(shape).toMatch(/^verified/)
      expect(sent().length).toBe(before)
    })
  })

  it('opens a small window with a shortcut, restricted like the main window', async () => {
    const keys = 'CommandOrControl+Shift+Space'
    const { settings } = (await client().desktop.view())!
    expect(electron.shortcuts.size).toBe(0)
    electron.world.shortcutIsFree = false
    await expect(client().desktop.change({ ...settings, quickEntry: true })).rejects.toMatchObject({
      data: { code: 'desktop/setting-refused' },
    })
    electron.world.shortcutIsFree = true
    await client().desktop.change({ ...settings, quickEntry: true })
    const before = electron.callsOf('new BrowserWindow').length
    electron.shortcuts.get(keys)?.()
    const opened = electron.callsOf('new BrowserWindow').at(-1)![0] as BrowserWindow
    expect(electron.callsOf('new BrowserWindow')).toHaveLength(before + 1)
    const { additionalArguments: marked, ...restrictions } = opened.options['webPreferences'] as Preferences
    const { additionalArguments, ...expected } = window.options['webPreferences'] as Preferences
    expect(restrictions).toEqual(expected)
    expect(additionalArguments).toEqual([])
    expect(marked).toEqual(['--sotto-quick'])
    expect(opened.webContents.windowOpen?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' })
    // The shortcut also closes it, and so does the setting.
    const destroyed = electron.callsOf('window.destroy').length
    electron.shortcuts.get(keys)?.()
    electron.shortcuts.get(keys)?.()
    await client().desktop.change({ ...settings, quickEntry: false })
    expect(electron.callsOf('window.destroy')).toHaveLength(destroyed + 2)
    expect(electron.shortcuts.size).toBe(0)
  })
})
