import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Folder, Prompt } from '../../src/shared/prompt.ts'

/** Folders and prompts of the mock core. */
export interface MockShelves {
  folders: Folder[]
  prompts: Prompt[]
}

export function mockShelves(): MockShelves {
  return { folders: [], prompts: [] }
}

interface Parts {
  readonly state: { shelves: MockShelves }
  readonly refuse: (code: ErrorCode) => never
  readonly newId: (prefix: string) => string
}

export function createMockShelves({ state, refuse, newId }: Parts) {
  const getShelves = () => state.shelves
  function put<One extends { readonly id: string }>(list: readonly One[], one: One): One[] {
    return list.some(({ id }) => id === one.id)
      ? list.map((known) => (known.id === one.id ? one : known))
      : [...list, one]
  }
  function putFolder(folder: Folder): Folder {
    if (
      getShelves().folders.some(
        ({ id, name }) => id !== folder.id && name.toLowerCase() === folder.name.toLowerCase(),
      )
    )
      refuse('folder/name-taken')
    getShelves().folders = put(getShelves().folders, folder)
    return folder
  }
  const known = (folderId: string) =>
    getShelves().folders.find(({ id }) => id === folderId) ?? refuse('folder/unknown')
  return {
    folders: () => getShelves().folders,
    createFolder: ({ name, folderId = newId('f') }: { name: string; folderId?: string | undefined }) =>
      putFolder({ id: folderId, name }),
    renameFolder: ({ folderId, name }: { folderId: string; name: string }) =>
      putFolder({ ...known(folderId), name }),
    collapseFolder: ({ folderId, collapsed }: { folderId: string; collapsed: boolean }) =>
      putFolder({ ...known(folderId), collapsed }),
    removeFolder(folderId: string) {
      getShelves().folders = getShelves().folders.filter(({ id }) => id !== folderId)
      return { removed: true }
    },
    prompts: () => getShelves().prompts,
    savePrompt({
      promptId = newId('p'),
      name,
      text,
    }: {
      promptId?: string | undefined
      name: string
      text: string
    }) {
      if (
        getShelves().prompts.some(
          (prompt) => prompt.id !== promptId && prompt.name.toLowerCase() === name.toLowerCase(),
        )
      )
        refuse('prompt/name-taken')
      const prompt: Prompt = { id: promptId, name, text, updatedAt: Date.now() }
      getShelves().prompts = put(getShelves().prompts, prompt)
      return prompt
    },
    removePrompt(promptId: string) {
      getShelves().prompts = getShelves().prompts.filter(({ id }) => id !== promptId)
      return { removed: true }
    },
    importItems(prompts: readonly { readonly name: string; readonly text: string }[]) {
      const before = getShelves().prompts.length
      for (const { name, text } of prompts) {
        if (!getShelves().prompts.some((prompt) => prompt.name === name && prompt.text === text))
          getShelves().prompts = [
            ...getShelves().prompts,
            { id: newId('p'), name, text, updatedAt: Date.now() },
          ]
      }
      const added = getShelves().prompts.length - before
      return { added, known: prompts.length - added }
    },
  }
}
