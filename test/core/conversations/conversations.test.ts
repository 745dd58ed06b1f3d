import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createConversations, type Conversations } from '../../../src/core/conversations/conversations.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from '../storage/examples.ts'

let folder = ''
const opened: Disposable[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-conversations-'))
})
afterEach(() => {
  close()
  rmSync(folder, { recursive: true, force: true })
})
function close(): void {
  for (const one of opened.splice(0).toReversed()) one[Symbol.dispose]()
}
function open(): { store: Store; conversations: Conversations } {
  const [store, memory] = [folder, null].map((place) => {
    const created = createStore({ folder: place, key: KEY, now: ticking() })
    opened.push({ [Symbol.dispose]: () => created.close() })
    return created
  }) as [Store, Store]
  const conversations = createConversations(store, memory)
  opened.push(conversations)
  return { store, conversations }
}

/** A question, its reply, and the next question, which is not sent with what came before it. */
function fill(store: Store) {
  const { id: conversationId } = store.conversations.create({ title: 'T', private: true, model: 'private/x' })
  const [question, reply, next] = ['question', 'reply', 'next'].map(
    (text) => store.messages.add({ conversationId, role: 'user', text, state: 'complete' }).id,
  ) as [string, string, string]
  return { conversationId, question, reply, next }
}
const shown = (conversations: Conversations, id: string) => {
  const { conversation, messages } = conversations.get(id)
  return { ...conversation, texts: messages.map(({ text }) => text) }
}

/** Refuses every change of a conversation, as a disk does that becomes full between two writes. */
function failing(work: () => void): void {
  const file = new DatabaseSync(join(folder, 'sotto.db'))
  file.exec(
    "CREATE TRIGGER refusal BEFORE UPDATE OF body ON conversations BEGIN SELECT RAISE(ABORT, 'refused'); END",
  )
  try {
    expect(work).toThrow('refused')
  } finally {
    file.exec('DROP TRIGGER refusal')
    file.close()
  }
}

it('a removal that can’t be written whole removes nothing, also after a restart', () => {
  const { store, conversations } = open()
  const { conversationId, reply } = fill(store)
  conversations.cut(conversationId, reply, 'A summary.')
  const before = shown(conversations, conversationId)
  const removal = { conversationId, messageId: reply }
  failing(() => conversations.remove(removal))
  expect(shown(conversations, conversationId)).toEqual(before)
  expect(() => conversations.restore(removal)).toThrow(
    expect.objectContaining({ code: 'conversation/unknown' }),
  )
  close()
  const next = open().conversations
  expect(shown(next, conversationId)).toEqual(before)
  expect(next.remove(removal).removed).toBe(true)
  expect(shown(next, conversationId).texts).toEqual(['question'])
})

it('an undo that can’t be written whole can be tried again', () => {
  const { store, conversations } = open()
  const { conversationId, reply } = fill(store)
  const removal = { conversationId, messageId: reply }
  conversations.remove(removal)
  failing(() => conversations.restore(removal))
  expect(shown(conversations, conversationId).texts).toEqual(['question'])
  conversations.restore(removal)
  expect(shown(conversations, conversationId)).toMatchObject({
    leafId: reply,
    texts: ['question', 'reply', 'next'],
  })
})

it('an undo brings back the context cut with its summary, unless there is another one', () => {
  const { store, conversations } = open()
  const { conversationId, question, reply, next } = fill(store)
  conversations.cut(conversationId, reply, 'A summary.')
  const { contextCut } = shown(conversations, conversationId)
  const removal = { conversationId, messageId: reply }
  conversations.remove(removal)
  expect(shown(conversations, conversationId).contextCut).toBeUndefined()
  conversations.restore(removal)
  expect(shown(conversations, conversationId).contextCut).toEqual(contextCut)

  conversations.remove(removal)
  conversations.cut(conversationId, question)
  conversations.restore(removal)
  expect(shown(conversations, conversationId).contextCut).toEqual({ messageId: question })

  // A removal that didn't end the cut doesn't write it back.
  conversations.cut(conversationId, reply, 'A summary.')
  conversations.remove({ conversationId, messageId: next })
  conversations.cut(conversationId, null)
  conversations.restore({ conversationId, messageId: next })
  expect(shown(conversations, conversationId).contextCut).toBeUndefined()
})

it('a summary doesn’t come back as long as a message before the cut is removed', () => {
  const { store, conversations } = open()
  const { conversationId, question, reply } = fill(store)
  conversations.cut(conversationId, reply, 'A summary.')
  conversations.remove({ conversationId, messageId: reply })
  conversations.remove({ conversationId, messageId: question })
  conversations.restore({ conversationId, messageId: reply })
  expect(shown(conversations, conversationId)).not.toHaveProperty('contextCut')
})
