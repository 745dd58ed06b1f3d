import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { isPrivateOnly } from '../../../src/shared/conversation-tree.ts'
import { KEY, OTHER_KEY, ticking } from './examples.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (key = KEY) => createStore({ folder, key, now: ticking() })
const damaged: unknown = expect.objectContaining({ code: 'store/damaged' })

/** Runs on the file while it is not open elsewhere. */
function onFile<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, 'sotto.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Every row's bytes of content. */
const bytes = () =>
  onFile((database) =>
    ['conversations', 'messages', 'settings'].map((table) =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY 1`)
        .all()
        .map((row) =>
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
          ),
        ),
    ),
  )

function flip(table: 'conversations' | 'messages', id: string): void {
  onFile((database) => {
    const { body } = database.prepare(`SELECT body FROM ${table} WHERE id = ?`).get(id) as {
      body: Uint8Array
    }
    body[20] = (body[20] ?? 0) ^ 1
    database.prepare(`UPDATE ${table} SET body = ? WHERE id = ?`).run(body, id)
  })
}

function fill(store: Store) {
  const [first, second] = ['first', 'second'].map((title) => {
    const { id } = store.conversations.create({ title, private: false, model: 'open/m' })
    const messages = ['a question', 'an answer', 'one more', 'and its answer'].map((text, at) =>
      store.messages.add({
        conversationId: id,
        role: at % 2 === 0 ? 'user' : 'assistant',
        text: `${title}: ${text}`,
        state: 'complete',
        ...(at % 2 === 1 && { model: 'private/m' }),
      }),
    )
    return { id, messages: messages.map((message) => message.id) }
  })
  return { first: first!, second: second! }
}

test('a wrong key opens nothing and changes nothing', () => {
  const store = open()
  const { first } = fill(store)
  store.close()
  const before = bytes()
  expect(() => open(OTHER_KEY)).toThrow(damaged)
  expect(bytes()).toEqual(before)
  const again = open()
  expect(again.messages.of(first.id)).toHaveLength(4)
  again.close()
})

test('an unreadable message is marked in its place, the others are read, and its bytes stay', () => {
  const store = open()
  const { first, second } = fill(store)
  store.close()
  const broken = first.messages[1]!
  flip('messages', broken)
  const before = bytes()

  const changed = open()
  const read = changed.messages.readable(first.id)
  expect(read.map(({ id }) => id)).toEqual(first.messages)
  expect(read.map(({ text }) => text)).toEqual([
    'first: a question',
    '',
    'first: one more',
    'first: and its answer',
  ])
  expect(read[1]).toMatchObject({ damaged: true, state: 'failed', errorCode: 'store/damaged' })
  // A call that needs a whole conversation refuses a damaged one.
  expect(() => changed.messages.of(first.id)).toThrow(damaged)
  expect(() => changed.messages.get(broken)).toThrow(damaged)
  expect(changed.messages.of(second.id)).toHaveLength(4)
  // The unreadable message may have been private.
  expect(isPrivateOnly({ private: false }, read.slice(0, 3))).toBe(true)
  // The damaged record is not overwritten either.
  expect(() => changed.messages.update(broken, { text: 'other' })).toThrow(damaged)
  changed.close()
  expect(bytes()).toEqual(before)
})

test('an unreadable conversation is in the list as damaged, its messages are read, and nothing overwrites it', () => {
  const store = open()
  const { first, second } = fill(store)
  store.close()
  flip('conversations', first.id)
  const before = bytes()

  const changed = open()
  expect(
    changed.conversations
      .list()
      .map(({ id, title, damaged: broken = false, private: isPrivate }) => [id, title, broken, isPrivate]),
  ).toEqual([
    [second.id, 'second', false, false],
    [first.id, '', true, true],
  ])
  expect(changed.conversations.readable(first.id)).toMatchObject({ id: first.id, damaged: true })
  expect(() => changed.conversations.get(first.id)).toThrow(damaged)
  expect(changed.messages.readable(first.id).map(({ text }) => text)[0]).toBe('first: a question')
  for (const write of [
    () => changed.conversations.rename(first.id, 'x'),
    () => changed.conversations.change(first.id, { pinned: true }),
    () => changed.conversations.touch(first.id),
  ])
    expect(write).toThrow(damaged)
  changed.close()
  expect(bytes()).toEqual(before)

  // Only an explicit removal deletes it.
  const last = open()
  expect(last.conversations.remove(first.id)).toBe(true)
  expect(last.conversations.list().map(({ id }) => id)).toEqual([second.id])
  last.close()
})

test('a row that another program wrote is damaged without affecting the others', () => {
  const store = open()
  const { first } = fill(store)
  store.close()
  onFile((database) =>
    database.prepare("UPDATE messages SET state = 'strange' WHERE id = ?").run(first.messages[3]!),
  )
  const changed = open()
  expect(changed.messages.readable(first.id).map(({ damaged: broken = false }) => broken)).toEqual([
    false,
    false,
    false,
    true,
  ])
  changed.close()
})
