import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron'

const mac = process.platform === 'darwin'

export interface MenuCommands {
  readonly show: (place: string) => void
  readonly verify: () => void
}

/** By the numbers of the rail. */
const places: readonly (readonly [label: string, place: string])[] = [
  ['Chat', '#/chat'],
  ['Studio', '#/studio'],
  ['Data', '#/data'],
  ['Wallet', '#/wallet'],
  ['Keys', '#/keys'],
  ['History', '#/history'],
  ['Privacy', '#/privacy'],
  ['Local API', '#/local-api'],
]

/** What the window does, by its places, and the standard roles, which also carry the standard keys. */
export function setApplicationMenu({ show, verify }: MenuCommands, { devTools }: { devTools: boolean }): void {
  const settings: MenuItemConstructorOptions = { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => show('#/settings') }
  const newConversation: MenuItemConstructorOptions = { label: 'New Conversation', accelerator: 'CmdOrCtrl+N', click: () => show('#/chat') }
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ]
  const go: MenuItemConstructorOptions[] = [
    ...places.map(([label, place], index) => ({ label, accelerator: `CmdOrCtrl+${String(index + 1)}`, click: () => show(place) })),
    { type: 'separator' },
    { label: 'Verify the Enclave Now', click: verify },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate([
    ...(mac ? [macMenu(settings)] : []),
    { label: mac ? 'File' : 'Sotto', submenu: mac ? [newConversation, { role: 'close' }] : [newConversation, settings, { type: 'separator' }, { role: 'close' }, { role: 'quit' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { label: 'Go', submenu: go },
    { role: 'windowMenu' },
  ]))
}

/** As macOS has it, with Settings in its place. */
function macMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: 'Sotto',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  }
}

/** Electron has none of its own. */
export function showContextMenu(window: BrowserWindow, { isEditable, selectionText, editFlags }: ContextMenuParams): void {
  if (!isEditable && selectionText.trim() === '') return
  const items: MenuItemConstructorOptions[] = isEditable
    ? [
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
        { type: 'separator' },
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
        { role: 'selectAll', enabled: editFlags.canSelectAll },
      ]
    : [{ role: 'copy', enabled: editFlags.canCopy }]
  Menu.buildFromTemplate(items).popup({ window })
}
