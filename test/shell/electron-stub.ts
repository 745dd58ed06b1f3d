/**
 * Electron as the built main sees it, without a binary: it records what it is told and answers what the test lays ready.
 * What it says of Electron is Electron's documentation; the operating system's sandbox and dialogs are not in it.
 */
import { EventEmitter } from 'node:events'

/** Every call in order, by name. */
export const calls: { readonly name: string; readonly args: readonly unknown[] }[] = []

/** What a test lays ready before the main is loaded, or between its steps. */
export const world = {
  firstInstance: true,
  packaged: false,
  trayWorks: true,
  /** The button that is pressed in the next dialogs. */
  pressed: 0,
  /** Set to hold a dialog open until it resolves. */
  dialogOpen: null as Promise<void> | null,
}

function record(name: string, ...args: unknown[]): void {
  calls.push({ name, args })
}

export function callsOf(name: string): (readonly unknown[])[] {
  return calls.filter((call) => call.name === name).map(({ args }) => args)
}

/** Resolves when a call of this name was made; at once where one was. */
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
  exit(code: number): void {
    record('app.exit', code)
  }
}
export const app = new App()

class Session extends EventEmitter {
  readonly name: string
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>()
  beforeRequest: ((details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void) | null = null
  permissionRequest: ((contents: unknown, permission: string, answer: (granted: boolean) => void, details: unknown) => void) | null = null
  permissionCheck: ((contents: unknown, permission: string, origin: string, details: unknown) => boolean) | null = null
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
  registerSchemesAsPrivileged: (schemes: unknown): void => record('protocol.registerSchemesAsPrivileged', schemes),
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
  loadURL(url: string): Promise<void> {
    record('window.loadURL', url)
    queueMicrotask(() => this.emit('ready-to-show'))
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
}

export const Menu = {
  buildFromTemplate: (template: unknown[]): { template: unknown[]; popup: (options: unknown) => void } => ({
    template,
    popup: (options) => record('menu.popup', template, options),
  }),
  setApplicationMenu: (menu: { template: unknown[] }): void => record('Menu.setApplicationMenu', menu.template),
}

export class Tray extends EventEmitter {
  constructor(image: string) {
    super()
    if (!world.trayWorks) throw new Error('no tray here')
    record('new Tray', image)
  }
  setToolTip(): void {}
  setContextMenu(menu: { template: unknown[] }): void {
    record('tray.setContextMenu', menu.template)
  }
}

export class Notification {
  readonly options: unknown
  static isSupported(): boolean {
    return true
  }
  constructor(options: unknown) {
    this.options = options
  }
  show(): void {
    record('notification.show', this.options)
  }
}

export const dialog = {
  async showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    record('dialog.showMessageBox', ...args)
    await world.dialogOpen
    return { response: world.pressed }
  },
  showErrorBox: (title: string, content: string): void => record('dialog.showErrorBox', title, content),
}

export const shell = {
  openExternal(url: string): Promise<void> {
    record('shell.openExternal', url)
    return Promise.resolve()
  },
}

export const powerMonitor = new EventEmitter()
export const ipcMain = new EventEmitter()
export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false }
