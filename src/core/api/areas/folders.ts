import { SottoError } from '../../../shared/errors.ts'
import type { Folder } from '../../../shared/prompt.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

const MOST_FOLDERS = 500

/**
 * Answers foldersContract. Names are told apart without regard to case. Throws vault/locked, folder/unknown, folder/name-taken,
 * folder/too-many.
 */
export function foldersArea(core: ApiContext, os: Implementer['folders']) {
  const folders = () => core.open().store.folders
  function known(folderId: string): Folder {
    const folder = folders()
      .list()
      .find(({ id }) => id === folderId)
    if (!folder) throw new SottoError('folder/unknown')
    return folder
  }
  function requireFree(name: string, folderId: string | undefined): void {
    if (
      folders()
        .list()
        .some((folder) => folder.id !== folderId && folder.name.toLowerCase() === name.toLowerCase())
    )
      throw new SottoError('folder/name-taken')
  }
  return {
    list: os.list.handler(() => folders().list()),
    create: os.create.handler(({ input: { name, folderId } }) => {
      requireFree(name, folderId)
      if (folders().list().length >= MOST_FOLDERS) throw new SottoError('folder/too-many')
      return folders().put({ name, ...(folderId !== undefined && { id: folderId }) })
    }),
    rename: os.rename.handler(({ input: { folderId, name } }) => {
      const folder = known(folderId)
      requireFree(name, folderId)
      return folders().put({ ...folder, name })
    }),
    collapse: os.collapse.handler(({ input: { folderId, collapsed } }) =>
      folders().put({ ...known(folderId), collapsed }),
    ),
    remove: os.remove.handler(({ input }) => ({ removed: folders().remove(input.folderId) })),
  }
}
