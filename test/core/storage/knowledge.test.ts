import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from './examples.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = () => createStore({ folder, key: KEY, now: ticking() })
const passage = (number: number) => ({
  number,
  text: `canary text ${String(number)}`,
  place: { page: 1, heading: 'canary heading', line: 1 + number },
  tokens: 3,
})
const begin = (store: ReturnType<typeof open>, projectId = 'project-1') =>
  store.knowledge.begin({ projectId, name: 'canary.pdf', bytes: 10, pages: 2 })

test('a document exists once it is finished, and stays after a restart', () => {
  const store = open()
  const id = begin(store)
  expect(store.knowledge.put(id, [passage(0), passage(1)])).toBe(true)
  expect([store.knowledge.documents('project-1'), store.knowledge.document(id)]).toEqual([[], null])
  const document = store.knowledge.finish(id, 2)
  expect(document).toMatchObject({ id, projectId: 'project-1', name: 'canary.pdf', pages: 2, passages: 2 })
  expect(store.knowledge.put(id, [passage(2)])).toBe(false)
  const unfinished = begin(store)
  store.knowledge.put(unfinished, [passage(0)])
  store.close()

  const again = open()
  expect(again.knowledge.documents('project-1')).toEqual([document])
  expect(again.knowledge.documents('project-2')).toEqual([])
  expect(again.knowledge.passages(id, { from: 1, limit: 5 })).toEqual([passage(1)])
  expect(again.knowledge.passages(unfinished, { from: 0, limit: 5 })).toEqual([])
  again.close()
})

test('no word of a document is in any file, and a removed one is gone', () => {
  const store = open()
  const id = begin(store)
  store.knowledge.put(id, [passage(0)])
  store.knowledge.finish(id, 1)
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name)).includes('canary'), name).toBe(false)
  expect([store.knowledge.remove(id), store.knowledge.remove(id)]).toEqual([true, false])
  expect(store.knowledge.passages(id, { from: 0, limit: 1 })).toEqual([])
  store.knowledge.finish(begin(store, 'project-2'), 0)
  expect([store.knowledge.removeProject('project-2'), store.knowledge.removeProject('project-2')]).toEqual([
    1, 0,
  ])
  store.close()
})

test('a document that another program moved to another project, or a passage to another place, cannot be read', () => {
  const store = open()
  const id = begin(store)
  store.knowledge.put(id, [passage(0), passage(1)])
  store.knowledge.finish(id, 2)
  const other = begin(store)
  store.knowledge.finish(other, 0)
  store.close()
  const database = new DatabaseSync(join(folder, 'sotto.db'))
  database.prepare("UPDATE project_documents SET project_id = 'project-2' WHERE id = ?").run(id)
  database.prepare('UPDATE knowledge_passages SET number = 7 WHERE number = 1').run()
  database.close()

  const again = open()
  expect(again.knowledge.documents('project-2')).toEqual([])
  expect(again.knowledge.documents('project-1')).toMatchObject([{ id: other }])
  const damaged: unknown = expect.objectContaining({ code: 'store/damaged' })
  expect(() => again.knowledge.document(id)).toThrow(damaged)
  expect(() => again.knowledge.passages(id, { from: 1, limit: 9 })).toThrow(damaged)
  again.close()
})
