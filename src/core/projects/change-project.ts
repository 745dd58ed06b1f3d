import type { Conversation } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { MOST_PROJECTS, type Project } from '../../shared/project.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { hadPlaintext, isInPrivateProject } from './private-only.ts'

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

/**
 * The conversations of a project, the last changed first: also temporary ones, and those that were removed but can be
 * restored, because they would come back to the project.
 */
export function conversationsIn(
  { conversations }: Pick<Core, 'conversations'>,
  projectId: string,
): Conversation[] {
  return conversations.withRemoved(() => conversations.list().filter(isIn(projectId)))
}

function isIn(id: string): (conversation: Conversation) => boolean {
  return ({ projectId }) => projectId === id
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
  const { conversations, answers, store } = core
  if (withConversations)
    for (const { id, temporary } of conversations.list().filter(isIn(projectId))) {
      answers.stopIn(id)
      if (temporary === true) conversations.endTemporary([id])
      else conversations.remove({ conversationId: id })
    }
  // Nothing was asked about those of a private-only project, so that they still count as private-only when restored.
  if (!withConversations || !isInPrivateProject(core, projectId))
    conversations.withRemoved(() => {
      for (const { id } of conversationsIn(core, projectId)) conversations.change(id, { projectId: null })
    })
  return store.projects.remove(projectId)
}

/** Includes removed conversations and messages that can be restored. */
function requireNoPlaintext({ conversations }: Pick<Core, 'conversations'>, conversationId: string): void {
  const { conversation, messages } = conversations.withRemoved(() => conversations.get(conversationId))
  if (hadPlaintext(conversation, messages)) throw new SottoError('project/not-private')
}
