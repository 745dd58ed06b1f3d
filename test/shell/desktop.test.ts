import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DesktopSettings } from '../../src/shared/desktop-settings.ts'
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
  role?: string
  accelerator?: string
  submenu?: Item[]
  click?: () => void
}

const page = { parent: null, origin: WINDOW_ORIGIN }
const hostile = [
  ['an embedded frame', { ...page, parent: page }],
  ['another page', { ...page, origin: 'https://example.com' }],
  ['another host of the scheme', { ...page, origin: 'app://sotto.example' }],
  ['an opaque origin', { ...page, origin: 'null' }],
  ['a frame that is gone', null],
] as const

describe.skipIf(!isBuilt())('the built main process, as a desktop app', () => {
  let electron: Electron
  let dataDir: string
  let window: BrowserWindow
  let handler: Handler
  const client = () => clientOver(handler)
  const last = (name: string): readonly unknown[] | undefined => electron.callsOf(name).at(-1)
  const went = (): unknown[] => electron.callsOf('contents.send').map(([, place]) => place)

  beforeAll(async () => {
    ;({ electron, dataDir } = await launch())
    await electron.called('window.show')
    window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    handler = electron.sessions.get('sotto')!.handlers.get('app')!
    await client().app.status()
  })
  beforeEach(passAnHour)

  describe('its messages', () => {
    const invoke = (channel: string, frame: unknown, message: unknown): Promise<unknown> =>
      electron.ipcMain.handlers.get(channel)!({ senderFrame: frame }, message)
    const save = (message: unknown, frame: unknown = page): Promise<unknown> =>
      invoke('sotto:save', frame, message)
    const content = Buffer.from('what was made')

    it('have only five channels', () => {
      // Theme and preferences listen once their files are read, which happens side by side.
      expect([...electron.ipcMain.handlers.keys(), ...electron.ipcMain.eventNames()].sort()).toEqual([
        'sotto:appearance',
        'sotto:open',
        'sotto:preferences',
        'sotto:save',
        'sotto:theme',
      ])
    })
    it.each(hostile)('are refused from %s', async (_who, frame) => {
      const before = electron.calls.length
      await expect(save({ name: 'a.txt', content }, frame)).rejects.toThrow('refused')
      await expect(invoke('sotto:open', frame, 'recovery-copy')).rejects.toThrow('refused')
      expect(electron.calls.length).toBe(before)
    })
    it.each([
      ['nothing', undefined],
      ['a text', 'a.txt'],
      ['no name', { name: '', content }],
      ['a long name', { name: 'a'.repeat(201), content }],
      ['a name that is none', { name: { toString: 'a' }, content }],
      ['a text for bytes', { name: 'a.txt', content: 'text' }],
      ['an array for bytes', { name: 'a.txt', content: [1, 2] }],
      ['a path of its own', { name: 'a.txt', content, path: '/etc/passwd' }],
    ])('save nothing if they’re %s', async (_what, message) => {
      await expect(save(message)).rejects.toThrow('refused')
      expect(electron.callsOf('dialog.showSaveDialog')).toEqual([])
    })
    it.each([
      undefined,
      '',
      'file',
      '/etc/passwd',
      ['recovery-copy'],
      { kind: 'recovery-copy' },
      '__proto__',
    ])('open nothing if they’re %j', async (message) => {
      await expect(invoke('sotto:open', page, message)).rejects.toThrow('refused')
      expect(electron.callsOf('dialog.showOpenDialog')).toEqual([])
    })
    it('save where the person chooses, readable only by the owner', async () => {
      electron.world.saveTo = join(dataDir, 'saved.txt')
      expect(await save({ name: 'chat.txt', content })).toBe('saved')
      expect(readFileSync(join(dataDir, 'saved.txt'), 'utf8')).toBe('what was made')
      const [parent, options] = last('dialog.showSaveDialog') as [unknown, { defaultPath: string }]
      expect([parent, options.defaultPath]).toEqual([window, 'chat.txt'])
    })
    it.each([
      ['../../.bashrc', '_.._.bashrc'],
      ['/etc/passwd', '_etc_passwd'],
      ['C:\\Windows\\x.dll', 'C__Windows_x.dll'],
      ['.profile', 'profile'],
      ['a\u202egnp.exe', 'a_gnp.exe'],
      ['a\u0000b', 'a_b'],
      ['...', 'sotto.txt'],
      ['NUL', 'sotto.txt'],
      ['com1.txt', 'sotto.txt'],
      ['  trailing. ', 'trailing'],
      ['Grüße 日本.md', 'Grüße 日本.md'],
    ])('propose a name without a path: %j', async (name, proposed) => {
      electron.world.saveTo = null
      expect(await save({ name, content })).toBe('cancelled')
      expect((last('dialog.showSaveDialog') as [unknown, { defaultPath: string }])[1].defaultPath).toBe(
        proposed,
      )
    })
    it('report a file that can’t be written', async () => {
      electron.world.saveTo = join(dataDir, 'no such folder', 'x.txt')
      expect(await save({ name: 'x.txt', content })).toBe('failed')
      expect(last('dialog.showErrorBox')?.[0]).toBe('Couldn’t save the file')
    })
    it('open the chosen file, with its name only, and nothing too large', async () => {
      const file = join(dataDir, 'copy.json')
      writeFileSync(file, '{"a":1}')
      electron.world.openFrom = file
      expect(await invoke('sotto:open', page, 'recovery-copy')).toEqual({
        name: 'copy.json',
        content: new Uint8Array(Buffer.from('{"a":1}')),
      })
      writeFileSync(file, Buffer.alloc(24 * 1024 * 1024 + 1))
      expect(await invoke('sotto:open', page, 'recovery-copy')).toBe('too-large')
      for (const kind of ['image-measurements', 'image-provenance']) {
        writeFileSync(file, Buffer.alloc(1024 * 1024 + 1))
        expect(await invoke('sotto:open', page, kind)).toBe('too-large')
        writeFileSync(file, '{}')
        expect(await invoke('sotto:open', page, kind)).toEqual({
          name: 'copy.json',
          content: new Uint8Array(Buffer.from('{}')),
        })
      }
      electron.world.openFrom = join(dataDir, 'gone.json')
      expect(await invoke('sotto:open', page, 'recovery-copy')).toBe('failed')
      electron.world.openFrom = null
      expect(await invoke('sotto:open', page, 'recovery-copy')).toBe('cancelled')
    })
    it('open one dialog at a time', async () => {
      let close = (): void => undefined
      electron.world.dialogOpen = new Promise((resolve) => (close = resolve))
      const before = electron.callsOf('dialog.showSaveDialog').length
      const first = save({ name: 'a.txt', content })
      await expect.poll(() => electron.callsOf('dialog.showSaveDialog').length).toBe(before + 1)
      expect(await save({ name: 'b.txt', content })).toBe('cancelled')
      expect(await invoke('sotto:open', page, 'recovery-copy')).toBe('cancelled')
      close()
      electron.world.dialogOpen = null
      await first
      expect(electron.callsOf('dialog.showSaveDialog').length).toBe(before + 1)
    })
  })

  describe('its tray', () => {
    const menu = (): Item[] => (last('tray.setContextMenu') as [Item[]])[0]
    const labels = (): (string | undefined)[] =>
      menu()
        .map(({ label }) => label)
        .filter(Boolean)
    const press = (label: string): void => menu().find((item) => item.label === label)!.click!()
    const icon = (): string => basename((last('tray.setImage') as [{ path: string }])[0].path)

    it('shows the verification of the enclave in a word and an icon, and whether other programs are served', async () => {
      await expect
        .poll(labels)
        .toEqual([
          'Enclave not verified yet',
          'Verify enclave now',
          'Local API running',
          'Stop local API',
          'Show Sotto',
          'Quit Sotto',
        ])
      expect(icon()).toMatch(/^not-verified(Template)?\.png$/)
      press('Verify enclave now')
      await expect.poll(labels).toContain('Enclave verified')
      expect(icon()).toMatch(/^verified(Template)?\.png$/)
      expect(last('tray.setToolTip')).toEqual(['Sotto: Enclave verified · Local API running'])
      await client().sandbox.setFault({ fault: 'other-measurement', on: true })
      press('Verify enclave now')
      await expect.poll(labels).toContain('Enclave not verified: private requests are blocked')
      expect(icon()).toMatch(/^refused(Template)?\.png$/)
      await client().sandbox.setFault({ fault: 'other-measurement', on: false })
      await client().privacy.verify()
      await expect.poll(icon).toMatch(/^verified(Template)?\.png$/)
    })
    it('has a file for each icon, and no two are alike', () => {
      const folder = join(import.meta.dirname, '../../resources/tray')
      for (const kind of ['', 'Template', '@2x', 'Template@2x']) {
        const files = ['verified', 'refused', 'not-verified', 'none'].map((name) =>
          readFileSync(join(folder, `${name}${kind}.png`)).toString('base64'),
        )
        expect(new Set(files).size, kind).toBe(4)
      }
    })
    it('stops the local proxy, and starts it again at the same address', async () => {
      const {
        proxy: { baseUrl },
      } = await client().app.status()
      const answers = (): Promise<boolean> =>
        fetch(baseUrl.replace(/\/v1$/, '/health')).then(
          ({ ok }) => ok,
          () => false,
        )
      expect(await answers()).toBe(true)
      press('Stop local API')
      await expect.poll(labels).toEqual(expect.arrayContaining(['Local API stopped', 'Start local API']))
      expect(await answers()).toBe(false)
      expect((await client().app.status()).proxy).toMatchObject({ serving: false, baseUrl })
      press('Start local API')
      await expect.poll(labels).toContain('Local API running')
      expect(await answers()).toBe(true)
    })
    it('opens the view of each entry', () => {
      press('Local API running')
      press('Enclave verified')
      press('Show Sotto')
      expect(went()).toEqual(['#/developer', '#/privacy'])
      press('Quit Sotto')
      expect(electron.callsOf('app.quit').length).toBe(1)
    })
  })

  describe('its menu', () => {
    const menu = (): Item[] => (last('Menu.setApplicationMenu') as [Item[]])[0]
    const all = (items: Item[]): Item[] =>
      items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
    it('has the standard roles, and unique shortcuts', () => {
      const roles = all(menu()).map(({ role }) => role)
      for (const role of ['editMenu', 'windowMenu', 'close', 'quit', 'zoomIn', 'togglefullscreen'])
        expect(roles).toContain(role)
      const keys = all(menu()).flatMap(({ accelerator }) => accelerator ?? [])
      expect(keys).toEqual(expect.arrayContaining(['CmdOrCtrl+N', 'CmdOrCtrl+,', 'CmdOrCtrl+1']))
      expect(new Set(keys).size).toBe(keys.length)
    })
    it('leads to the views', async () => {
      const before = went().length
      for (const label of ['Settings…', 'New Chat', 'Studio', 'Data', 'Developer', 'Wallet'])
        all(menu()).find((item) => item.label === label)!.click!()
      expect(went().slice(before)).toEqual([
        '#/settings',
        '#/chat',
        '#/studio',
        '#/data',
        '#/developer',
        '#/wallet',
      ])
      const { verifiedAt } = await client().privacy.verify()
      all(menu()).find(({ label }) => label === 'Verify Enclave Now')!.click!()
      await expect
        .poll(async () => (await client().privacy.current())?.verifiedAt)
        .toBeGreaterThan(verifiedAt)
    })
  })

  describe('its language', () => {
    const choose = (language: string): unknown =>
      electron.ipcMain.emit(
        'sotto:preferences',
        { senderFrame: { parent: null, origin: WINDOW_ORIGIN } },
        { language, density: 'comfortable' },
      )
    const menus = (): (string | undefined)[] =>
      (electron.callsOf('Menu.setApplicationMenu').at(-1)![0] as Item[]).map(({ label }) => label)
    const trays = (): (string | undefined)[] =>
      (electron.callsOf('tray.setContextMenu').at(-1)![0] as Item[]).map(({ label }) => label)
    it.each([
      [
        'de',
        ['Bearbeiten', 'Ansicht', 'Gehe zu', 'Fenster'],
        'Sotto beenden',
        /^Zum Dienst .+ unter .+ wechseln\?$/,
      ],
      ['es', ['Editar', 'Ver', 'Ir', 'Ventana'], 'Salir de Sotto', /^¿Cambiar al servicio .+ en .+\?$/],
      [
        'fr',
        ['Édition', 'Affichage', 'Aller', 'Fenêtre'],
        'Quitter Sotto',
        /^Passer au service .+ \(.+\)\s\?$/,
      ],
      ['ja', ['編集', '表示', '移動', 'ウィンドウ'], 'Sottoを終了', /^サービスを.+（.+）に切り替えますか？$/],
      [
        'pt-BR',
        ['Editar', 'Exibir', 'Ir', 'Janela'],
        'Encerrar o Sotto',
        /^Mudar para o serviço .+ em .+\?$/,
      ],
      ['zh-Hans', ['编辑', '显示', '前往', '窗口'], '退出 Sotto', /^切换到服务 .+（.+）？$/],
      ['system', ['Edit', 'View', 'Go', 'Window'], 'Quit Sotto', /^Switch to the service .+ at .+\?$/],
    ])(
      '%s, chosen in the window, is at once that of its menus, its tray and the confirmations',
      async (language, labels, quit, question) => {
        choose(language)
        await expect.poll(menus).toEqual(expect.arrayContaining(labels))
        await expect.poll(trays).toContain(quit)
        electron.world.pressed = 0
        await expect(client().profiles.choose({ profileId: 'ppq' })).rejects.toMatchObject({
          data: { code: 'confirm/refused' },
        })
        expect(last('dialog.showMessageBox')!.at(-1)).toMatchObject({
          message: expect.stringMatching(question) as string,
          detail: '',
        })
      },
    )
  })

  describe('its updates', () => {
    it('aren’t checked for without an address in the build, and report that', async () => {
      expect(await client().desktop.updates()).toMatchObject({
        support: 'no-address',
        phase: 'idle',
        offered: null,
        checkedAt: null,
        failure: null,
        updatedFrom: null,
      })
      await expect(client().desktop.checkForUpdate()).rejects.toMatchObject({ data: { code: 'update/none' } })
      await expect(client().desktop.installUpdate()).rejects.toMatchObject({
        data: { code: 'update/not-ready' },
      })
      expect((await client().diagnostics.contacts()).filter(({ use }) => use === 'updates')).toEqual([])
      expect([...electron.sessions.keys()]).toEqual(['sotto'])
    })
    it('store the version that ran, and offer no changes at a first start', async () => {
      const { version } = await client().app.status()
      await expect
        .poll(
          () =>
            existsSync(join(dataDir, 'desktop', 'updates.json')) &&
            (JSON.parse(readFileSync(join(dataDir, 'desktop', 'updates.json'), 'utf8')) as unknown),
        )
        .toMatchObject({ ran: version, installing: null })
      expect((await client().desktop.changesSeen()).updatedFrom).toBe(null)
    })
  })

  describe('its settings', () => {
    it('are returned with what this system supports, and saved', async () => {
      const view = await client().desktop.view()
      expect(view).toEqual({
        settings: {
          closeToTray: true,
          startAtLogin: false,
          notifications: {
            'job-done': true,
            'balance-low': true,
            'release-changed': true,
            'verification-failed': true,
          },
          lookForUpdates: true,
          quickEntry: false,
        },
        // Unpacked there is no program of its own to start.
        can: { closeToTray: process.platform !== 'darwin', startAtLogin: false, notify: true },
      })
      const wanted: DesktopSettings = { ...view!.settings, closeToTray: false }
      expect((await client().desktop.change(wanted)).settings).toEqual(wanted)
      expect(JSON.parse(readFileSync(join(dataDir, 'desktop', 'settings.json'), 'utf8'))).toEqual(wanted)
    })
    it('are refused if they’re invalid, or if the system refuses them', async () => {
      const { settings } = (await client().desktop.view())!
      await expect(
        client().desktop.change({ ...settings, more: true } as DesktopSettings),
      ).rejects.toMatchObject({ status: 400 })
      await expect(client().desktop.change({ ...settings, startAtLogin: true })).rejects.toMatchObject({
        data: { code: 'desktop/setting-refused' },
      })
      expect((await client().desktop.view())!.settings).toEqual(settings)
    })
  })

  describe('its notifications', () => {
    const shown = (): string[] =>
      electron.callsOf('notification.show').map(([options]) => (options as { title: string }).title)
    const failNow = async (): Promise<void> => {
      await client().sandbox.setFault({ fault: 'other-measurement', on: true })
      await client().privacy.verify()
      await expect
        .poll(() => basename((last('tray.setImage') as [{ path: string }])[0].path))
        .toMatch(/^refused/)
      await client().sandbox.setFault({ fault: 'other-measurement', on: false })
      await client().privacy.verify()
      await expect
        .poll(() => basename((last('tray.setImage') as [{ path: string }])[0].path))
        .toMatch(/^verified/)
    }
    it('report that a verification failed, once, with fixed words, and lead to Privacy', async () => {
      const before = shown().length
      await failNow()
      expect(shown().slice(before)).toEqual(['Enclave verification failed'])
      const [, notification] = last('notification.show') as [unknown, Notification]
      notification.emit('click')
      await expect.poll(() => went().at(-1)).toBe('#/privacy')
    })
    it('aren’t shown while the window has focus or they’re turned off', async () => {
      const before = shown().length
      window.focused = true
      await failNow()
      window.focused = false
      const { settings } = (await client().desktop.view())!
      await client().desktop.change({
        ...settings,
        notifications: { ...settings.notifications, 'verification-failed': false },
      })
      await failNow()
      expect(shown().length).toBe(before)
    })
  })

  describe('its sotto:// links', () => {
    const asked = (): string[] =>
      electron.callsOf('dialog.showMessageBox').map((args) => (args.at(-1) as { message: string }).message)
    const open = async (link: string): Promise<void> => {
      const focused = electron.callsOf('window.focus').length
      let prevented = false
      electron.app.emit('open-url', { preventDefault: () => (prevented = true) }, link)
      expect(prevented).toBe(true)
      // It comes to the front first.
      await expect.poll(() => electron.callsOf('window.focus').length).toBeGreaterThan(focused)
    }
    it.each([
      ['sotto://open/privacy', '#/privacy'],
      ['sotto://open/local-api/', '#/local-api'],
      ['sotto://open/developer', '#/developer'],
      ['sotto://conversation/3f2a-1', '#/chat/3f2a-1'],
    ])('%s leads to its view, without a confirmation', async (link, place) => {
      const before = asked().length
      await open(link)
      await expect.poll(() => went().at(-1)).toBe(place)
      expect(asked().length).toBe(before)
    })
    it('are accepted from a second instance too', async () => {
      electron.app.emit('second-instance', {}, ['/opt/sotto', '--x', 'sotto://open/history'])
      await expect.poll(() => went().at(-1)).toBe('#/history')
    })
    it.each([
      ['sotto://topup', '#/wallet'],
      ['sotto://accounts', '#/wallet/accounts'],
    ])('%s, which affects money, is confirmed first', async (link, place) => {
      electron.world.pressed = 0
      const before = { asked: asked().length, went: went().length }
      await open(link)
      await expect.poll(() => asked().length).toBe(before.asked + 1)
      expect(asked().at(-1)).toContain('A link wants to')
      expect(went().length).toBe(before.went)
      passAnHour()
      electron.world.pressed = 1
      await open(link)
      await expect.poll(() => went().at(-1)).toBe(place)
      electron.world.pressed = 0
    })
    it('a change of the service needs a confirmation, and isn’t applied without one', async () => {
      const before = asked().length
      await open('sotto://service/ppq')
      await expect.poll(() => asked().length).toBe(before + 1)
      expect(asked().at(-1)).toContain('Switch to the service')
      expect((await client().app.status()).service.kind).toBe('sandbox')
    })
    it('an unknown service is reported', async () => {
      await open('sotto://service/nowhere')
      await expect.poll(() => asked().at(-1)).toBe('Couldn’t change the service')
    })
    it.each([
      'sotto://pay/lnbc1',
      'sotto://open/nothing',
      'sotto://open/__proto__',
      'sotto://conversation/a%2fb',
      'sotto://service/PPQ',
      'sotto://open/wallet?x=1',
      'sotto://open/wallet#x',
      'sotto://open/../wallet',
      'SOTTO://open/wallet',
      'https://example.com',
      'sotto:open',
      'sotto://user@open/wallet',
      `sotto://conversation/${'a'.repeat(65)}`,
      `sotto://open/${'a'.repeat(100_000)}`,
      'sotto://open/wallet\n',
      'sotto://topup/100',
      '',
    ])('%# is refused, and its text isn’t repeated', async (link) => {
      const before = { asked: asked().length, went: went().length }
      await open(link)
      await expect.poll(() => asked().length).toBe(before.asked + 1)
      const options = electron.callsOf('dialog.showMessageBox').at(-1)!.at(-1)
      expect(options).toMatchObject({
        message: 'Link not opened',
        detail: 'Links can’t ask Sotto to do this.',
      })
      expect(went().length).toBe(before.went)
    })
  })

  describe('its window', () => {
    it('restores its position and size, and moves back from a removed display', async () => {
      window.bounds = { x: 2200, y: 60, width: 1000, height: 700 }
      window.emit('close')
      await expect
        .poll(
          () =>
            existsSync(join(dataDir, 'desktop', 'window.json')) &&
            readFileSync(join(dataDir, 'desktop', 'window.json'), 'utf8'),
        )
        .toBe(JSON.stringify({ ...window.bounds, maximised: false }))
      electron.screen.emit('display-removed')
      expect(last('window.setBounds')).toEqual([{ x: 460, y: 170, width: 1000, height: 700 }])
      electron.screen.emit('display-removed')
      expect(electron.callsOf('window.setBounds').length).toBe(1)
    })
    it('ends Sotto when it’s closed, if Sotto isn’t set to keep running', () => {
      const before = electron.callsOf('app.quit').length
      window.emit('closed')
      electron.app.emit('window-all-closed')
      expect(electron.callsOf('app.quit').length).toBe(before + 1)
      expect(
        electron.callsOf('notification.show').map(([options]) => (options as { title: string }).title),
      ).not.toContain('Sotto is still running')
    })
    it('ends Sotto when the system shuts down', () => {
      const before = electron.callsOf('app.quit').length
      electron.powerMonitor.emit('shutdown')
      expect(electron.callsOf('app.quit').length).toBe(before + 1)
    })
  })
})
