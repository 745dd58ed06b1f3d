import { t } from '@lingui/core/macro'
import { Menu } from '../../ui/menu.tsx'
import { useRoute } from '../../ui/route.ts'
import { showLibraryDialog } from './library-dialog-store.ts'

/** Actions on all conversations, or on the open conversation. */
export function LibraryMenu() {
  const { conversationId } = useRoute()
  return (
    <Menu
      label={t`More chat options`}
      items={[
        ...(conversationId === undefined
          ? []
          : [
              {
                name: t`Export this chat…`,
                choose: () => showLibraryDialog({ kind: 'export', conversationId }),
              },
            ]),
        { name: t`Export all…`, choose: () => showLibraryDialog({ kind: 'export' }) },
        { name: t`Import…`, choose: () => showLibraryDialog({ kind: 'import' }) },
        { name: t`Back up…`, choose: () => showLibraryDialog({ kind: 'backup' }) },
        { name: t`Restore…`, choose: () => showLibraryDialog({ kind: 'restore' }) },
      ]}
    />
  )
}
