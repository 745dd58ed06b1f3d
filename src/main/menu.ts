import { t } from '@lingui/core/macro'
import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { PageCommand } from '../shared/desktop-channels.ts'
import { copy, cut, paste, redo, selectAll, undo } from './context-menu.ts'

const mac = process.platform === 'darwin'

interface MenuCommands {
  readonly show: (place: string) => void
  readonly verify: () => void
  readonly lock: () => void
  /** Has the page carry out one of its own commands. */
  readonly run: (command: PageCommand) => void
  readonly print: () => void
  readonly savePdf: () => void
  readonly about: () => void
  readonly licences: () => void
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
  { show, verify, lock, run, print, savePdf, about, licences }: MenuCommands,
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
  const output: MenuItemConstructorOptions[] = [
    { label: t`Print…`, accelerator: 'CmdOrCtrl+P', click: print },
    { label: t`Save as PDF…`, click: savePdf },
    { type: 'separator' },
  ]
  const aboutItem: MenuItemConstructorOptions = { label: t`About Sotto`, click: about }
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload', label: t`Reload` },
    ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
    { type: 'separator' },
    { role: 'resetZoom', label: t`Actual Size` },
    { role: 'zoomIn', label: t`Zoom In` },
    // On many keyboards, plus needs Shift. Its key must zoom in without Shift too.
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
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
      ...(mac ? [macMenu(aboutItem, settings)] : []),
      {
        label: mac ? t`File` : 'Sotto',
        submenu: mac
          ? [newConversation, { type: 'separator' }, ...output, lockItem, close]
          : [
              newConversation,
              settings,
              { type: 'separator' },
              ...output,
              lockItem,
              close,
              { role: 'quit', label: t`Quit Sotto` },
            ],
      },
      {
        role: 'editMenu',
        label: t`Edit`,
        submenu: [
          undo(),
          redo(),
          { type: 'separator' },
          cut(),
          copy(),
          paste(),
          selectAll(),
          { type: 'separator' },
          ofPage(t`Find in Chat`, 'CmdOrCtrl+F', () => run('find')),
        ],
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
      {
        role: 'help',
        label: t`Help`,
        submenu: [
          ofPage(t`Keyboard Shortcuts`, 'CmdOrCtrl+/', () => run('shortcuts')),
          { label: t`Updates and Help`, click: () => show('#/settings/about') },
          { type: 'separator' },
          { label: t`Third-Party Licenses`, click: licences },
          ...(mac ? [] : [aboutItem]),
        ],
      },
    ]),
  )
}

/** A command whose keys the page handles itself, so the menu only shows them. macOS always handles them in the menu. */
function ofPage(label: string, accelerator: string, click: () => void): MenuItemConstructorOptions {
  return { label, accelerator, registerAccelerator: false, click }
}

/** The menu in the order of macOS, including Settings. */
function macMenu(
  about: MenuItemConstructorOptions,
  settings: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: 'Sotto',
    submenu: [
      about,
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
