import { Menu } from '../../ui/menu.tsx'
import { useRoute } from '../../ui/route.ts'
import { openLibraryDialog } from './library-dialog-store.ts'

/** What is done with all conversations, or with the one that is open. */
export function LibraryMenu() {
  const { conversationId } = useRoute()
  return (
    <Menu
      label="More for conversations"
      items={[
        ...(conversationId === undefined ? [] : [{ name: 'Export this one…', choose: () => openLibraryDialog({ kind: 'export', conversationId }) }]),
        { name: 'Export all…', choose: () => openLibraryDialog({ kind: 'export' }) },
        { name: 'Import…', choose: () => openLibraryDialog({ kind: 'import' }) },
        { name: 'Back up…', choose: () => openLibraryDialog({ kind: 'backup' }) },
        { name: 'Restore…', choose: () => openLibraryDialog({ kind: 'restore' }) },
      ]}
    />
  )
}
