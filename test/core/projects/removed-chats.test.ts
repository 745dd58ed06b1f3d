import { expect, it } from 'vitest'
import type { Conversation } from '../../../src/shared/conversation.ts'
import { PLAINTEXT_MODEL, startWorld, type World } from '../../world.ts'
import { askChat } from '../conversations/ask-chat.ts'
import { beginChat, createProject, refused } from './begin-chat.ts'

/** The refusal of a question to a model that isn't private; undefined if it was answered. */
const askAloud = async (world: World, conversationId: string) =>
  (await askChat(world, 'chat/send', { conversationId, model: PLAINTEXT_MODEL, text: 'aloud' })).error

it('a removed chat with plaintext keeps its project from becoming private-only until it can’t come back', async () => {
  await using world = await startWorld()
  const { id: projectId } = await createProject(world, {})
  const { conversation, question } = await beginChat(world, { projectId }, PLAINTEXT_MODEL)
  const conversationId = conversation.id
  const { id: secret } = await createProject(world, { privateOnly: true })
  for (const removal of [{ conversationId, messageId: question.id }, { conversationId }]) {
    await world.call('conversations/remove', removal)
    expect(await world.call('projects/update', { projectId, privateOnly: true })).toMatchObject(
      refused('project/not-private'),
    )
    if (removal.messageId !== undefined)
      expect(await world.call('projects/move', { conversationId, projectId: secret })).toMatchObject(
        refused('project/not-private'),
      )
    await world.call('conversations/restore', removal)
  }
  expect(await world.call('projects/get', { projectId })).toMatchObject({ privateOnly: false })
})

it.each(['keep', 'delete'])(
  'a removed chat belongs to no project if its project is deleted (%s) before it comes back',
  async (conversations) => {
    await using world = await startWorld()
    const { id: projectId } = await createProject(world, {})
    const chats = [
      await beginChat(world, { projectId }),
      await beginChat(world, { projectId, temporary: true }),
    ]
    const removals = chats.map(({ conversation: { id: conversationId } }) => ({ conversationId }))
    for (const removal of removals) await world.call('conversations/remove', removal)
    expect(await world.call('projects/remove', { projectId, conversations })).toEqual({ removed: true })
    expect(await world.call('conversations/list')).toEqual([])
    for (const removal of removals) {
      const { conversation } = (await world.call('conversations/restore', removal)) as {
        conversation: Conversation
      }
      expect(conversation.projectId).toBeUndefined()
    }
  },
)

it('a removed chat doesn’t leave a private-only project unless a person confirms it', async () => {
  let confirms = false
  await using world = await startWorld({ confirm: () => confirms })
  for (const conversations of ['delete', 'keep']) {
    const { id: projectId } = await createProject(world, { privateOnly: true })
    const { conversation } = await beginChat(world, { projectId })
    const removal = { conversationId: conversation.id }
    await world.call('conversations/remove', removal)
    confirms = false
    const removed = await world.call('projects/remove', { projectId, conversations })
    if (conversations === 'keep') {
      expect(removed).toMatchObject(refused('confirm/refused'))
      confirms = true
      expect(await world.call('projects/remove', { projectId, conversations })).toEqual({ removed: true })
    }
    await world.call('conversations/restore', removal)
    expect(await askAloud(world, conversation.id)).toMatchObject(
      refused(conversations === 'keep' ? 'privacy/consent-required' : 'project/private-only'),
    )
  }
})
