import { t } from '@lingui/core/macro'
import { currentRoute, go } from '../../ui/route.ts'
import { keysOf } from '../../ui/shortcuts.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { fork, reportFailures } from './branches.ts'
import { pinConversation, setTemporary, useChat } from './chat-store.ts'
import { openDialog } from './conversation-dialogs.tsx'
import { showFindBar } from './find/find-store.ts'
import { askAboutFolder } from './folder-store.ts'
import { showPicker } from './picker-store.ts'
import { showPromptLibrary } from './prompts/prompt-store.ts'
import { removeConversation, undoRemoval } from './removal.ts'

/** Runs `act` with the open conversation, if any. */
function withOpen(
  act: (conversation: {
    readonly id: string
    readonly title: string
    readonly pinned: boolean
    readonly folderId: string | undefined
  }) => void,
): void {
  const { view, conversationId } = currentRoute()
  const conversation = useChat.getState().conversations?.find(({ id }) => id === conversationId)
  if (view === 'chat' && conversation)
    act({
      id: conversation.id,
      title: conversation.title,
      pinned: conversation.pinned === true,
      folderId: conversation.folderId,
    })
}

/** Opens the picker of the chat view's composer, once the view is shown. */
function pickIn(how: Parameters<typeof showPicker>[0]): void {
  if (currentRoute().view !== 'chat') go({ view: 'chat' })
  // When the palette closes, it moves the focus back, which would take it from the picker.
  setTimeout(() => showPicker(how))
}

/** Chats as commands, so that the palette finds them by title. */
export function chatPlaces(): readonly Command[] {
  return (useChat.getState().conversations ?? [])
    .filter(({ damaged }) => damaged !== true)
    .map(({ id, title }) => ({
      id: `chat/${id}`,
      title,
      run: () => go({ view: 'chat', conversationId: id }),
    }))
}

export const chatCommands: readonly Command[] = [
  {
    id: 'chat/new',
    get title() {
      return t`New chat`
    },
    also: 'chat write',
    keys: keysOf('new-chat'),
    run: () => go({ view: 'chat' }),
  },
  {
    id: 'chat/temporary',
    get title() {
      return t`New temporary chat`
    },
    also: 'chat write incognito never stored',
    run: () => {
      setTemporary(true)
      go({ view: 'chat' })
    },
  },
  {
    id: 'chat/model',
    get title() {
      return t`Choose a model`
    },
    also: 'chat picker favourite filter details',
    run: () => pickIn({}),
  },
  {
    id: 'chat/compare',
    get title() {
      return t`Compare models`
    },
    also: 'chat side by side several answers',
    run: () => pickIn({ comparing: true }),
  },
  {
    id: 'chat/settings',
    get title() {
      return t`Chat settings`
    },
    also: 'chat system prompt instructions temperature parameters reasoning',
    run: () => {
      if (currentRoute().view === 'chat') openDialog('settings')
    },
  },
  {
    id: 'chat/find',
    get title() {
      return t`Find in this chat`
    },
    also: 'chat search text',
    keys: keysOf('find'),
    run: () => withOpen(showFindBar),
  },
  {
    id: 'chat/rename',
    get title() {
      return t`Rename this chat`
    },
    also: 'chat title',
    run: () => withOpen(() => openDialog('rename')),
  },
  {
    id: 'chat/pin',
    get title() {
      return t`Pin or unpin this chat`
    },
    also: 'chat keep top',
    run: () => withOpen(({ id, pinned }) => void reportFailures(id, () => pinConversation(id, !pinned))),
  },
  {
    id: 'chat/move',
    get title() {
      return t`Move this chat to a folder`
    },
    also: 'chat folder group',
    run: () =>
      withOpen(({ id, title, folderId }) =>
        askAboutFolder({ about: 'move', conversationId: id, title, folderId }),
      ),
  },
  {
    id: 'chat/folder',
    get title() {
      return t`New chat folder`
    },
    also: 'chat create group',
    run: () => askAboutFolder({ about: 'new' }),
  },
  {
    id: 'chat/prompts',
    get title() {
      return t`Prompts`
    },
    also: 'chat library template snippet variables slash',
    run: () => {
      if (currentRoute().view === 'chat') showPromptLibrary(true)
    },
  },
  {
    id: 'chat/fork',
    get title() {
      return t`Branch this chat`
    },
    also: 'chat copy branch',
    run: () => withOpen(({ id }) => void fork(id)),
  },
  {
    id: 'chat/delete',
    get title() {
      return t`Delete this chat`
    },
    also: 'chat remove',
    run: () => withOpen(({ id, title }) => void removeConversation(id, title)),
  },
  {
    id: 'chat/undo',
    get title() {
      return t`Undo delete`
    },
    also: 'chat restore take back',
    run: () => void undoRemoval(),
  },
]
