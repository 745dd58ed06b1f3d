import type { Conversation } from '../../../shared/conversation.ts'
import type { Project } from '../../../shared/project.ts'
import type { Folder } from '../../../shared/prompt.ts'

export type Row =
  | { readonly kind: 'heading'; readonly heading: string }
  | { readonly kind: 'folder'; readonly folder: Folder; readonly count: number }
  | {
      readonly kind: 'conversation'
      readonly conversation: Conversation
      readonly folder: Folder | undefined
    }

/** The view of all projects has the others. */
const MOST_PROJECTS_SHOWN = 5

/** The projects that changed last, newest first. */
export function latestProjects(projects: readonly Project[]): readonly Project[] {
  return projects.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, MOST_PROJECTS_SHOWN)
}

interface Headings {
  readonly pinned: string
  /** The heading of a day. */
  readonly headingOf: (updatedAt: number) => string
}

/**
 * The list from top to bottom: pinned conversations, the folders by name with their conversations, and the rest by day.
 * @param conversations the last changed first
 */
export function rowsOf(
  conversations: readonly Conversation[],
  folders: readonly Folder[],
  { pinned, headingOf }: Headings,
): Row[] {
  const within = new Map(folders.map((folder): [string, Conversation[]] => [folder.id, []]))
  const outside: Conversation[] = []
  for (const conversation of conversations)
    (within.get(conversation.folderId ?? '') ?? outside).push(conversation)
  const rows: Row[] = []
  let heading: string | undefined
  const list = (conversation: Conversation, next: string): void => {
    if (next !== heading) rows.push({ kind: 'heading', heading: next })
    heading = next
    rows.push({ kind: 'conversation', conversation, folder: undefined })
  }
  for (const conversation of outside) if (conversation.pinned) list(conversation, pinned)
  for (const folder of folders.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const members = within.get(folder.id) ?? []
    rows.push({ kind: 'folder', folder, count: members.length })
    if (folder.collapsed) continue
    for (const conversation of members.toSorted(
      (a, b) => Number(b.pinned === true) - Number(a.pinned === true),
    ))
      rows.push({ kind: 'conversation', conversation, folder })
  }
  for (const conversation of outside)
    if (!conversation.pinned) list(conversation, headingOf(conversation.updatedAt))
  return rows
}
