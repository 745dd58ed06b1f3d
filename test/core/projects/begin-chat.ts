import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import type { Project } from '../../../src/shared/project.ts'
import { PRIVATE_MODEL, type World } from '../../world.ts'
import { askChat } from '../conversations/ask-chat.ts'

/** The answer of a call that the core refused. */
export const refused = (code: string) => ({ code: 'SOTTO', data: { code } })

/**
 * A new chat, and its first question.
 * @throws {Error} with the refusal
 */
export async function beginChat(
  world: World,
  begin: object = {},
  model = PRIVATE_MODEL,
): Promise<{ conversation: Conversation; question: Message }> {
  const { events, error } = await askChat(world, 'chat/send', { model, text: 'between us', begin })
  const started = events.find((event) => event.type === 'started')
  if (!started) throw new Error(JSON.stringify(error))
  return { conversation: started.conversation, question: started.userMessage }
}

/** A project with this content, or the refusal. */
export async function createProject(world: World, content: object): Promise<Project> {
  return (await world.call('projects/create', { name: 'Work', ...content })) as Project
}
