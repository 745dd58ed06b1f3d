import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acquireOwnership, ownerFetch } from '../../src/host/owner-socket.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import type { BrowserWindow, Session } from './electron-stub.ts'
import {
  builtPreload,
  clientOver,
  isBuilt,
  launch,
  passAnHour,
  windowRequest,
  WINDOW_ORIGIN,
  type Electron,
  type Handler,
} from './launch.ts'

const ownRequest = { isMainFrame: true, requestingUrl: 'app://sotto/' }

describe.skipIf(!isBuilt())('the built main process', () => {
  let electron: Electron
  let dataDir: string
  let window: BrowserWindow
  let session: Session
  let handler: Handler

  beforeAll(async () => {
    ;({ electron, dataDir } = await launch())
    await electron.called('window.show')
    window = electron.callsOf('new BrowserWindow')[0]![0] as BrowserWindow
    session = electron.sessions.get('sotto')!
    handler = session.handlers.get('app')!
  })
  beforeEach(passAnHour)

  const get = (path: string, init?: RequestInit, initiator?: string | null): Promise<Response> =>
    handler(windowRequest(`${WINDOW_ORIGIN}${path}`, init, initiator))

  const readStored = (name: string): string => {
    const file = join(dataDir, 'desktop', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  describe('before it is ready', () => {
    it('turns the sandbox on, registers the scheme and locks this data folder', () => {
      const names = electron.calls.map(({ name }) => name)
      const ready = names.indexOf('app.whenReady')
      for (const name of [
        'app.enableSandbox',
        'protocol.registerSchemesAsPrivileged',
        'app.setPath',
        'app.requestSingleInstanceLock',
      ]) {
        expect(names.indexOf(name), name).toBeGreaterThanOrEqual(0)
        expect(names.indexOf(name), name).toBeLessThan(ready)
      }
      expect(names.indexOf('app.setPath')).toBeLessThan(names.indexOf('app.requestSingleInstanceLock'))
      expect(electron.callsOf('app.setPath')).toEqual([['userData', join(dataDir, 'desktop', 'chromium')]])
    })
    it('gives the scheme four privileges, and no way around the CSP or across origins', () => {
      expect(electron.callsOf('protocol.registerSchemesAsPrivileged')).toEqual([
        [
          [
            {
              scheme: 'app',
              privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
            },
          ],
        ],
      ])
    })
  })

  describe('its window', () => {
    it('is restricted by every preference', () => {
      expect(window.options['webPreferences']).toEqual({
        session,
        preload: builtPreload,
        additionalArguments: [],
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        plugins: false,
        navigateOnDragDrop: false,
        disableDialogs: true,
        spellcheck: false,
        devTools: true,
      })
      expect(existsSync(builtPreload)).toBe(true)
    })
    it('has a separate session that saves nothing to disk, and loads the scheme', () => {
      expect([...electron.sessions.keys()]).toEqual(['sotto'])
      expect(electron.callsOf('session.protocol.handle')).toEqual([['sotto', 'app']])
      expect(electron.callsOf('protocol.handle of the default session')).toEqual([])
      expect(electron.callsOf('window.loadURL')).toEqual([['app://sotto/']])
    })
    it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
      'prevents %s',
      (name) => {
        let prevented = 0
        window.webContents.emit(name, { preventDefault: () => prevented++ })
        expect(prevented).toBe(1)
      },
    )
    it('lets a frame of the page open only the page that draws diagrams', () => {
      const prevented = (part: { isMainFrame: boolean; url: string }): boolean => {
        let stopped = false
        window.webContents.emit('will-frame-navigate', { ...part, preventDefault: () => (stopped = true) })
        return stopped
      }
      expect(prevented({ isMainFrame: false, url: 'app://sotto/diagram.html' })).toBe(false)
      expect(prevented({ isMainFrame: true, url: 'app://sotto/diagram.html' })).toBe(true)
      for (const url of ['app://sotto/', 'app://sotto/diagram.html?x', 'https://evil.example/diagram.html'])
        expect(prevented({ isMainFrame: false, url })).toBe(true)
    })
    it('prevents WebRTC from sending packets around the proxy', () => {
      expect(electron.callsOf('contents.setWebRTCIPHandlingPolicy')).toEqual([['disable_non_proxied_udp']])
    })
    it('restricts the contents that anything else creates', () => {
      const other = new electron.WebContents()
      electron.app.emit('web-contents-created', {}, other)
      let prevented = 0
      other.emit('will-navigate', { preventDefault: () => prevented++ })
      expect([prevented, other.windowOpen?.({ url: 'app://sotto/' })]).toEqual([1, { action: 'deny' }])
    })
  })

  describe('its network', () => {
    const cancelled = (url: string): boolean | undefined => {
      let answer: { cancel?: boolean } = {}
      session.beforeRequest!({ url }, (response) => (answer = response))
      return answer.cancel
    }
    it.each([
      'https://example.com/',
      'http://127.0.0.1:8402/v1/models',
      'ws://localhost/',
      'wss://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'app://other/',
      'app://sotto.example/',
      'app://sotto@example.com/',
      'blob:https://example.com/1',
      'chrome://gpu/',
      'javascript:1',
      '',
    ])('cancels %s', (url) => expect(cancelled(url)).toBe(true))
    it.each(['app://sotto/', 'app://sotto/api/app/status', 'blob:app://sotto/1', 'data:image/png;base64,'])(
      'allows %s',
      (url) => expect(cancelled(url)).toBe(false),
    )
    it.runIf(process.platform !== 'darwin')('downloads no dictionary, because it checks no spelling', () => {
      expect(electron.callsOf('session.setSpellCheckerEnabled')).toEqual([[false]])
    })
    it('has an unreachable proxy, also for this computer', () => {
      expect(electron.callsOf('session.setProxy')).toEqual([
        [
          'sotto',
          { mode: 'fixed_servers', proxyRules: 'socks5://127.0.0.1:1', proxyBypassRules: '<-loopback>' },
        ],
      ])
    })
    it('downloads only its own blobs', () => {
      const prevented = (address: string): boolean => {
        let stopped = false
        session.emit('will-download', { preventDefault: () => (stopped = true) }, { getURL: () => address })
        return stopped
      }
      for (const address of [
        'https://example.com/a',
        'app://sotto/index.html',
        'data:text/plain,x',
        'blob:https://example.com/1',
        'file:///etc/passwd',
      ])
        expect([address, prevented(address)]).toEqual([address, true])
      expect(prevented('blob:app://sotto/5e0f')).toBe(false)
    })
  })

  describe('its permissions', () => {
    const asked = (permission: string, details: unknown): boolean[] => {
      let requested = true
      session.permissionRequest!({}, permission, (granted) => (requested = granted), details)
      return [session.permissionCheck!({}, permission, 'app://sotto', details), requested]
    }
    it('allow writing text to the clipboard', () =>
      expect(asked('clipboard-sanitized-write', ownRequest)).toEqual([true, true]))
    it('allow only the microphone', () => {
      expect(asked('media', { ...ownRequest, mediaType: 'audio' })).toEqual([true, true])
      expect(asked('media', { ...ownRequest, mediaTypes: ['audio'] })).toEqual([true, true])
    })
    it.each([
      ['a camera', { ...ownRequest, mediaType: 'video' }],
      ['a camera with it', { ...ownRequest, mediaTypes: ['audio', 'video'] }],
      ['what is unknown', { ...ownRequest, mediaType: 'unknown' }],
      ['nothing', { ...ownRequest, mediaTypes: [] }],
      ['another page', { isMainFrame: true, requestingUrl: 'https://example.com/', mediaTypes: ['audio'] }],
      ['a frame', { ...ownRequest, isMainFrame: false, mediaTypes: ['audio'] }],
    ])('refuse the microphone for %s', (_what, details) =>
      expect(asked('media', details)).toEqual([false, false]),
    )
    it.each([
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'hid',
      'serial',
      'usb',
      'fileSystem',
      'display-capture',
      'local-fonts',
      'unknown',
      'constructor',
    ])('refuse %s', (permission) => expect(asked(permission, ownRequest)).toEqual([false, false]))
    it.each([
      ['a frame', { ...ownRequest, isMainFrame: false }],
      ['another page', { ...ownRequest, requestingUrl: 'https://example.com/' }],
      ['another host of the scheme', { ...ownRequest, requestingUrl: 'app://sotto.example/' }],
      ['no page', { isMainFrame: true }],
    ])('refuse the clipboard and the full screen for %s', (_who, details) => {
      expect(asked('clipboard-sanitized-write', details)).toEqual([false, false])
      expect(asked('fullscreen', details)).toEqual([false, false])
    })
    it('allow the full screen for videos', () =>
      expect(asked('fullscreen', ownRequest)).toEqual([true, true]))
    it('allow no device', () => expect(session.devicePermission!({})).toBe(false))
  })

  describe('its files', () => {
    it('are the built window, with the page’s own policy', async () => {
      const page = await get('/', {}, null)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      const script = /src="\.?(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
      expect(script).toBeDefined()
      const asset = await get(script!)
      expect([asset.status, asset.headers.get('content-type')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ])
    })
    it.each([
      '/nothing',
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/..%5c..%5cpackage.json',
      '//etc/passwd',
      '/assets',
      '/assets/',
    ])('don’t include %s', async (path) => expect([400, 404]).toContain((await get(path)).status))
    it.each([
      ['bytes=0-0', 206, 'bytes 0-0/', 1],
      ['bytes=2-5', 206, 'bytes 2-5/', 4],
      ['bytes=-3', 206, undefined, 3],
      ['bytes=0-999999999', 206, 'bytes 0-', undefined],
    ] as const)('are served in part for a range: %s', async (range, status, content, length) => {
      const whole = new Uint8Array(await (await get('/')).arrayBuffer())
      const part = await get('/', { headers: { range } })
      const bytes = new Uint8Array(await part.arrayBuffer())
      expect([part.status, part.headers.get('content-range')?.startsWith(content ?? 'bytes ')]).toEqual([
        status,
        true,
      ])
      expect(part.headers.get('content-range')?.endsWith(`/${String(whole.length)}`)).toBe(true)
      expect(bytes.length).toBe(length ?? whole.length)
      const [, first = '0'] = /bytes (\d+)-/.exec(part.headers.get('content-range') ?? '') ?? []
      expect(Buffer.compare(bytes, whole.subarray(Number(first), Number(first) + bytes.length))).toBe(0)
      expect(part.headers.get('content-security-policy')).toContain("default-src 'none'")
    })
    it.each(['bytes=99999999-', 'bytes=-0'])('aren’t served beyond their end: %s', async (range) => {
      const answer = await get('/', { headers: { range } })
      expect([
        answer.status,
        await answer.text(),
        answer.headers.get('content-range')?.startsWith('bytes */'),
      ]).toEqual([416, '', true])
    })
    it.each([
      'bytes=5-2',
      'bytes=0-1,4-5',
      'lines=0-1',
      'bytes=-',
      'bytes=a-b',
      `bytes=0-${'9'.repeat(400)}`,
    ])('are served whole if the range is invalid: %s', async (range) => {
      expect((await get('/', { headers: { range } })).status).toBe(200)
    })
    it('aren’t served for another host, method or page', async () => {
      expect((await handler(windowRequest('app://other/'))).status).toBe(404)
      expect((await get('/', { method: 'POST' })).status).toBe(404)
      expect((await get('/', {}, 'https://example.com')).status).toBe(404)
      expect((await get('/', {}, 'null')).status).toBe(404)
    })
  })

  describe('its API', () => {
    it('answers the window from the running host', async () => {
      const status = await clientOver(handler).app.status()
      expect(status.service).toMatchObject({ kind: 'sandbox', trust: 'sandbox' })
      expect(status.vault).toEqual({ kind: 'memory', state: 'open' })
    })
    it.each([null, 'null', 'https://example.com', 'app://other', 'app://sotto.example', 'app://sotto/'])(
      'answers no other origin: %s',
      async (initiator) => {
        const refused = await get(
          '/api/app/status',
          {
            method: 'POST',
            body: '{}',
            headers: { 'content-type': 'application/json', origin: WINDOW_ORIGIN },
          },
          initiator,
        )
        expect([refused.status, await refused.text()]).toEqual([404, ''])
      },
    )
    it('answers no other host, and returns 404 for unknown procedures', async () => {
      expect(
        (await handler(windowRequest('app://other/api/app/status', { method: 'POST', body: '{}' }))).status,
      ).toBe(404)
      expect(
        (
          await get('/api/app/nothing', {
            method: 'POST',
            body: '{}',
            headers: { 'content-type': 'application/json' },
          })
        ).status,
      ).toBe(404)
      expect((await get('/api/app/nothing', { method: 'POST', body: '{}' })).status).toBe(415)
      expect((await get('/api/app/status')).status).toBe(405)
      expect((await get('/api/', { method: 'POST', body: '{}' })).status).toBe(400)
    })
    it('reads no body beyond its limit', async () => {
      const endless = new ReadableStream<Uint8Array>({
        pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)),
      })
      expect((await get('/api/app/status', { method: 'POST', body: endless, duplex: 'half' })).status).toBe(
        413,
      )
    })
    it('returns responses that aren’t cached', async () => {
      const answer = await get('/api/app/status', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
      expect([
        answer.status,
        answer.headers.get('cache-control'),
        answer.headers.get('x-content-type-options'),
      ]).toEqual([200, 'no-store', 'nosniff'])
    })
    it('streams a sealed reply, which continues when its page leaves and ends when it’s stopped', async () => {
      const client = clientOver(handler)
      let [conversationId, answerId] = ['', '']
      let deltas = 0
      for await (const event of await client.chat.send({
        model: 'private/sandbox-lento-8b',
        text: 'Tell me of the sea, at length.',
      })) {
        if (event.type === 'started') [conversationId, answerId] = [event.conversation.id, event.answer.id]
        expect(event.type).not.toBe('ended')
        if (event.type === 'delta' && ++deltas === 2) break
      }
      expect((await client.conversations.get({ conversationId })).messages.at(-1)?.state).toBe('streaming')
      expect(await client.chat.stop({ answerId })).toEqual({ stopped: true })
      await expect
        .poll(async () => (await client.conversations.get({ conversationId })).messages.at(-1)?.state)
        .toBe('cancelled')
      const { messages } = await client.conversations.get({ conversationId })
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', privacy: 'sealed' })
      expect(messages.at(-1)!.text.length + (messages.at(-1)!.reasoning?.length ?? 0)).toBeGreaterThan(0)
    })
    it('verifies the enclave again after sleep', async () => {
      const client = clientOver(handler)
      const ask = async (): Promise<void> => {
        for await (const event of await client.chat.send({
          model: 'private/sandbox-lento-8b',
          text: 'Again.',
        }))
          if (event.type === 'delta') break
      }
      const before = await client.privacy.verify()
      await ask()
      expect((await client.privacy.current())?.verifiedAt).toBe(before.verifiedAt)
      electron.powerMonitor.emit('resume')
      // The app verifies again without a request.
      await expect
        .poll(async () => (await client.privacy.current())?.verifiedAt)
        .toBeGreaterThan(before.verifiedAt)
    })
  })

  describe('its confirmations', () => {
    const boxes = (): (readonly unknown[])[] => electron.callsOf('dialog.showMessageBox')
    it('are shown by the operating system, with Cancel as the default', async () => {
      electron.world.pressed = 0
      await expect(clientOver(handler).profiles.choose({ profileId: 'ppq' })).rejects.toMatchObject({
        code: 'SOTTO',
        data: { code: 'confirm/refused' },
      })
      const [parent, options] = boxes().at(-1) as [
        unknown,
        { message: string; buttons: string[]; defaultId: number; cancelId: number },
      ]
      expect(parent).toBe(window)
      expect(options).toMatchObject({
        type: 'question',
        buttons: ['Cancel', 'Allow'],
        defaultId: 0,
        cancelId: 0,
      })
      expect(options.message).toBe('Switch to the service PPQ at api.ppq.ai?')
      expect((await clientOver(handler).app.status()).service.kind).toBe('sandbox')
    })
    it('accept no code of the page', async () => {
      const client = clientOver(handler)
      expect(await client.confirmations.pending()).toBeNull()
      expect(await client.confirmations.answer({ id: 'x', code: '000000' })).toEqual({ accepted: false })
    })
    it('are delayed after a refusal, with the time to retry', async () => {
      electron.world.pressed = 0
      await expect(clientOver(handler).profiles.choose({ profileId: 'ppq' })).rejects.toMatchObject({
        data: { code: 'confirm/refused' },
      })
      const before = boxes().length
      await expect(clientOver(handler).profiles.choose({ profileId: 'ppq' })).rejects.toMatchObject({
        data: { code: 'confirm/too-soon', retryAfterSeconds: expect.any(Number) as number },
      })
      expect(boxes().length).toBe(before)
    })
    it('are shown one at a time, and another one is refused without a dialog', async () => {
      let close = (): void => undefined
      electron.world.dialogOpen = new Promise((resolve) => (close = resolve))
      const before = boxes().length
      const first = clientOver(handler).profiles.choose({ profileId: 'ppq' })
      first.catch(() => undefined)
      await expect.poll(() => boxes().length).toBe(before + 1)
      await expect(clientOver(handler).profiles.choose({ profileId: 'ppq' })).rejects.toMatchObject({
        data: { code: 'confirm/refused' },
      })
      expect(boxes().length).toBe(before + 1)
      close()
      electron.world.dialogOpen = null
      await expect(first).rejects.toMatchObject({ data: { code: 'confirm/refused' } })
    })
  })

  describe('its links', () => {
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    const open = async (url: string, pressed: number): Promise<{ asked: unknown[]; opened: unknown[] }> => {
      electron.world.pressed = pressed
      const before = {
        asked: electron.callsOf('dialog.showMessageBox').length,
        opened: electron.callsOf('shell.openExternal').length,
      }
      expect(window.webContents.windowOpen!({ url })).toEqual({ action: 'deny' })
      await settled()
      return {
        asked: electron
          .callsOf('dialog.showMessageBox')
          .slice(before.asked)
          .map((args) => {
            const { message, detail } = args.at(-1) as { message: string; detail: string }
            return [message, detail]
          }),
        opened: electron
          .callsOf('shell.openExternal')
          .slice(before.opened)
          .map(([url]) => url),
      }
    }
    it('open in the browser, in their canonical form, after the address was shown and allowed', async () => {
      expect(await open('https://EXÄMPLE.com/a b', 1)).toEqual({
        asked: [['Open this address in your browser?', 'https://xn--exmple-cua.com/a%20b']],
        opened: ['https://xn--exmple-cua.com/a%20b'],
      })
      expect((await open('http://example.com', 1)).opened).toEqual(['http://example.com/'])
    })
    it('don’t open unless they’re allowed', async () => {
      expect(await open('https://example.com/?q=what-the-page-can-read', 0)).toMatchObject({
        asked: [[expect.any(String), expect.any(String)]],
        opened: [],
      })
    })
    it.each([
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'app://sotto/',
      'smb://host/share',
      'ms-settings:',
      'mailto:a@b.example',
      'about:blank',
      '',
      'https://sotto.example@evil.example/',
      'https://user:secret@example.com/',
      `https://example.com/${'a'.repeat(2048)}`,
      'not an address',
    ])('don’t open %s', async (url) => expect(await open(url, 1)).toEqual({ asked: [], opened: [] }))
  })

  describe('its theme', () => {
    const set = (frame: unknown, theme: unknown): unknown =>
      electron.ipcMain.emit('sotto:theme', { senderFrame: frame }, theme)
    const page = { parent: null, origin: WINDOW_ORIGIN }
    it('is set by its own page, for the whole desktop, and saved', async () => {
      set(page, 'dark')
      expect(electron.nativeTheme.themeSource).toBe('dark')
      await expect.poll(() => readStored('theme.json')).toBe('"dark"')
    })
    it.each([
      ['an embedded frame', { ...page, parent: page }, 'light'],
      ['another page', { ...page, origin: 'https://example.com' }, 'light'],
      ['a frame that is gone', null, 'light'],
      ['its own page, of another kind', page, { toString: 'light' }],
      ['its own page, of another name', page, 'blue'],
    ])('isn’t accepted from %s', (_who, frame, theme) => {
      set(frame, theme)
      expect(electron.nativeTheme.themeSource).toBe('dark')
    })
  })

  describe('its language and density', () => {
    const set = (frame: unknown, preferences: unknown): unknown =>
      electron.ipcMain.emit('sotto:preferences', { senderFrame: frame }, preferences)
    const page = { parent: null, origin: WINDOW_ORIGIN }
    const look = { density: 'compact', textSize: 'medium', sidebar: 'closed', sidebarWidth: 300 }
    const chosen = { language: 'de', ...look }
    it('are set by its own page and saved', async () => {
      set(page, chosen)
      await expect.poll(() => readStored('preferences.json')).toBe(JSON.stringify(chosen))
    })
    it.each([
      ['an embedded frame', { ...page, parent: page }, { ...chosen, language: 'fr' }],
      ['another page', { ...page, origin: 'https://example.com' }, { ...chosen, language: 'fr' }],
      ['its own page, in a language that there is not', page, { language: '../../x', density: 'compact' }],
      [
        'its own page, with more in it',
        page,
        { language: 'fr', density: 'compact', more: 'x'.repeat(10_000) },
      ],
      ['its own page, with a width beyond the limit', page, { ...chosen, sidebarWidth: 361 }],
      ['its own page, as a text', page, '{"language":"fr","density":"compact"}'],
    ])('aren’t accepted from %s', (_who, frame, preferences) => {
      set(frame, preferences)
      expect(readStored('preferences.json')).toBe(JSON.stringify(chosen))
    })
  })

  describe('its lifecycle', () => {
    it('comes to the front for a second instance, and for a command through the owner’s socket', async () => {
      for (const come of [
        async () => {
          const before = electron.callsOf('window.focus').length
          electron.app.emit('second-instance', {}, ['sotto', '--flag'])
          await expect.poll(() => electron.callsOf('window.focus').length).toBe(before + 1)
        },
        async () => {
          const answer = await ownerFetch(dataDir)(
            new Request('http://sotto.invalid/open', { method: 'POST' }),
          )
          expect(await answer.json()).toBeNull()
        },
      ]) {
        const before = electron.callsOf('window.focus').length
        await come()
        expect(electron.callsOf('window.focus').length).toBe(before + 1)
      }
      expect(electron.callsOf('window.restore').length).toBe(2)
      expect(electron.callsOf('new BrowserWindow').length).toBe(1)
    })
    it('reloads a page whose process ended, and closes one that keeps ending', () => {
      const gone = (reason: string): void =>
        void window.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 })
      const opened = electron.callsOf('new BrowserWindow').length
      gone('clean-exit')
      expect(electron.callsOf('contents.reload').length).toBe(0)
      gone('crashed')
      expect(electron.callsOf('contents.reload').length).toBe(1)
      gone('oom')
      expect([electron.callsOf('contents.reload').length, electron.callsOf('window.destroy').length]).toEqual(
        [1, 1],
      )
      expect(electron.callsOf('app.quit')).toEqual([])
      // The user can open another window.
      electron.app.emit('activate')
      expect(electron.callsOf('new BrowserWindow').length).toBe(opened + 1)
      window = electron.callsOf('new BrowserWindow').at(-1)![0] as typeof window
    })
    it('continues without a window, notifies once, and opens another when shown', () => {
      window.emit('closed')
      electron.app.emit('window-all-closed')
      electron.app.emit('window-all-closed')
      expect(electron.callsOf('app.quit')).toEqual([])
      expect(electron.callsOf('notification.show').length).toBe(1)
      const opened = electron.callsOf('new BrowserWindow').length
      electron.app.emit('activate')
      expect(electron.callsOf('new BrowserWindow').length).toBe(opened + 1)
    })
    it('closes the host before it ends, so that another process can own the data folder', async () => {
      expect(acquireOwnership(await DataFolder.check(dataDir))).toBeNull()
      let prevented = 0
      const event = { preventDefault: () => prevented++ }
      electron.app.emit('will-quit', event)
      expect(prevented).toBe(1)
      await electron.called('app.quit')
      electron.app.emit('will-quit', event)
      expect(prevented).toBe(1)
      const ownership = acquireOwnership(await DataFolder.check(dataDir))
      expect(ownership).not.toBeNull()
      ownership?.release()
    })
  })
})
