import { lazyComponent } from '../../ui/lazy-component.tsx'
import { useProjects } from '../../ui/project-store.ts'
import { useRoute } from '../../ui/route.ts'
import { NEW } from './chat-store.ts'
import { useFolders } from './folder-store.ts'
import { usePrompts } from './prompts/prompt-store.ts'

const FolderDialogs = lazyComponent(async () => (await import('./folder-dialogs.tsx')).FolderDialogs)
const ProjectDialog = lazyComponent(async () => (await import('./project-dialog.tsx')).ProjectDialog)
const PromptLibrary = lazyComponent(async () => (await import('./prompts/prompt-library.tsx')).PromptLibrary)
const VariableForm = lazyComponent(async () => (await import('./prompts/variable-form.tsx')).VariableForm)

/** Dialogs that can open over any part of the chat view. Each is loaded when it is first needed. */
export function ChatParts() {
  const draft = useRoute().conversationId ?? NEW
  const library = usePrompts((state) => state.library)
  const filling = usePrompts((state) => state.filling)
  return (
    <>
      {library && <PromptLibrary draft={draft} />}
      {filling && <VariableForm {...filling} />}
    </>
  )
}

/** Dialogs of the chat list, which can open over any view. */
export function ListDialogs() {
  const moving = useProjects((state) => state.moving)
  const folder = useFolders((state) => state.asking)
  return (
    <>
      {folder && <FolderDialogs asking={folder} />}
      {moving && <ProjectDialog {...moving} />}
    </>
  )
}
