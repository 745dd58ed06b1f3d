import type { Conversation } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { MOST_PROJECTS, type Project } from '../../shared/project.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { hadPlaintext } from './private-only.ts'

type Core = Pick<UnlockedCore, 'store' | 'conversations' | 'answers'>

/** The members of a project that a person writes. */
type ProjectContent = Omit<Project, 'id' | 'createdAt' | 'updatedAt' | 'damaged'>

/** @throws {SottoError} project/unknown */
export function projectOf({ store }: Pick<Core, 'store'>, projectId: string): Project {
  const project = store.projects.get(projectId)
  if (!project) throw new SottoError('project/unknown')
  return project
}

/** @throws {SottoError} project/too-many */
export function addProject({ store }: Pick<Core, 'store'>, content: ProjectContent): Project {
  if (store.projects.list().length >= MOST_PROJECTS) throw new SottoError('project/too-many')
  return store.projects.put(content)
}

/**
 * Writes the project. Switching private-only on checks its conversations; switching it off must be confirmed before.
 * @throws {SottoError} project/unknown, project/not-private
 */
export function writeProject(core: Core, projectId: string, content: ProjectContent): Project {
  const former = projectOf(core, projectId)
  if (content.privateOnly && !former.privateOnly)
    for (const { id } of conversationsIn(core, projectId)) requireNoPlaintext(core, id)
  return core.store.projects.put({ ...content, id: projectId })
}

/** The conversations of a project, also temporary ones, the last changed first. */
export function conversationsIn(
  { conversations }: Pick<Core, 'conversations'>,
  projectId: string,
): Conversation[] {
  return conversations.list().filter((conversation) => conversation.projectId === projectId)
}

/**
 * Moves a conversation into a project, or out of all. Leaving a private-only project must be confirmed before.
 * @throws {SottoError} conversation/unknown, project/unknown, project/not-private
 */
export function moveToProject(core: Core, conversationId: string, projectId: string | null): Conversation {
  if (projectId !== null && projectOf(core, projectId).privateOnly) requireNoPlaintext(core, conversationId)
  return core.conversations.change(conversationId, { projectId })
}

/**
 * Deletes a project. Its conversations stay without a project, or are deleted with it.
 * @returns false if it doesn't exist
 */
export function removeProject(core: Core, projectId: string, withConversations: boolean): boolean {
  for (const { id, temporary } of conversationsIn(core, projectId)) {
    if (!withConversations) core.conversations.change(id, { projectId: null })
    else {
      core.answers.stopIn(id)
      if (temporary === true) core.conversations.endTemporary([id])
      else core.conversations.remove({ conversationId: id })
    }
  }
  return core.store.projects.remove(projectId)
}

function requireNoPlaintext({ conversations }: Pick<Core, 'conversations'>, conversationId: string): void {
  const { conversation, messages } = conversations.get(conversationId)
  if (hadPlaintext(conversation, messages)) throw new SottoError('project/not-private')
}
