import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from './examples.ts'
import { editFile } from './tampered-file.ts'
import { toolServer, toolStep } from './tool-examples.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-tools-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const open = () => createStore({ folder, key: KEY, now: ticking() })

test('a call that was running when the process ended is unknown, and the others are unchanged', () => {
  const store = open()
  const done = toolStep({ index: 1, state: 'done', outcome: 'result', result: 'r', endedAt: 1 })
  store.tools.putCall(toolStep({ index: 0, state: 'running' }))
  store.tools.putCall(done)
  store.tools.putCall(toolStep({ index: 2 }))
  store.close()
  const again = open()
  expect(again.tools.calls('answer-1').map(({ state }) => state)).toEqual(['unknown', 'done', 'asked'])
  expect(again.tools.calls('answer-1')[1]).toEqual(done)
  expect(again.integrity.changes()).toEqual([])
  again.close()
})

test('a running call can’t be changed to one that was only asked for', () => {
  const store = open()
  store.tools.putCall(toolStep({ state: 'done', outcome: 'result', result: 'r' }))
  store.close()
  editFile(folder, (database) => database.exec("UPDATE tool_calls SET state = 'asked'"))
  const again = open()
  expect(() => again.tools.calls('answer-1')).toThrow(expect.objectContaining({ code: 'store/damaged' }))
  expect(again.integrity.changes()).toEqual([{ table: 'tool_calls', rows: 0 }])
  again.close()
})

test('calls end with their answer, and choices with their chat', () => {
  const store = open()
  const { id } = store.conversations.create({ title: 't', private: true, model: 'm' })
  const answer = store.messages.add({ conversationId: id, role: 'assistant', text: '', state: 'streaming' })
  store.tools.putCall(toolStep({ answerId: answer.id }))
  store.tools.choose(id, ['clock'])
  expect(store.tools.chosen(id)).toEqual(['clock'])
  store.conversations.remove(id)
  expect(store.tools.calls(answer.id)).toEqual([])
  expect(store.tools.chosen(id)).toEqual([])
  store.close()
})

test('a server is replaced by its ID and removed', () => {
  const store = open()
  store.tools.putServer(toolServer('a'))
  store.tools.putServer(toolServer('b', { name: 'memory' }))
  store.tools.putServer(toolServer('a', { network: true }))
  expect(store.tools.servers()).toEqual([
    toolServer('a', { network: true }),
    toolServer('b', { name: 'memory' }),
  ])
  expect(store.tools.removeServer('a')).toBe(true)
  expect(store.tools.removeServer('a')).toBe(false)
  store.close()
})
