import type { ReactNode } from 'react'
import { LibraryMenu } from './library-menu.tsx'
import { SearchField } from './search-field.tsx'
import { useSearch } from './search-store.ts'
import styles from './search.module.css'

interface LibraryAsideProps {
  onOpen: (conversationId: string, messageId: string | undefined) => void
  children: ReactNode
}

/** The search above the list of conversations; while something is asked, what was found stands in the list's place. */
export function LibraryAside({ onOpen, children }: LibraryAsideProps) {
  const asked = useSearch((state) => state.question.trim() !== '')
  return (
    <div className={styles.aside}>
      <SearchField onOpen={onOpen} />
      <div className={styles.menu}>
        <LibraryMenu />
      </div>
      {!asked && <div className={styles.rest}>{children}</div>}
    </div>
  )
}
