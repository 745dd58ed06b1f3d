import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron'

const mac = process.platform === 'darwin'

/** Nothing that the window does not do: the standard roles, which also carry the standard keys. */
export function setApplicationMenu({ devTools }: { devTools: boolean }): void {
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate([
    mac ? { role: 'appMenu' } : { label: 'Sotto', submenu: [{ role: 'close' }, { role: 'quit' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
  ]))
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
