import { t } from '@lingui/core/macro'
import { Dialog } from '../../ui/dialog.tsx'
import { useShortcut } from '../../ui/use-shortcut.ts'
import { FIELD, SearchField } from './search-field.tsx'
import { closeSearch, showSearch, useSearch } from './search-store.ts'
import styles from './search.module.css'

/** Focuses the search field of the conversation list, or opens the search dialog if no list is visible. */
export function goToSearch(): void {
  const field = [...document.querySelectorAll<HTMLInputElement>(`[${FIELD}]`)].find((each) =>
    each.checkVisibility(),
  )
  if (!field) return showSearch()
  field.focus()
  field.select()
}

interface SearchKeysProps {
  onOpen: (conversationId: string, messageId: string | undefined) => void
}

/** Ctrl or Cmd, Shift and F open the search everywhere. */
export function SearchKeys({ onOpen }: SearchKeysProps) {
  const open = useSearch((state) => state.open)
  useShortcut('search', goToSearch)
  const showFound = (conversationId: string, messageId: string | undefined) => {
    closeSearch()
    onOpen(conversationId, messageId)
  }
  return (
    <Dialog open={open} onClose={closeSearch} title={t`Search chats`} wide>
      <div className={styles.dialog}>
        <SearchField onOpen={showFound} autoFocus />
      </div>
    </Dialog>
  )
}
