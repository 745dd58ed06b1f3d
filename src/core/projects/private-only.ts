import type { Conversation, Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { Store } from '../storage/index.ts'

type Projects = { readonly store: Pick<Store, 'projects'> }

/**
 * The one rule of private-only projects. Must be called with the model that the request names, before any text of
 * a conversation leaves. It's stricter than a consent, and no consent changes it.
 *
 * @param projectId of the conversation, or of the one that begins
 * @param model undefined if the content is sent without a seal, such as for speech or to the studio
 * @throws {SottoError} project/private-only – the project is private-only, damaged or unknown, and the model isn't private
 */
export function requireInProject({ store }: Projects, projectId: string | undefined, model?: string): void {
  if (model !== undefined && isPrivateModel(model)) return
  if (isInPrivateProject({ store }, projectId)) throw new SottoError('project/private-only')
}

/** Whether content of this project goes only to private models. A project that can't be found may have been private-only. */
export function isInPrivateProject({ store }: Projects, projectId: string | undefined): boolean {
  if (projectId === undefined) return false
  return store.projects.get(projectId)?.privateOnly ?? true
}

/**
 * Returns a local key with the limits that its project adds: the documents of a private-only project go only to private models.
 * Every route of the proxy reads the limits, so no route can send on what another one returned.
 */
export function withProjectLimits<Key extends { readonly limits: KeyLimits }>(core: Projects, key: Key): Key {
  const { limits } = key
  return isInPrivateProject(core, limits.serverTools?.knowledge)
    ? { ...key, limits: { ...limits, atLeast: 'sealed' } }
    : key
}

/**
 * @returns the instructions that are sent with a conversation: those of its project, then its own; undefined if it has none
 */
export function instructionsOf(
  { store }: Projects,
  { projectId, systemPrompt }: Pick<Conversation, 'projectId' | 'systemPrompt'>,
): string | undefined {
  const shared = projectId === undefined ? undefined : store.projects.get(projectId)?.instructions
  const parts = [shared, systemPrompt].filter((part) => part !== undefined && part.trim() !== '')
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

/** @returns the requests that share a prompt cache: of a temporary chat, of a private-only project, or undefined for those of the window */
export function cacheScopeOf(
  core: Projects,
  { id, temporary, projectId }: Pick<Conversation, 'id' | 'temporary' | 'projectId'>,
): string | undefined {
  if (temporary === true) return id
  return projectId !== undefined && isInPrivateProject(core, projectId) ? `project/${projectId}` : undefined
}

/**
 * Whether any text of the conversation may have been readable by others, also before an import. A part that can't be
 * decrypted may have been.
 */
export function hadPlaintext(
  conversation: Pick<Conversation, 'private' | 'damaged'>,
  messages: readonly Pick<Message, 'role' | 'model' | 'privacy' | 'damaged'>[],
): boolean {
  if (conversation.damaged === true || (!conversation.private && messages.length > 0)) return true
  return messages.some(
    ({ role, model, privacy, damaged }) =>
      damaged === true ||
      privacy === 'forwarded' ||
      privacy === 'relayed' ||
      (role === 'assistant' && !isPrivateModel(model ?? '')),
  )
}
