import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from './examples.ts'

let folder = ''
const opened: Store[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-removals-'))
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(folder, { recursive: true, force: true })
})
function open(place: string | null = folder): Store {
  const store = createStore({ folder: place, key: KEY, now: ticking() })
  opened.push(store)
  return store
}
function reopen(): Store {
  for (const store of opened.splice(0)) store.close()
  return open()
}

/**
 * One question with two answers, and a second question after the first answer. The first two messages have no
 * parent.
 */
function fill(store: Store) {
  const { id: conversationId } = store.conversations.create({ title: 'T', private: true, model: 'private/x' })
  const add = (text: string, role: 'user' | 'assistant', parentId?: string) =>
    store.messages.add({
      conversationId,
      role,
      text,
      state: 'complete',
      ...(parentId !== undefined && { parentId }),
    }).id
  const question = add('question', 'user')
  const first = add('first', 'assistant')
  const second = add('second', 'assistant', question)
  const next = add('next', 'user', first)
  return { conversationId, question, first, second, next }
}
const texts = (store: Store, conversationId: string) =>
  store.messages.of(conversationId).map(({ text }) => text)

describe('removed data', () => {
  test('is hidden from every list and lookup, and shown again when it is restored', () => {
    const store = open(null)
    const { conversationId, first, next } = fill(store)
    const other = fill(store)
    store.changes.take()
    expect(store.removals.hide({ conversationId, messageId: first })).toBe(true)
    expect(texts(store, conversationId)).toEqual(['question', 'second'])
    expect([store.messages.get(first), store.messages.get(next)]).toEqual([null, null])
    expect(store.removals.hide({ conversationId, messageId: next })).toBe(false)
    // A follower of the changes receives these.
    expect(store.changes.take()?.map(({ id }) => id)).toEqual(
      expect.arrayContaining([conversationId, first, next]),
    )

    expect(store.removals.hide({ conversationId })).toBe(true)
    expect(store.removals.hide({ conversationId })).toBe(false)
    expect(store.conversations.list().map(({ id }) => id)).toEqual([other.conversationId])
    expect([store.conversations.get(conversationId), texts(store, conversationId)]).toEqual([null, []])
    expect(() => store.conversations.change(conversationId, { pinned: true })).toThrow(
      expect.objectContaining({ code: 'conversation/unknown' }),
    )

    expect(store.removals.takeBack({ conversationId })).toBe(true)
    expect(store.removals.takeBack({ conversationId })).toBe(false)
    expect(texts(store, conversationId)).toEqual(['question', 'second'])
    expect(store.removals.takeBack({ conversationId, messageId: first })).toBe(true)
    expect(texts(store, conversationId)).toEqual(['question', 'first', 'second', 'next'])
  })

  test('is deleted when its removal is finished, and only if it is hidden', () => {
    const store = open(null)
    const { conversationId, first } = fill(store)
    store.removals.finish({ conversationId })
    store.removals.finish({ conversationId, messageId: first })
    expect(texts(store, conversationId)).toHaveLength(4)
    store.removals.hide({ conversationId, messageId: first })
    store.removals.finish({ conversationId, messageId: first })
    expect(store.removals.takeBack({ conversationId, messageId: first })).toBe(false)
    expect(texts(store, conversationId)).toEqual(['question', 'second'])
  })

  test('is deleted at the next start if it was not restored', () => {
    const store = open()
    const { conversationId, question, second } = fill(store)
    const gone = fill(store)
    store.removals.hide({ conversationId, messageId: second })
    store.removals.hide({ conversationId: gone.conversationId })
    const next = reopen()
    expect(next.removals.takeBack({ conversationId, messageId: second })).toBe(false)
    expect(texts(next, conversationId)).toEqual(['question', 'first', 'next'])
    expect(next.conversations.list().map(({ id }) => id)).toEqual([conversationId])
    expect(next.messages.get(question)).not.toBeNull()
    expect(next.messages.get(gone.question)).toBeNull()
  })
})

test.each(['', 'x', '{}', '[{}]'])(
  'a malformed list of hidden data damages the store, which shows nothing: %j',
  (odd) => {
    const store = open()
    fill(store)
    store.settings.set('removals', odd)
    expect(reopen).toThrow(expect.objectContaining({ code: 'store/damaged' }))
  },
)

test('hidden data remains hidden if other data is damaged at the next start, and the rest opens', () => {
  const store = open()
  const { conversationId, first, second } = fill(store)
  const other = fill(store)
  store.removals.hide({ conversationId, messageId: second })
  store.removals.hide({ conversationId: other.conversationId })
  for (const each of opened.splice(0)) each.close()
  const database = new DatabaseSync(join(folder, 'sotto.db'))
  database.prepare('UPDATE messages SET body = zeroblob(64) WHERE id = ?').run(first)
  database.close()
  const next = open()
  expect(next.conversations.list().map(({ id }) => id)).toEqual([conversationId])
  expect(next.messages.readable(conversationId).map(({ text, damaged = false }) => [text, damaged])).toEqual([
    ['question', false],
    ['', true],
    ['next', false],
  ])
  expect(next.removals.takeBack({ conversationId, messageId: second })).toBe(true)
})

test('a finished removal leaves nothing in the file or its log, not even encrypted', () => {
  const store = open()
  const { conversationId, second } = fill(store)
  const gone = fill(store)
  const database = new DatabaseSync(join(folder, 'sotto.db'))
  const sealed = (table: string, column: string, id: string) =>
    database
      .prepare(`SELECT body FROM ${table} WHERE ${column} = ?`)
      .all(id)
      .map((row) => Buffer.from(row['body'] as Uint8Array))
  const bodies = [
    ...sealed('messages', 'id', second),
    ...sealed('messages', 'conversation_id', gone.conversationId),
    ...sealed('conversations', 'id', gone.conversationId),
  ]
  database.close()
  const left = () =>
    bodies.filter((body) =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(body)),
    ).length
  expect([bodies.length, left()]).toEqual([6, 6])
  for (const removal of [{ conversationId, messageId: second }, { conversationId: gone.conversationId }]) {
    store.removals.hide(removal)
    store.removals.finish(removal)
  }
  expect(left()).toBe(0)
  expect(texts(store, conversationId)).toEqual(['question', 'first', 'next'])
})

test('a change to a conversation is encrypted with the other fields, and an empty value removes a field', () => {
  const store = open()
  const { id } = store.conversations.create({
    title: 'T',
    private: true,
    model: 'private/x',
    systemPrompt: 'Be brief.',
    parameters: { temperature: 0 },
  })
  expect(store.conversations.get(id)).toMatchObject({
    systemPrompt: 'Be brief.',
    parameters: { temperature: 0 },
  })
  const before = store.conversations.get(id)!
  expect(store.conversations.change(id, { pinned: true, leafId: 'm' })).toEqual({
    ...before,
    pinned: true,
    leafId: 'm',
  })
  expect(store.conversations.rename(id, 'Other')).toEqual({
    ...before,
    title: 'Other',
    pinned: true,
    leafId: 'm',
  })
  const next = reopen()
  expect(next.conversations.get(id)).toEqual({ ...before, title: 'Other', pinned: true, leafId: 'm' })
  const { systemPrompt: _, parameters: _parameters, ...bare } = before
  expect(
    next.conversations.change(id, { pinned: false, leafId: null, systemPrompt: '', parameters: {} }),
  ).toEqual({ ...bare, title: 'Other' })
  expect(next.conversations.get(id)).toEqual({ ...bare, title: 'Other' })
})

test('a transaction is all or nothing', () => {
  const store = open(null)
  expect(() =>
    store.atOnce(() => {
      fill(store)
      throw new Error('in the middle')
    }),
  ).toThrow('in the middle')
  expect(store.conversations.list()).toEqual([])
  expect(store.atOnce(() => fill(store)).conversationId).toBe(store.conversations.list()[0]?.id)
})

test('in any order of hiding, restoring and finishing, all data that was not deleted remains, with its ancestors', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ parent: fc.nat(), role: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.record({ act: fc.constantFrom('hide', 'takeBack', 'finish'), which: fc.nat() }), {
        maxLength: 12,
      }),
      (nodes, acts) => {
        using store = Object.assign(createStore({ folder: null, key: KEY, now: ticking() }), {
          [Symbol.dispose]: () => store.close(),
        })
        const { id: conversationId } = store.conversations.create({
          title: 'T',
          private: true,
          model: 'private/x',
        })
        const parents = new Map<string, string | null>()
        for (const { parent, role } of nodes) {
          const known = [null, ...parents.keys()]
          const parentId = known[parent % known.length] ?? null
          parents.set(
            store.messages.add({
              conversationId,
              parentId,
              role: role ? 'user' : 'assistant',
              text: 'x',
              state: 'complete',
            }).id,
            parentId,
          )
        }
        const ids = [...parents.keys()]
        const hidden = new Set<string>()
        const deleted = new Set<string>()
        const under = (id: string, roots: ReadonlySet<string>) => {
          for (let at: string | null = id; at !== null; at = parents.get(at) ?? null)
            if (roots.has(at)) return true
          return false
        }
        for (const { act, which } of acts) {
          const messageId = ids[which % ids.length]!
          const there = !deleted.has(messageId) && !under(messageId, hidden)
          if (act === 'hide') {
            expect(store.removals.hide({ conversationId, messageId })).toBe(there)
            if (there) hidden.add(messageId)
          } else if (act === 'takeBack') {
            expect(store.removals.takeBack({ conversationId, messageId })).toBe(hidden.delete(messageId))
          } else {
            store.removals.finish({ conversationId, messageId })
            if (hidden.delete(messageId))
              for (const id of ids) if (under(id, new Set([messageId]))) deleted.add(id)
          }
          expect(store.messages.of(conversationId).map(({ id }) => id)).toEqual(
            ids.filter((id) => !deleted.has(id) && !under(id, hidden)),
          )
        }
      },
    ),
    { numRuns: 60 },
  )
})
