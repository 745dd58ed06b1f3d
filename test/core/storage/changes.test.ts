import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'

const key = new Uint8Array(32).fill(7)

function createFreshStore() {
  const store = createStore({ folder: null, key, now: () => 1_000 })
  onTestFinished(() => store.close())
  return store
}

test('reports each addition, change and removal once', () => {
  const store = createFreshStore()
  expect(store.changes.take()).toBeNull()
  const { id } = store.conversations.create({ title: 'One', private: true, model: 'private/a' })
  const message = store.messages.add({ conversationId: id, role: 'user', text: 'hello', state: 'complete' })
  store.messages.update(message.id, { text: 'hello again' })
  store.conversations.rename(id, 'Two')
  expect(store.changes.take()).toEqual([
    { kind: 'conversation', id },
    { kind: 'message', id: message.id },
  ])
  expect(store.changes.take()).toEqual([])
  store.conversations.remove(id)
  expect(store.changes.take()).toEqual([
    { kind: 'conversation', id },
    { kind: 'message', id: message.id },
  ])
})

test('reports that everything may have changed once a store in memory becomes a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-changes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = createFreshStore()
  store.changes.take()
  store.moveTo(join(folder, 'profile'), key)
  expect(store.changes.take()).toBeNull()
  const { id } = store.conversations.create({ title: 'One', private: false, model: 'open' })
  expect(store.changes.take()).toEqual([{ kind: 'conversation', id }])
})
