import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Direction } from 'radix-ui'
import { useEffect, useState } from 'react'
import { densities, languageChoices, textSizes, type LanguageTag } from '../shared/window-preferences.ts'
import styles from './app.module.css'
import { ListDialogs } from './features/chat/chat-parts.tsx'
import { ChatView, UndoBar } from './features/chat/chat-view.tsx'
import {
  loadConversations,
  loadModels,
  NEW,
  pickModel,
  putChanged,
  setProject,
  showSideBySide,
  useChat,
} from './features/chat/chat-store.ts'
import { usePrivateModelFirst } from './features/chat/quick-entry.ts'
import { chatCommands, chatPlaces } from './features/chat/commands.ts'
import { ConversationList, NewChat } from './features/chat/conversation-list.tsx'
import { jumpTo } from './features/chat/jump.ts'
import { historyCommands } from './features/history/commands.ts'
import { keysCommands } from './features/developer/service-keys/commands.ts'
import { libraryCommands } from './features/library/commands.ts'
import { LibraryAside } from './features/library/library-aside.tsx'
import { LibraryDialogs } from './features/library/library-dialogs.tsx'
import { SearchKeys } from './features/library/search-keys.tsx'
import { localApiCommands } from './features/developer/commands.ts'
import { privacyCommands } from './features/privacy/commands.ts'
import { settingsCommands } from './features/settings/commands.ts'
import { walletCommands } from './features/wallet/commands.ts'
import { Announcer } from './ui/announcer.tsx'
import { api, useSession } from './ui/api.ts'
import { ConfirmationDialog } from './ui/confirmation-dialog.tsx'
import { ConsentDialog } from './ui/consent-dialog.tsx'
import { refreshFaults } from './ui/fault-store.ts'
import { setDensity, setTextSize, textSizeNames } from './ui/appearance.ts'
import { chooseLanguage, directionOf, languageName, useLanguage } from './ui/language/language.ts'
import { lazyComponent } from './ui/lazy-component.tsx'
import { LazyView } from './ui/lazy-view.tsx'
import { LinkDialog } from './ui/link-dialog.tsx'
import { lockFromAnywhere } from './ui/lock.ts'
import { View } from './ui/view.tsx'
import { go, viewsOf, useRoute } from './ui/route.ts'
import { usePrivacySheet } from './ui/seal.ts'
import { NotConnected } from './ui/shell/not-connected.tsx'
import { Notices } from './ui/shell/notices.tsx'
import { Palette } from './ui/shell/palette.tsx'
import type { Command } from './ui/shell/palette-store.ts'
import { viewNames } from './ui/shell/views.tsx'
import { DemoMark } from './ui/shell/demo-mark.tsx'
import { SkipLink } from './ui/shell/sidebar.tsx'
import { Shell } from './ui/shell/shell.tsx'
import { ShortcutSheet, showShortcuts } from './ui/shell/shortcut-sheet.tsx'
import { keysOf } from './ui/shortcuts.ts'
import { refreshStatus, useDirect, useService, useStatus } from './ui/status-store.ts'
import { setTheme, themes, type Theme } from './ui/theme.ts'
import { useShortcut } from './ui/use-shortcut.ts'
import { refreshVerdict } from './ui/verdict-store.ts'

const KeyCalls = lazyComponent(async () => (await import('./features/chat/tools/key-calls.tsx')).KeyCalls)
const Activity = lazyComponent(async () => (await import('./features/history/activity.tsx')).Activity)

/** The views other than the chat view, which is shown first. */
const load = {
  projects: async () =>
    (await import('./features/projects/projects-view.tsx')).createProjectsView({
      useModels: () => useChat((state) => state.models),
      beginIn(project) {
        setProject(project.id)
        if (project.model !== undefined) pickModel(NEW, project.model)
        go({ view: 'chat' })
      },
      reloadChats: () => void loadConversations(),
    }),
  studio: async () => (await import('./features/studio/studio-view.tsx')).StudioView,
  data: async () => (await import('./features/data/data-view.tsx')).LookupsView,
  privacy: async () => (await import('./features/privacy/privacy-view.tsx')).VerificationView,
  developer: async () => (await import('./features/developer/developer-view.tsx')).DeveloperView,
  wallet: async () => (await import('./features/wallet/wallet-view.tsx')).createWalletView(Activity),
  settings: async () => (await import('./features/settings/settings-view.tsx')).SettingsView,
}

/** Shown once or rarely, so loaded on demand. */
const FirstStart = lazyComponent(
  async () => (await import('./features/first-start/first-start.tsx')).FirstStart,
)
const VaultScreen = lazyComponent(async () => (await import('./features/vault/vault-screen.tsx')).VaultScreen)

const PrivacySheet = lazyComponent(
  async () => (await import('./features/privacy/privacy-sheet.tsx')).PrivacySheet,
)

const ReceiptDialog = lazyComponent(async () => (await import('./ui/receipt-dialog.tsx')).ReceiptDialog)

const UpdateNotice = lazyComponent(
  async () => (await import('./features/settings/update-notice.tsx')).UpdateNotice,
)

/** @param direct whether Sotto runs without a service, and so without payments, API keys and account history */
const commands = (direct: boolean): readonly Command[] => [
  ...chatCommands,
  ...libraryCommands,
  ...privacyCommands,
  ...viewsOf(direct).map((view) => ({
    id: `go/${view}`,
    title: goTo(viewNames[view]),
    also: 'open room',
    run: () => go({ view }),
  })),
  ...walletCommands.filter(({ id }) => !direct || id === 'wallet/accounts'),
  ...(direct ? [] : historyCommands),
  ...localApiCommands,
  ...(direct ? [] : keysCommands),
  ...settingsCommands,
  ...themes.map((theme) => ({
    id: `theme/${theme}`,
    title: themeCommand(theme),
    also: 'appearance colour',
    run: () => setTheme(theme),
  })),
  ...languageChoices.map((choice) => ({
    id: `language/${choice}`,
    title: languageCommand(choice),
    also: `language ${choice} ${choice === 'system' ? '' : languageName(choice)}`,
    run: () => void chooseLanguage(choice),
  })),
  {
    id: 'shortcuts',
    title: t`Show keyboard shortcuts`,
    also: 'keyboard shortcuts cheat sheet help',
    keys: keysOf('shortcuts'),
    run: () => showShortcuts(true),
  },
  ...textSizes.map((size) => ({
    id: `text-size/${size}`,
    title: textSizeCommand(textSizeNames[size]),
    also: 'appearance font zoom bigger smaller',
    run: () => setTextSize(size),
  })),
  ...densities.map((density) => ({
    id: `density/${density}`,
    title: density === 'compact' ? t`Density: compact` : t`Density: comfortable`,
    also: 'appearance spacing',
    run: () => setDensity(density),
  })),
]

function goTo(view: string): string {
  return t`Go to ${view}`
}

function themeCommand(theme: Theme): string {
  if (theme === 'system') return t`Theme: system`
  return theme === 'dark' ? t`Theme: dark` : t`Theme: light`
}

function textSizeCommand(size: string): string {
  return t`Text size: ${size}`
}

function languageCommand(choice: 'system' | LanguageTag): string {
  if (choice === 'system') return t`Language: system`
  const language = languageName(choice)
  return t`Language: ${language}`
}

/** The conditions for the views, in order: a session, a status from the core, an open vault and a way to start. */
export function App() {
  const session = useSession((state) => state.state)
  // A change of language renders the whole window again.
  const language = useLanguage((state) => state.tag)
  return (
    // Arrow keys in menus, tabs and similar controls follow the direction of the language.
    <Direction.Provider dir={directionOf(language)}>
      <div className={styles.frame}>
        {session === 'closed' && <NotConnected />}
        {session === 'opening' && <Waiting message={t`Connecting to Sotto…`} />}
        {session === 'open' && <Connected />}
        <Announcer />
      </div>
    </Direction.Provider>
  )
}

const POLL_MS = 5000
const POLL_FAILED_MS = 1500
/**
 * Polling continues in the background, because Sotto may lock itself. Browsers slow timers there to about this interval
 * anyway.
 */
const POLL_HIDDEN_MS = 60_000

function Connected() {
  const status = useStatus((state) => state.status)
  const failed = useStatus((state) => state.failure !== undefined)
  useEffect(() => void refreshStatus(), [])
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (!document.hidden) void refreshStatus()
      },
      failed ? POLL_FAILED_MS : POLL_MS,
    )
    const hidden = setInterval(() => {
      if (document.hidden) void refreshStatus()
    }, POLL_HIDDEN_MS)
    return () => {
      clearInterval(timer)
      clearInterval(hidden)
    }
  }, [failed])
  const { vault, firstStart } = status ?? {}
  const views = vault?.state === 'open' && firstStart !== true
  return (
    <>
      {/* First in the order of Tab, also before links of the demo mark and of notices. */}
      {views && <SkipLink />}
      <DemoMark />
      <Notices>{window.desktop !== undefined && vault?.state === 'open' && <UpdateNotice />}</Notices>
      {!vault && <Waiting message={failed ? '' : t`Opening Sotto…`} />}
      {vault && vault.state !== 'open' && <VaultScreen vault={vault} />}
      {views ? <Views /> : vault?.state === 'open' && <FirstStart />}
      <ConfirmationDialog />
    </>
  )
}

function Views() {
  const { view, conversationId } = useRoute()
  const direct = useDirect()
  const service = useService()
  const offered = viewsOf(direct).includes(view)
  const sheet = usePrivacySheet((state) => state.subject)
  usePrivateModelFirst()
  useShortcut('lock', lockFromAnywhere)
  useShortcut('new-chat', () => go({ view: 'chat' }))
  const title = useChat(({ conversations }) => conversations?.find(({ id }) => id === conversationId)?.title)
  useEffect(() => {
    void loadModels()
    const left = new AbortController()
    void import('./features/chat/follow-conversations.ts').then(({ followConversations }) =>
      followConversations(left.signal),
    )
    return () => left.abort()
  }, [])
  useEffect(() => {
    void refreshVerdict()
    void refreshFaults()
  }, [service])
  return (
    <>
      <Shell
        title={title}
        list={
          <LibraryAside top={<NewChat />} onOpen={(...place) => void showFound(...place)}>
            <ConversationList />
          </LibraryAside>
        }
        below={view !== 'chat' && <UndoBar below />}
      >
        {view === 'chat' && <ChatView key={conversationId ?? ''} conversationId={conversationId} />}
        {view !== 'chat' && !offered && (
          <View title={viewNames[view]}>
            <p>
              <Trans>
                This provider only offers private chat. To use this view, choose another service in Settings.
              </Trans>
            </p>
          </View>
        )}
        {view !== 'chat' && offered && <LazyView key={view} title={viewNames[view]} load={load[view]} />}
      </Shell>
      <Palette commands={commands(direct)} chats={chatPlaces} />
      <SearchKeys onOpen={(...place) => void showFound(...place)} />
      <ListDialogs />
      <LibraryDialogs onTaken={() => void loadConversations()} />
      <LazyReceipt />
      {sheet && <PrivacySheet subject={sheet} />}
      <LinkDialog />
      <ShortcutSheet />
      <ConsentDialog />
      <KeyCalls />
    </>
  )
}

/** The dialog of receipts, loaded when the first is opened. It stays, because a closing dialog returns the focus. */
function LazyReceipt() {
  const open = useRoute().receiptId !== undefined
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  return wasOpen && <ReceiptDialog />
}

/** Opens the conversation at the message, on the branch that has it. */
async function showFound(conversationId: string, messageId: string | undefined): Promise<void> {
  if (messageId !== undefined) {
    await putChanged(api.conversations.show({ conversationId, messageId })).catch(() => undefined)
    showSideBySide(conversationId, undefined)
    jumpTo(messageId)
  }
  go({ view: 'chat', conversationId })
}

function Waiting({ message }: { message: string }) {
  return (
    <main className={styles.waiting}>
      <p role="status">{message}</p>
    </main>
  )
}
