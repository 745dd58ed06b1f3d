import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFolders } from './folder-store.ts'

const FolderDialogs = lazyPart(async () => (await import('./folder-dialogs.tsx')).FolderDialogs)

/** What is opened over the room, from wherever: each is fetched when it is first asked for. */
export function ChatParts() {
  const folder = useFolders((state) => state.asking)
  return (
    <>
      {folder && <FolderDialogs asking={folder} />}
    </>
  )
}
