import { Import, SquarePen } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Virtualizer } from 'virtua'
import type { Conversation } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatDayHeading } from '../../ui/format/time.ts'
import { Menu } from '../../ui/menu.tsx'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { addressOf, go, useRoute } from '../../ui/route.ts'
import { useNow } from '../../ui/use-now.ts'
import { fork, told } from './branches.ts'
import { loadConversations, pinConversation, useChat } from './chat-store.ts'
import { RenameDialog } from './conversation-dialogs.tsx'
import styles from './conversation-list.module.css'
import { removeConversation } from './removal.ts'
import { TemporaryMark } from './temporary-mark.tsx'

type Row = { readonly heading: string } | { readonly conversation: Conversation }

const MINUTE = 60_000

/** The conversations of this service: those that are pinned, and the others, newest first, under the day of their last message. */
export function ConversationList() {
  const conversations = useChat((state) => state.conversations)
  const failure = useChat((state) => state.conversationsFailure)
  const [renamed, setRenamed] = useState<Conversation>()
  const now = useNow(MINUTE)
  const rows = useMemo(() => rowsOf(conversations ?? [], now), [conversations, now])
  return (
    <section className={styles.list} aria-label="Conversations">
      <div className={styles.top}>
        <Button className={styles.new} onClick={() => go({ room: 'chat' })}><SquarePen size={15} strokeWidth={1.75} aria-hidden />New conversation</Button>
      </div>
      <div className={styles.rows}>
        {failure && <FailureNote failure={failure} className={styles.note}><Button onClick={() => void loadConversations()}>Try again</Button></FailureNote>}
        {!conversations && !failure && <p className={styles.none}>Opening…</p>}
        {conversations && rows.length === 0 && <p className={styles.none}>No conversation yet.</p>}
        <Virtualizer data={rows} as="ul" item="li">
          {(row) => ('heading' in row
            ? <h2 key={row.heading} className={styles.heading}>{row.heading}</h2>
            : <ConversationRow key={row.conversation.id} conversation={row.conversation} onRename={setRenamed} />)}
        </Virtualizer>
      </div>
      {renamed && <RenameDialog conversation={renamed} close={() => setRenamed(undefined)} />}
    </section>
  )
}

function ConversationRow({ conversation, onRename }: { conversation: Conversation; onRename: (conversation: Conversation) => void }) {
  const here = useRoute().conversationId === conversation.id
  const live = useChat((state) => state.live[conversation.id] !== undefined)
  const { id, title, private: sealed, pinned = false, temporary = false, imported = false } = conversation
  return (
    <div className={styles.row} data-here={here}>
      <a className={styles.link} href={addressOf({ room: 'chat', conversationId: id })} title={title} {...(here ? { 'aria-current': 'page' as const } : {})}>
        {imported ? <Import size={14} strokeWidth={1.75} className={styles.glyph} role="img" aria-label="Imported" /> : <PrivacyGlyph privacy={sealed ? 'sealed' : 'forwarded'} size={14} className={styles.glyph} />}
        <span className={styles.title}>{title}</span>
        {temporary && <TemporaryMark />}
        {live && <span className={styles.live}>answering</span>}
      </a>
      <Menu
        className={styles.menu}
        label={`More for ${title}`}
        items={[
          { name: 'Rename', choose: () => onRename(conversation) },
          { name: pinned ? 'Unpin' : 'Pin', choose: () => void told(id, () => pinConversation(id, !pinned)) },
          { name: 'Fork', choose: () => void fork(id) },
          { name: 'Delete', choose: () => void removeConversation(id, title) },
        ]}
      />
    </div>
  )
}

function rowsOf(conversations: readonly Conversation[], now: number): Row[] {
  const rows: Row[] = []
  let heading: string | undefined
  for (const conversation of conversations.toSorted((a, b) => Number(b.pinned === true) - Number(a.pinned === true))) {
    const next = conversation.pinned ? 'Pinned' : formatDayHeading(conversation.updatedAt, now)
    if (next !== heading) rows.push({ heading: next })
    heading = next
    rows.push({ conversation })
  }
  return rows
}
