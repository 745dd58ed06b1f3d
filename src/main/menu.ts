import { t } from '@lingui/core/macro'
import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron'

const mac = process.platform === 'darwin'

interface MenuCommands {
  readonly show: (place: string) => void
  readonly verify: () => void
  readonly lock: () => void
}

/** The views with their numbers in the sidebar. */
const places = (): readonly (readonly [label: string, place: string])[] => [
  [t`Chat`, '#/chat'],
  [t`Studio`, '#/studio'],
  [t`Data`, '#/data'],
  [t`Developer`, '#/developer'],
  [t`Wallet`, '#/wallet'],
  [t`History`, '#/history'],
  [t`Privacy`, '#/privacy'],
]

/**
 * The views of the window, and the standard roles, which include the standard shortcuts. Electron's own
 * labels of roles are English.
 */
export function setApplicationMenu(
  { show, verify, lock }: MenuCommands,
  { devTools }: { devTools: boolean },
): void {
  const settings: MenuItemConstructorOptions = {
    label: t`Settings…`,
    accelerator: 'CmdOrCtrl+,',
    click: () => show('#/settings'),
  }
  const newConversation: MenuItemConstructorOptions = {
    label: t`New Chat`,
    accelerator: 'CmdOrCtrl+N',
    click: () => show('#/chat'),
  }
  const lockItem: MenuItemConstructorOptions = {
    label: t`Lock Sotto`,
    accelerator: 'CmdOrCtrl+Shift+L',
    click: lock,
  }
  const close: MenuItemConstructorOptions = { role: 'close', label: t`Close Window` }
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload', label: t`Reload` },
    ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
    { type: 'separator' },
    { role: 'resetZoom', label: t`Actual Size` },
    { role: 'zoomIn', label: t`Zoom In` },
    { role: 'zoomOut', label: t`Zoom Out` },
    { role: 'togglefullscreen', label: t`Toggle Full Screen` },
  ]
  const go: MenuItemConstructorOptions[] = [
    ...places().map(([label, place], index) => ({
      label,
      accelerator: `CmdOrCtrl+${String(index + 1)}`,
      click: () => show(place),
    })),
    { type: 'separator' },
    { label: t`Verify Enclave Now`, click: verify },
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [macMenu(settings)] : []),
      {
        label: mac ? t`File` : 'Sotto',
        submenu: mac
          ? [newConversation, { type: 'separator' }, lockItem, close]
          : [
              newConversation,
              settings,
              { type: 'separator' },
              lockItem,
              close,
              { role: 'quit', label: t`Quit Sotto` },
            ],
      },
      {
        role: 'editMenu',
        label: t`Edit`,
        submenu: [undo(), redo(), { type: 'separator' }, cut(), copy(), paste(), selectAll()],
      },
      { label: t`View`, submenu: view },
      { label: t`Go`, submenu: go },
      {
        role: 'windowMenu',
        label: t`Window`,
        submenu: [
          { role: 'minimize', label: t`Minimize` },
          ...(mac
            ? [
                { role: 'zoom', label: t`Zoom` } as const,
                { type: 'separator' } as const,
                { role: 'front', label: t`Bring All to Front` } as const,
              ]
            : [close]),
        ],
      },
    ]),
  )
}

const undo = (): MenuItemConstructorOptions => ({ role: 'undo', label: t`Undo` })
const redo = (): MenuItemConstructorOptions => ({ role: 'redo', label: t`Redo` })
const cut = (): MenuItemConstructorOptions => ({ role: 'cut', label: t`Cut` })
const copy = (): MenuItemConstructorOptions => ({ role: 'copy', label: t`Copy` })
const paste = (): MenuItemConstructorOptions => ({ role: 'paste', label: t`Paste` })
const selectAll = (): MenuItemConstructorOptions => ({ role: 'selectAll', label: t`Select All` })

/** The menu in the order of macOS, including Settings. */
function macMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: 'Sotto',
    submenu: [
      { role: 'about', label: t`About Sotto` },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services', label: t`Services` },
      { type: 'separator' },
      { role: 'hide', label: t`Hide Sotto` },
      { role: 'hideOthers', label: t`Hide Others` },
      { role: 'unhide', label: t`Show All` },
      { type: 'separator' },
      { role: 'quit', label: t`Quit Sotto` },
    ],
  }
}

/** Electron has no context menu. */
export function showContextMenu(
  window: BrowserWindow,
  { isEditable, selectionText, editFlags }: ContextMenuParams,
): void {
  if (!isEditable && selectionText.trim() === '') return
  const items: MenuItemConstructorOptions[] = isEditable
    ? [
        { ...undo(), enabled: editFlags.canUndo },
        { ...redo(), enabled: editFlags.canRedo },
        { type: 'separator' },
        { ...cut(), enabled: editFlags.canCut },
        { ...copy(), enabled: editFlags.canCopy },
        { ...paste(), enabled: editFlags.canPaste },
        { ...selectAll(), enabled: editFlags.canSelectAll },
      ]
    : [{ ...copy(), enabled: editFlags.canCopy }]
  Menu.buildFromTemplate(items).popup({ window })
}
