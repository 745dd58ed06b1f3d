import type { ReactNode } from 'react'
import { LibraryMenu } from './library-menu.tsx'
import { SearchField } from './search-field.tsx'
import { useSearch } from './search-store.ts'
import styles from './search.module.css'

interface LibraryAsideProps {
  /** Above the search. */
  top: ReactNode
  onOpen: (conversationId: string, messageId: string | undefined) => void
  children: ReactNode
}

/** The search above the list of chats. While the field has text, the matches replace the list. */
export function LibraryAside({ top, onOpen, children }: LibraryAsideProps) {
  const asked = useSearch((state) => state.question.trim() !== '')
  return (
    <div className={styles.aside}>
      {top}
      <SearchField onOpen={onOpen} />
      <div className={styles.menu}>
        <LibraryMenu />
      </div>
      {!asked && <div className={styles.rest}>{children}</div>}
    </div>
  )
}
