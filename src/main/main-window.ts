import { screen, type BrowserWindow } from 'electron'
import { GO_CHANNEL } from '../shared/desktop-channels.ts'
import { WINDOW_URL } from './app-scheme.ts'
import { keepInFile } from './stored-file.ts'
import { showContextMenu } from './context-menu.ts'
import { openWindow, type WindowParts } from './open-window.ts'
import {
  LEAST,
  placeOn,
  reachable,
  readWindowState,
  type Rectangle,
  type WindowState,
} from './window-state.ts'

/** A page whose process ends again within this time would go on doing so. */
const SETTLED_AGAIN_MS = 60_000

/** A window is dragged in many small steps. */
const SETTLED_MS = 500

export interface MainWindow {
  /** Null while it is closed: Sotto goes on in the tray. */
  current(): BrowserWindow | null
  /** Whether it was closed since this was asked before. */
  takeClosed(): boolean
  /** To the front, and open if it was closed; at this place in it, such as `#/wallet`. Resolves when it has painted for the first time, or cannot. */
  show(place?: string): Promise<void>
}

interface MainWindowParts extends WindowParts {
  /** The file with its size and position. */
  readonly stateFile: string
}

/** Reads the saved state of the window without opening one. */
export async function createMainWindow({ stateFile, ...parts }: MainWindowParts): Promise<MainWindow> {
  let window: BrowserWindow | null = null
  let wasClosed = false
  let state = await readWindowState(stateFile)
  const write = keepInFile(stateFile)
  let painted: Promise<void> = Promise.resolve()

  function open(place: string): BrowserWindow {
    const opened = openWindow(
      { ...placeOn(displayBounds(), state), minWidth: LEAST.width, minHeight: LEAST.height },
      parts,
    )
    if (state?.maximised) opened.maximize()
    painted = new Promise((done) => {
      opened.once('ready-to-show', () => {
        opened.show()
        done()
      })
      opened.webContents.once('did-fail-load', () => done())
      opened.once('closed', () => done())
    })
    opened.once('closed', () => {
      window = null
      wasClosed = true
    })
    reviveOnce(opened)
    keepState(opened, (saved) => {
      state = saved
      // If the state can't be written, the next window opens with the default.
      write(saved).catch(() => undefined)
    })
    opened.webContents.on('context-menu', (_event, at) => showContextMenu(opened, at))
    void opened.loadURL(`${WINDOW_URL}${place}`)
    return opened
  }

  // A display that was unplugged must not take the window with it.
  screen.on('display-removed', () => {
    if (window && !reachable(displayBounds(), window.getNormalBounds()))
      window.setBounds(centred(displayBounds()[0], window.getNormalBounds()))
  })

  return {
    current: () => window,
    takeClosed() {
      const closedSince = wasClosed
      wasClosed = false
      return closedSince
    },
    async show(place = '') {
      if (window === null) window = open(place)
      else {
        if (window.isMinimized()) window.restore()
        window.show()
        window.focus()
        if (place !== '') window.webContents.send(GO_CHANNEL, place)
      }
      await painted
    },
  }
}

/**
 * Out of memory, or a crash: the core continues, and the page finds its data there again. A page that keeps
 * ending is closed, and can be opened from the tray.
 */
function reviveOnce(window: BrowserWindow): void {
  let last = -Infinity
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    const before = last
    last = performance.now()
    if (last - before < SETTLED_AGAIN_MS) window.destroy()
    else window.webContents.reload()
  })
}

function keepState(window: BrowserWindow, keep: (state: WindowState) => void): void {
  let timer: NodeJS.Timeout | undefined
  const write = (): void => {
    clearTimeout(timer)
    const { x, y, width, height } = window.getNormalBounds()
    keep({ x, y, width, height, maximised: window.isMaximized() })
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(write, SETTLED_MS)
  }
  window.on('resize', soon)
  window.on('move', soon)
  window.on('maximize', soon)
  window.on('unmaximize', soon)
  window.on('close', write)
  window.once('closed', () => clearTimeout(timer))
}

/** The primary one first. */
function displayBounds(): Rectangle[] {
  const { id } = screen.getPrimaryDisplay()
  return screen
    .getAllDisplays()
    .toSorted((a, b) => Number(b.id === id) - Number(a.id === id))
    .map(({ workArea }) => workArea)
}

function centred(display: Rectangle | undefined, window: Rectangle): Rectangle {
  const { width, height } = placeOn(display ? [display] : [], { ...window, maximised: false })
  return display
    ? {
        x: display.x + Math.trunc((display.width - width) / 2),
        y: Math.max(display.y, display.y + Math.trunc((display.height - height) / 2)),
        width,
        height,
      }
    : { ...window, width, height }
}
