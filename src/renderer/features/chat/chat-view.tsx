import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { useEffect, useMemo, type KeyboardEvent } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { shownThread, type ShownMessage } from '../../../shared/conversation-tree.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { IconButton } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { TitleBar } from '../../ui/shell/title-bar.tsx'
import { keysOf } from '../../ui/shortcuts.ts'
import { Toast } from '../../ui/toast.tsx'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { keepDrafts } from './attachments/drafts.ts'
import { useFileDrop } from './attachments/use-file-drop.tsx'
import { showArtifact, useArtifact } from './artifacts/artifact.ts'
import styles from './chat-view.module.css'
import { loadThread, NEW, useChat } from './chat-store.ts'
import { Composer } from './composer.tsx'
import { ChatParts } from './chat-parts.tsx'
import { OpenDialog } from './conversation-dialogs.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { showFindBar } from './find/find-store.ts'
import { keepThread } from './thread-cache.ts'
import { undoRemoval, useRemoval } from './removal.ts'
import { stopAnswer } from './send.ts'
import { followAnswer } from './shown-answer.ts'
import { usePanelFocus } from './panel-focus.ts'
import { showPassage, usePassages } from './passages/passage-store.ts'
import { TemporaryMark } from './temporary-mark.tsx'
import { Thread } from './thread.tsx'
import { useVoice } from './voice/voice-store.ts'

const ProjectCrumb = lazyComponent(async () => (await import('./project-crumb.tsx')).ProjectCrumb)
const ReadAloud = lazyComponent(async () => (await import('./voice/read-aloud.tsx')).ReadAloud)

/** The reply of this conversation that is being read aloud, if any. */
function ReadingBar({ conversationId }: { conversationId: string }) {
  const reading = useVoice((state) => state.reading)
  if (reading?.conversationId !== conversationId) return null
  return (
    <ServiceScope>
      <ReadAloud key={reading.id} {...reading} />
    </ServiceScope>
  )
}

const SideBySide = lazyComponent(async () => (await import('./side-by-side.tsx')).SideBySide)

const ArtifactPanel = lazyComponent(
  async () => (await import('./artifacts/artifact-panel.tsx')).ArtifactPanel,
)

const PassagePanel = lazyComponent(async () => (await import('./artifacts/artifact-panel.tsx')).PassagePanel)

const none: readonly Message[] = []
const nothingShown: readonly ShownMessage[] = []

export function ChatView({ conversationId }: { conversationId: string | undefined }) {
  const conversation = useChat((state) =>
    conversationId === undefined ? undefined : state.conversations?.find(({ id }) => id === conversationId),
  )
  const thread = useChat((state) =>
    conversationId === undefined ? undefined : state.threads[conversationId],
  )
  const messages = thread?.messages
  const leafId = conversation?.leafId
  const shown = useMemo(() => messages && shownThread(messages, leafId), [messages, leafId])
  const questionId = useChat((state) =>
    conversationId === undefined ? undefined : state.sideBySide[conversationId],
  )
  useMessages(conversationId)
  useEffect(keepDrafts, [])
  const artifact = useArtifact(({ open }) => open)
  const passage = usePassages((state) => state.shown)
  usePanelFocus(artifact)
  usePanelFocus(passage)
  useEffect(() => {
    if (artifact) showPassage(undefined)
  }, [artifact])
  useEffect(
    () => () => {
      showArtifact(undefined)
      showPassage(undefined)
    },
    [conversationId],
  )
  const drop = useFileDrop(conversationId ?? NEW)
  const pressed = (event: KeyboardEvent) => {
    if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      !isReactImeKey(event) &&
      conversationId !== undefined
    )
      stopAnswer(conversationId)
  }
  if (conversationId === undefined) {
    return (
      <div className={styles.view} onKeyDown={pressed} {...drop.handlers}>
        {drop.target}
        <EmptyChat>
          <Composer conversation={undefined} messages={none} shown={nothingShown} />
        </EmptyChat>
        <UndoBar />
        <OpenDialog conversation={undefined} />
        <ChatParts />
      </div>
    )
  }
  return (
    <div
      className={styles.view}
      data-direction={conversation?.direction}
      data-split={artifact !== undefined || passage !== undefined}
      onKeyDown={pressed}
      {...drop.handlers}
    >
      {drop.target}
      <TitleBar>
        {conversation?.projectId !== undefined && <ProjectCrumb projectId={conversation.projectId} />}
        <h1 className={styles.title} dir="auto">
          {conversation?.damaged ? t`Damaged chat` : (conversation?.title ?? t`Chat`)}
        </h1>
        {conversation?.temporary && <TemporaryMark />}
        {shown && questionId === undefined && (
          <IconButton
            className={styles.find}
            label={t`Find in this chat`}
            title={keysOf('find')}
            onClick={showFindBar}
          >
            <Search size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
        )}
      </TitleBar>
      {shown &&
        (questionId === undefined || !messages ? (
          <Thread key={conversationId} conversationId={conversationId} shown={shown} />
        ) : (
          <SideBySide conversationId={conversationId} questionId={questionId} messages={messages} />
        ))}
      {!thread?.messages && !thread?.failure && (
        <p className={styles.opening} role="status">
          <Trans>Opening chat…</Trans>
        </p>
      )}
      {thread?.failure && (
        <div className={styles.failed}>
          <FailureNote failure={thread.failure} onRetry={() => void loadThread(conversationId)} />
        </div>
      )}
      <UndoBar />
      {conversation?.damaged && <DamagedNote conversationId={conversationId} />}
      <ReadingBar conversationId={conversationId} />
      {conversation && !conversation.damaged && questionId === undefined && (
        <Composer conversation={conversation} messages={messages ?? none} shown={shown ?? nothingShown} />
      )}
      {artifact && shown && (
        <ArtifactPanel conversationId={conversationId} shown={shown} artifact={artifact} />
      )}
      {passage && <PassagePanel />}
      {conversation && <OpenDialog conversation={conversation} />}
      <ChatParts />
    </div>
  )
}

/** The last removal while it can be undone, over the end of the chat or in a line `below` another view. */
export function UndoBar({ below = false }: { below?: boolean }) {
  const last = useRemoval((state) => state.last)
  return (
    last && (
      <Toast
        message={i18n._(last.message)}
        action={t`Undo`}
        onAction={() => void undoRemoval()}
        below={below}
      />
    )
  )
}

/** In the place of the composer: nothing is added to a record that can't be decrypted. */
function DamagedNote({ conversationId }: { conversationId: string }) {
  const unsent = useChat((state) => state.unsent[conversationId])
  return (
    <div className={styles.damaged}>
      {unsent && <FailureNote failure={unsent} />}
      <p role="note">
        <Trans>
          This chat’s record is damaged. Its title and settings can’t be read, and you can’t continue it.
          Readable messages are shown, and the data on disk was left unchanged. A backup may have the full
          chat.
        </Trans>
      </p>
    </div>
  )
}

/** Loads the messages, and follows the answers that another tab or a command asked for, or this one before a reload. */
function useMessages(conversationId: string | undefined): void {
  const known = useChat(
    (state) => conversationId !== undefined && state.threads[conversationId]?.messages !== undefined,
  )
  const elsewhere = useChat(({ threads, live, sending }) => {
    if (conversationId === undefined || sending[conversationId]) return undefined
    return threads[conversationId]?.messages?.find(
      ({ id, state }) =>
        state === 'streaming' && !live[conversationId]?.some(({ answerId }) => answerId === id),
    )
  })
  useEffect(() => {
    if (conversationId !== undefined) keepThread(conversationId)
  }, [conversationId])
  useEffect(() => {
    if (conversationId !== undefined && !known) void loadThread(conversationId)
  }, [conversationId, known])
  useEffect(() => {
    if (elsewhere) void followAnswer(elsewhere)
  }, [elsewhere])
}
