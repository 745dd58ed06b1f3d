import { join } from 'node:path'
import { Menu, Tray } from 'electron'
import { applicationRoot } from '../host/index.ts'

/** Held for as long as Sotto runs: a collected tray leaves the bar. */
let tray: Tray | null = null

/** False where the desktop has no tray: then a closed window must end Sotto, or nobody could. */
export function showTray({ show, quit }: { show: () => void; quit: () => void }): boolean {
  try {
    tray = new Tray(join(applicationRoot, 'resources', 'tray', process.platform === 'darwin' ? 'iconTemplate.png' : 'icon.png'))
  } catch {
    return false
  }
  tray.setToolTip('Sotto is running')
  tray.setContextMenu(Menu.buildFromTemplate([
    { label: 'Show Sotto', click: show },
    { type: 'separator' },
    { label: 'Quit Sotto', click: quit },
  ]))
  tray.on('click', show)
  return true
}
