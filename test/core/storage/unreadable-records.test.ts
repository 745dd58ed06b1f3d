import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { askChat } from '../conversations/ask-chat.ts'

const refused = { data: { code: 'store/damaged' } }

/** Changes one bit of a record while the core runs. */
function flip(world: World, table: 'conversations' | 'messages', id: string): void {
  const database = new DatabaseSync(join(world.folder, 'profiles', 'sandbox', 'sotto.db'))
  const { body } = database.prepare(`SELECT body FROM ${table} WHERE id = ?`).get(id) as { body: Uint8Array }
  body[20] = (body[20] ?? 0) ^ 1
  database.prepare(`UPDATE ${table} SET body = ? WHERE id = ?`).run(body, id)
  database.close()
}

it('in a damaged folder the rest remains usable, the damage is reported, and no damaged data is sent or overwritten', async () => {
  await using world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  })
  const begun = async (text: string): Promise<string> => {
    const { events } = await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text })
    const started = events.find((event) => event.type === 'started')!
    return started.conversation.id
  }
  const [first, second] = [await begun('first'), await begun('the second')]
  const whole = (conversationId: string) =>
    world.call('conversations/get', { conversationId }) as Promise<{
      conversation: Conversation
      messages: Message[]
    }>
  const answer = (await whole(first)).messages[1]!
  flip(world, 'messages', answer.id)

  // A message: the conversation goes on without it.
  expect((await whole(first)).messages.map(({ text, damaged = false }) => [text, damaged])).toEqual([
    ['first', false],
    ['', true],
  ])
  const { events } = await askChat(world, 'chat/send', {
    conversationId: first,
    model: PRIVATE_MODEL,
    text: 'and on',
  })
  expect(events.at(-1)).toMatchObject({ type: 'ended', answer: { state: 'complete', privacy: 'sealed' } })
  const { conversation: fork, messages: copied } = (await world.call('conversations/fork', {
    conversationId: first,
  })) as { conversation: Conversation; messages: Message[] }
  expect(copied.map(({ text }) => text).slice(0, 2)).toEqual(['first', 'and on'])
  expect(fork.private).toBe(true)

  // A conversation: it is listed and its messages are read; it does not go on, in no way.
  flip(world, 'conversations', second)
  expect(
    ((await world.call('conversations/list')) as Conversation[]).find(({ id }) => id === second),
  ).toMatchObject({ damaged: true, private: true })
  expect((await whole(second)).messages[0]?.text).toBe('the second')
  world.sandbox.clearReceived()
  for (const model of [PRIVATE_MODEL, PLAINTEXT_MODEL]) {
    expect(
      (await askChat(world, 'chat/send', { conversationId: second, model, text: 'x' })).error,
    ).toMatchObject(refused)
    expect(
      (
        await askChat(world, 'chat/regenerate', {
          conversationId: second,
          questionId: (await whole(second)).messages[0]!.id,
          model,
        })
      ).error,
    ).toMatchObject(refused)
  }
  for (const [path, more] of [
    ['rename', { title: 'x' }],
    ['pin', { pinned: true }],
    ['fork', {}],
  ] as const) {
    expect(await world.call(`conversations/${path}`, { conversationId: second, ...more })).toMatchObject(
      refused,
    )
  }
  expect(chatRequests(world.sandbox)).toEqual([])
  expect((await whole(second)).messages).toHaveLength(2)
})
