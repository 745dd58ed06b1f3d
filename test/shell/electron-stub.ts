/**
 * Electron as the built main process sees it, without a binary. It records every call and answers with values that
 * the test sets.
 * Its behavior follows Electron's documentation. It does not include the operating system's sandbox and dialogs.
 */
import { EventEmitter } from 'node:events'

/** Every call in order, by name. */
export const calls: { readonly name: string; readonly args: readonly unknown[] }[] = []

/** Values that a test sets before the main process is loaded, or between its steps. */
export const world = {
  firstInstance: true,
  packaged: false,
  /** Switches of Chromium's command line, which argv doesn't show. */
  switches: [] as readonly string[],
  trayWorks: true,
  /** The system's preferred languages. */
  languages: ['en-GB'],
  /** The index of the button that is pressed in the next dialogs. */
  pressed: 0,
  /** The answers of the next save and open dialogs. */
  saveTo: null as string | null,
  openFrom: null as string | null,
  /** The work area of each display, without its bars; the first display is the primary one. */
  displays: [{ x: 0, y: 0, width: 1920, height: 1040 }],
  /** Whether the window has painted: `ready-to-show` waits until this is set. */
  paints: true,
  /** The reason for which printing fails; empty if it succeeds. */
  printing: '',
  /** Whether the system accepts a shortcut. */
  shortcutIsFree: true,
  /** Set to hold a dialog open until it resolves. */
  dialogOpen: null as Promise<void> | null,
}

function record(name: string, ...args: unknown[]): void {
  calls.push({ name, args })
}

export function callsOf(name: string): (readonly unknown[])[] {
  return calls.filter((call) => call.name === name).map(({ args }) => args)
}

/** Resolves when a call with this name was recorded, or at once if there is one already. */
export async function called(name: string): Promise<readonly unknown[]> {
  for (;;) {
    const [first] = callsOf(name)
    if (first) return first
    await new Promise((resolve) => setImmediate(resolve))
  }
}

class App extends EventEmitter {
  get isPackaged(): boolean {
    return world.packaged
  }
  setName(name: string): void {
    record('app.setName', name)
  }
  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id)
  }
  enableSandbox(): void {
    record('app.enableSandbox')
  }
  setPath(name: string, path: string): void {
    record('app.setPath', name, path)
  }
  requestSingleInstanceLock(): boolean {
    record('app.requestSingleInstanceLock')
    return world.firstInstance
  }
  whenReady(): Promise<void> {
    record('app.whenReady')
    return Promise.resolve()
  }
  quit(): void {
    record('app.quit')
  }
  relaunch(): void {
    record('app.relaunch')
  }
  releaseSingleInstanceLock(): void {
    record('app.releaseSingleInstanceLock')
  }
  readonly commandLine = {
    hasSwitch: (name: string): boolean => world.switches.includes(name),
  }
  getLocaleCountryCode(): string {
    return 'GB'
  }
  getPreferredSystemLanguages(): string[] {
    return world.languages
  }
  exit(code: number): void {
    record('app.exit', code)
  }
  setAsDefaultProtocolClient(scheme: string): void {
    record('app.setAsDefaultProtocolClient', scheme)
  }
  getLoginItemSettings(): { readonly wasOpenedAtLogin: boolean } {
    return { wasOpenedAtLogin: false }
  }
  setLoginItemSettings(settings: unknown): void {
    record('app.setLoginItemSettings', settings)
  }
  getPath(name: string): string {
    return name === 'home' ? String(process.env['HOME']) : ''
  }
}
export const app = new App()

class Session extends EventEmitter {
  readonly name: string
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>()
  beforeRequest:
    | ((details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void)
    | null = null
  permissionRequest:
    | ((contents: unknown, permission: string, answer: (granted: boolean) => void, details: unknown) => void)
    | null = null
  permissionCheck:
    | ((contents: unknown, permission: string, origin: string, details: unknown) => boolean)
    | null = null
  devicePermission: ((details: unknown) => boolean) | null = null
  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>): void => {
      record('session.protocol.handle', this.name, scheme)
      this.handlers.set(scheme, handler)
    },
  }
  readonly webRequest = {
    onBeforeRequest: (listener: typeof this.beforeRequest): void => void (this.beforeRequest = listener),
  }
  constructor(name: string) {
    super()
    this.name = name
  }
  setProxy(config: unknown): Promise<void> {
    record('session.setProxy', this.name, config)
    return Promise.resolve()
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    record('session.setSpellCheckerEnabled', enabled)
  }
  setPermissionRequestHandler(handler: typeof this.permissionRequest): void {
    this.permissionRequest = handler
  }
  setPermissionCheckHandler(handler: typeof this.permissionCheck): void {
    this.permissionCheck = handler
  }
  setDevicePermissionHandler(handler: typeof this.devicePermission): void {
    this.devicePermission = handler
  }
}
export type { Session }

export const sessions = new Map<string, Session>()
export const session = {
  fromPartition(name: string): Session {
    const found = sessions.get(name) ?? new Session(name)
    sessions.set(name, found)
    return found
  },
}

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown): void =>
    record('protocol.registerSchemesAsPrivileged', schemes),
  handle: (scheme: string): void => record('protocol.handle of the default session', scheme),
}

export class WebContents extends EventEmitter {
  windowOpen: ((details: { url: string }) => { action: string }) | null = null
  setWindowOpenHandler(handler: typeof this.windowOpen): void {
    this.windowOpen = handler
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    record('contents.setWebRTCIPHandlingPolicy', policy)
  }
  readonly session = {
    addWordToSpellCheckerDictionary: (word: string): void =>
      record('session.addWordToSpellCheckerDictionary', word),
  }
  replaceMisspelling(word: string): void {
    record('contents.replaceMisspelling', word)
  }
  copyImageAt(x: number, y: number): void {
    record('contents.copyImageAt', x, y)
  }
  print(options: unknown, done: (printed: boolean, reason: string) => void): void {
    record('contents.print', options)
    done(world.printing === '', world.printing)
  }
  printToPDF(options: unknown): Promise<Buffer> {
    record('contents.printToPDF', options)
    return world.printing === ''
      ? Promise.resolve(Buffer.from('%PDF-'))
      : Promise.reject(new Error(world.printing))
  }
  send(...message: unknown[]): void {
    record('contents.send', ...message)
  }
  reload(): void {
    record('contents.reload')
  }
}

export class BrowserWindow extends EventEmitter {
  readonly options: Record<string, unknown>
  readonly webContents = new WebContents()
  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    record('new BrowserWindow', this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  bounds = { x: 100, y: 50, width: 1180, height: 800 }
  maximised = false
  focused = false
  loadURL(url: string): Promise<void> {
    record('window.loadURL', url)
    if (world.paints) queueMicrotask(() => this.emit('ready-to-show'))
    return Promise.resolve()
  }
  show(): void {
    record('window.show')
  }
  focus(): void {
    record('window.focus')
  }
  isMinimized(): boolean {
    return true
  }
  restore(): void {
    record('window.restore')
  }
  maximize(): void {
    record('window.maximize')
    this.maximised = true
  }
  isMaximized(): boolean {
    return this.maximised
  }
  isFocused(): boolean {
    return this.focused
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds
  }
  setBounds(bounds: { x: number; y: number; width: number; height: number }): void {
    record('window.setBounds', bounds)
    this.bounds = bounds
  }
  destroy(): void {
    record('window.destroy')
    this.emit('closed')
  }
}

export const Menu = {
  buildFromTemplate: (template: unknown[]): { template: unknown[]; popup: (options: unknown) => void } => ({
    template,
    popup: (options) => record('menu.popup', template, options),
  }),
  setApplicationMenu: (menu: { template: unknown[] }): void =>
    record('Menu.setApplicationMenu', menu.template),
}

export class Tray extends EventEmitter {
  constructor(image: unknown) {
    super()
    if (!world.trayWorks) throw new Error('no tray here')
    record('new Tray', image)
  }
  setImage(image: unknown): void {
    record('tray.setImage', image)
  }
  setToolTip(text: string): void {
    record('tray.setToolTip', text)
  }
  setContextMenu(menu: { template: unknown[] }): void {
    record('tray.setContextMenu', menu.template)
  }
}

class NativeImage {
  readonly path: string
  template = false
  constructor(path: string) {
    this.path = path
  }
  setTemplateImage(template: boolean): void {
    this.template = template
  }
}
export const nativeImage = {
  createFromPath(path: string): NativeImage {
    record('nativeImage.createFromPath', path)
    return new NativeImage(path)
  },
}

class Screen extends EventEmitter {
  getAllDisplays(): { id: number; workArea: object }[] {
    return world.displays.map((workArea, id) => ({ id, workArea }))
  }
  getPrimaryDisplay(): { id: number } {
    return { id: 0 }
  }
}
export const screen = new Screen()

export class Notification extends EventEmitter {
  readonly options: unknown
  static isSupported(): boolean {
    return true
  }
  constructor(options: unknown) {
    super()
    this.options = options
  }
  show(): void {
    record('notification.show', this.options, this)
  }
}

export const dialog = {
  async showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    record('dialog.showMessageBox', ...args)
    await world.dialogOpen
    return { response: world.pressed }
  },
  async showSaveDialog(...args: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    record('dialog.showSaveDialog', ...args)
    await world.dialogOpen
    return { canceled: world.saveTo === null, filePath: world.saveTo ?? '' }
  },
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    record('dialog.showOpenDialog', ...args)
    await world.dialogOpen
    return { canceled: world.openFrom === null, filePaths: world.openFrom === null ? [] : [world.openFrom] }
  },
  showErrorBox: (title: string, content: string): void => record('dialog.showErrorBox', title, content),
}

/** The shortcuts that the system would call. */
export const shortcuts = new Map<string, () => void>()
export const globalShortcut = {
  register(keys: string, act: () => void): boolean {
    if (world.shortcutIsFree) shortcuts.set(keys, act)
    return world.shortcutIsFree
  },
  unregister: (keys: string): void => void shortcuts.delete(keys),
}

export const clipboard = {
  writeText: (text: string): void => record('clipboard.writeText', text),
}

export const shell = {
  openPath(path: string): Promise<string> {
    record('shell.openPath', path)
    return Promise.resolve('')
  },
  openExternal(url: string): Promise<void> {
    record('shell.openExternal', url)
    return Promise.resolve()
  },
}

export const powerMonitor = new EventEmitter()
class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, (event: unknown, message: unknown) => Promise<unknown>>()
  handle(channel: string, handler: (event: unknown, message: unknown) => Promise<unknown>): void {
    this.handlers.set(channel, handler)
  }
}
export const ipcMain = new IpcMain()
export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false }
