import { t } from '@lingui/core/macro'
import { currentRoute } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { keysOf } from '../../ui/shortcuts.ts'
import { showLibraryDialog } from './library-dialog-store.ts'
import { goToSearch } from './search-keys.tsx'

export const libraryCommands: readonly Command[] = [
  {
    id: 'library/search',
    get title() {
      return t`Search chats`
    },
    also: 'find text history',
    get keys() {
      return keysOf('search')
    },
    run: goToSearch,
  },
  {
    id: 'library/export-one',
    get title() {
      return t`Export this chat`
    },
    also: 'save file markdown json html download',
    run: exportThis,
  },
  {
    id: 'library/export',
    get title() {
      return t`Export all chats`
    },
    also: 'save file markdown json html download',
    run: () => showLibraryDialog({ kind: 'export' }),
  },
  {
    id: 'library/import',
    get title() {
      return t`Import chats`
    },
    also: 'chatgpt claude open webui file take in',
    run: () => showLibraryDialog({ kind: 'import' }),
  },
  {
    id: 'library/backup',
    get title() {
      return t`Back up chats`
    },
    also: 'save encrypted file passphrase',
    run: () => showLibraryDialog({ kind: 'backup' }),
  },
  {
    id: 'library/restore',
    get title() {
      return t`Restore chats`
    },
    also: 'backup encrypted file passphrase',
    run: () => showLibraryDialog({ kind: 'restore' }),
  },
]

/** Exports the open conversation, or all conversations if none is open. */
function exportThis(): void {
  const { conversationId } = currentRoute()
  showLibraryDialog({ kind: 'export', ...(conversationId !== undefined && { conversationId }) })
}
