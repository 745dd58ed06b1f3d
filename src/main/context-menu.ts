import { t } from '@lingui/core/macro'
import {
  clipboard,
  Menu,
  type BrowserWindow,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
} from 'electron'
import { webAddress } from './open-link.ts'

/** A longer list hides the other items. */
const MAX_SUGGESTIONS = 5

/** Electron has no context menu. Nothing is shown if there is nothing to do at this place. */
export function showContextMenu(window: BrowserWindow, params: ContextMenuParams): void {
  const groups = [
    spelling(window, params),
    link(params),
    image(window, params),
    params.isEditable ? editing(params) : selection(params),
  ].filter(({ length }) => length > 0)
  if (groups.length === 0) return
  Menu.buildFromTemplate(
    groups.flatMap((items, index) => (index === 0 ? items : [{ type: 'separator' as const }, ...items])),
  ).popup({ window })
}

/** Only macOS finds misspelled words, because only there the dictionaries are the system's. */
function spelling(
  { webContents }: BrowserWindow,
  { isEditable, misspelledWord, dictionarySuggestions }: ContextMenuParams,
): MenuItemConstructorOptions[] {
  if (!isEditable || misspelledWord === '') return []
  return [
    ...dictionarySuggestions
      .slice(0, MAX_SUGGESTIONS)
      .map((word) => ({ label: word, click: () => webContents.replaceMisspelling(word) })),
    {
      label: t`Add to Dictionary`,
      click: () => void webContents.session.addWordToSpellCheckerDictionary(misspelledWord),
    },
  ]
}

/** Addresses of the web. Links within the window are of no use outside it. */
function link({ linkURL }: ContextMenuParams): MenuItemConstructorOptions[] {
  const address = webAddress(linkURL)
  return address === null ? [] : [{ label: t`Copy Link`, click: () => void clipboard.writeText(address) }]
}

function image(
  { webContents }: BrowserWindow,
  { mediaType, hasImageContents, x, y }: ContextMenuParams,
): MenuItemConstructorOptions[] {
  return mediaType === 'image' && hasImageContents
    ? [{ label: t`Copy Image`, click: () => webContents.copyImageAt(x, y) }]
    : []
}

function editing({ editFlags }: ContextMenuParams): MenuItemConstructorOptions[] {
  return [
    { ...undo(), enabled: editFlags.canUndo },
    { ...redo(), enabled: editFlags.canRedo },
    { type: 'separator' },
    { ...cut(), enabled: editFlags.canCut },
    { ...copy(), enabled: editFlags.canCopy },
    { ...paste(), enabled: editFlags.canPaste },
    { ...selectAll(), enabled: editFlags.canSelectAll },
  ]
}

function selection({ selectionText, editFlags }: ContextMenuParams): MenuItemConstructorOptions[] {
  return selectionText.trim() === '' ? [] : [{ ...copy(), enabled: editFlags.canCopy }]
}

/** Items of editing, for the menu and the context menu. Their roles include the standard shortcuts. */
export const undo = (): MenuItemConstructorOptions => ({ role: 'undo', label: t`Undo` })
export const redo = (): MenuItemConstructorOptions => ({ role: 'redo', label: t`Redo` })
export const cut = (): MenuItemConstructorOptions => ({ role: 'cut', label: t`Cut` })
export const copy = (): MenuItemConstructorOptions => ({ role: 'copy', label: t`Copy` })
export const paste = (): MenuItemConstructorOptions => ({ role: 'paste', label: t`Paste` })
export const selectAll = (): MenuItemConstructorOptions => ({ role: 'selectAll', label: t`Select All` })
