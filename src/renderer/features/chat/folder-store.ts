import { msg, t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Folder } from '../../../shared/prompt.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import { putChanged } from './chat-store.ts'
import { offerUndo } from './removal.ts'

interface FolderState {
  /** In the order of their creation; undefined until loaded. */
  readonly folders: readonly Folder[] | undefined
  /** The open dialog about a folder, or about the folder of a conversation. */
  readonly asking: FolderQuestion | undefined
}

export type FolderQuestion =
  | { readonly about: 'new' }
  | { readonly about: 'rename'; readonly folder: Folder }
  | {
      readonly about: 'move'
      readonly conversationId: string
      readonly title: string
      readonly folderId: string | undefined
    }

export const useFolders = create<FolderState>()(() => ({ folders: undefined, asking: undefined }))

onServiceChange(() => {
  useFolders.setState({ folders: undefined, asking: undefined })
  void loadFolders()
})

/** If the folders can't be loaded, every conversation is listed outside of them. */
export async function loadFolders(): Promise<void> {
  const still = sameService()
  const folders = await api.folders.list().catch(() => undefined)
  if (folders && still()) useFolders.setState({ folders })
}

export function askAboutFolder(asking: FolderQuestion | undefined): void {
  useFolders.setState({ asking })
}

function putFolder(folder: Folder): Folder {
  useFolders.setState(({ folders = [] }) => ({
    folders: folders.some(({ id }) => id === folder.id)
      ? folders.map((known) => (known.id === folder.id ? folder : known))
      : [...folders, folder],
  }))
  return folder
}

/** Throws what the call throws; so do the functions below. */
export async function createFolder(name: string): Promise<Folder> {
  const still = sameService()
  const folder = await api.folders.create({ name })
  return still() ? putFolder(folder) : folder
}

export async function renameFolder(folderId: string, name: string): Promise<void> {
  const still = sameService()
  const folder = await api.folders.rename({ folderId, name })
  if (still()) putFolder(folder)
}

/** Shown at once. If the core can't save the state, it lasts until the window reloads. */
export async function collapseFolder(folder: Folder, collapsed: boolean): Promise<void> {
  putFolder({ ...folder, collapsed })
  await api.folders.collapse({ folderId: folder.id, collapsed }).catch(() => undefined)
}

export async function moveConversation(conversationId: string, folderId: string | null): Promise<void> {
  const still = sameService()
  await putChanged(api.conversations.move({ conversationId, folderId }))
  if (!still()) return
  const name = useFolders.getState().folders?.find(({ id }) => id === folderId)?.name
  announce(name === undefined ? t`Moved out of the folder.` : t`Moved to “${name}”.`)
}

/** Conversations of the folder move outside. Undo moves them back into the folder. */
export async function removeFolder({ id: folderId, name }: Folder): Promise<void> {
  const still = sameService()
  await api.folders.remove({ folderId })
  if (!still()) return
  useFolders.setState(({ folders }) => ({ folders: folders?.filter(({ id }) => id !== folderId) }))
  offerUndo(msg`Folder “${name}” deleted. Its chats remain.`, UNDO_MS, () => restoreFolder(name, folderId))
}

async function restoreFolder(name: string, folderId: string): Promise<void> {
  const still = sameService()
  const folder = await api.folders.create({ name, folderId })
  if (still()) putFolder(folder)
}

const UNDO_MS = 30_000
