import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FolderPlus, SquarePen } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import type { Conversation } from '../../../shared/conversation.ts'
import type { Folder } from '../../../shared/prompt.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConversationGlyph } from '../../ui/conversation-glyph.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatDayHeading } from '../../ui/format/time.ts'
import { Menu } from '../../ui/menu.tsx'
import { askAboutProject, loadProjects, useProjects } from '../../ui/project-store.ts'
import { addressOf, go, useRoute } from '../../ui/route.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useService } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { fork, reportFailures } from './branches.ts'
import { LIST, loadConversations, pinConversation, useChat } from './chat-store.ts'
import { RenameDialog } from './conversation-dialogs.tsx'
import { draggable, droppable, OUTSIDE, useDropTarget } from './conversation-drag.ts'
import styles from './conversation-list.module.css'
import { rowsOf } from './conversation-rows.ts'
import { FolderRow } from './folder-row.tsx'
import { ProjectGroup } from './project-group.tsx'
import { askAboutFolder, loadFolders, useFolders } from './folder-store.ts'
import { removeConversation } from './removal.ts'
import { TemporaryMark } from './temporary-mark.tsx'

const noFolders: readonly Folder[] = []

const MINUTE = 60_000

export function NewChat() {
  const { view, conversationId } = useRoute()
  return (
    <div className={styles.top}>
      <button
        type="button"
        className={styles.new}
        data-here={view === 'chat' && conversationId === undefined}
        onClick={() => go({ view: 'chat' })}
      >
        <SquarePen size={16} strokeWidth={1.75} aria-hidden />
        <Trans>New chat</Trans>
      </button>
      <IconButton label={t`New folder`} onClick={() => askAboutFolder({ about: 'new' })}>
        <FolderPlus size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}

/**
 * The conversations of this service: pinned ones, folders, and the others, newest first, under the day of their last
 * message.
 */
export function ConversationList() {
  const conversations = useChat((state) => state.conversations)
  const failure = useChat((state) => state.conversationsFailure)
  const failed = useChat((state) => state.unsent[LIST])
  const [renamed, setRenamed] = useState<Conversation>()
  const now = useNow(MINUTE)
  const service = useService()
  const pinned = t`Pinned`
  const folders = useFolders((state) => state.folders ?? noFolders)
  useEffect(() => void loadFolders(), [])
  useEffect(() => void loadProjects(), [service])
  const scroller = useRef<HTMLDivElement>(null)
  const [projectsHeight, setProjectsHeight] = useState(0)
  const rows = useMemo(
    () => rowsOf(conversations ?? [], folders, { pinned, headingOf: (at) => formatDayHeading(at, now) }),
    [conversations, folders, now, pinned],
  )
  return (
    <div className={styles.list}>
      {failed && <FailureNote failure={failed} className={styles.note} />}
      <div ref={scroller} className={styles.rows}>
        <ProjectGroup onHeight={setProjectsHeight} />
        <div role="group" aria-label={t`Chats`}>
          {failure && (
            <FailureNote failure={failure} className={styles.note} onRetry={() => void loadConversations()} />
          )}
          {!conversations && !failure && <Skeleton label={t`Opening…`} />}
          <Virtualizer data={rows} as="ul" item="li" scrollRef={scroller} startMargin={projectsHeight}>
            {(row) => {
              switch (row.kind) {
                case 'heading':
                  return (
                    <h2 key={row.heading} className={styles.heading} {...droppable(OUTSIDE)}>
                      {row.heading}
                    </h2>
                  )
                case 'folder':
                  return <FolderRow key={row.folder.id} folder={row.folder} count={row.count} />
                case 'conversation':
                  return (
                    <ConversationRow
                      key={row.conversation.id}
                      conversation={row.conversation}
                      folder={row.folder}
                      onRename={setRenamed}
                    />
                  )
              }
            }}
          </Virtualizer>
          {conversations && rows.length === 0 && <EmptyState compact title={t`No chats yet`} />}
        </div>
      </div>
      {renamed && <RenameDialog conversation={renamed} close={() => setRenamed(undefined)} />}
    </div>
  )
}

function ConversationRow({
  conversation,
  folder,
  onRename,
}: {
  conversation: Conversation
  folder: Folder | undefined
  onRename: (conversation: Conversation) => void
}) {
  const here = useRoute().conversationId === conversation.id
  const live = useChat((state) => state.live[conversation.id] !== undefined)
  const { id, pinned = false, temporary = false, damaged = false } = conversation
  const title = damaged ? t`Damaged chat` : conversation.title
  const place = folder?.id ?? OUTSIDE
  const over = useDropTarget(place)
  const hasProjects = useProjects(({ projects = [] }) => projects.length > 0)
  return (
    <div
      className={styles.row}
      data-here={here}
      data-within={folder !== undefined}
      data-over={over && folder !== undefined}
      {...draggable(id)}
      {...droppable(place)}
    >
      <a
        className={styles.link}
        href={addressOf({ view: 'chat', conversationId: id })}
        title={title}
        {...(here ? { 'aria-current': 'page' as const } : {})}
      >
        <span className={styles.title} dir="auto" data-damaged={damaged}>
          {title}
        </span>
        <ConversationGlyph conversation={conversation} className={styles.glyph} />
        {temporary && <TemporaryMark />}
        {live && (
          <span className={styles.live}>
            <Trans>replying</Trans>
          </span>
        )}
      </a>
      <Menu
        className={styles.menu}
        label={t`More actions for ${title}`}
        items={
          damaged
            ? [{ name: t`Delete`, choose: () => void removeConversation(id, title, LIST), danger: true }]
            : [
                { name: t`Rename`, choose: () => onRename(conversation) },
                {
                  name: pinned ? t`Unpin` : t`Pin`,
                  choose: () => void reportFailures(LIST, () => pinConversation(id, !pinned)),
                },
                {
                  name: t`Move to folder…`,
                  choose: () =>
                    askAboutFolder({ about: 'move', conversationId: id, title, folderId: folder?.id }),
                },
                ...(hasProjects
                  ? [
                      {
                        name: t`Move to project…`,
                        choose: () =>
                          askAboutProject({
                            conversationId: id,
                            title,
                            projectId: conversation.projectId,
                          }),
                      },
                    ]
                  : []),
                { name: t`Branch`, choose: () => void fork(id, undefined, LIST) },
                { name: t`Delete`, choose: () => void removeConversation(id, title, LIST), danger: true },
              ]
        }
      />
    </div>
  )
}
