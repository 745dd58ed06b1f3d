import { expect, test } from 'vitest'
import { ImportedModels } from '../../../../src/core/conversations/library/import/imported-models.ts'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import type { ImportModels } from '../../../../src/shared/library/import-report.ts'
import { startWorld } from '../../../world.ts'

const chats = [
  { title: 'A', model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi', model: 'gpt-4o' }] },
  { title: 'B', model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi again' }] },
  { title: 'C', messages: [{ role: 'user', content: 'No model' }] },
]

async function importChats(preview: boolean, models?: ImportModels) {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => 1000 })
  const library = createLibrary(store, () => 1000)
  const id = library.beginImport({ preview, models })
  await library.importPiece(id, JSON.stringify(chats))
  const report = library.endImport(id, false)
  const modelsByTitle = Object.fromEntries(
    store.conversations.list().map(({ title, model }) => [title, model]),
  )
  return { report, models: modelsByTitle, privates: store.conversations.list().map((chat) => chat.private) }
}

test('a preview lists the models of the chats, the most frequent first', async () => {
  const { report, models } = await importChats(true)
  expect(report.models).toEqual([
    { name: 'gpt-4o', conversations: 2 },
    { name: '', conversations: 1 },
  ])
  expect(models).toEqual({})
})

test('a choice applies to every chat that names the model, and to no other', async () => {
  const chosen = await importChats(false, [{ from: 'gpt-4o', to: 'private/sandbox-large' }])
  expect(chosen.models).toEqual({ A: 'private/sandbox-large', B: 'private/sandbox-large', C: 'unknown' })
  // The choice doesn't claim that earlier messages were sealed.
  expect(chosen.privates).toEqual([false, false, false])
  const unnamed = await importChats(false, [{ from: '', to: 'sandbox/echo' }])
  expect(unnamed.models).toEqual({ A: 'gpt-4o', B: 'gpt-4o', C: 'sandbox/echo' })
})

test('a file with endless names of models fills neither the memory nor the report', () => {
  const models = new ImportedModels([])
  for (let at = 0; at < 5000; at += 1) models.count(`model ${String(at)}`)
  models.count('model 7')
  expect(models.list()).toHaveLength(50)
  expect(models.list()[0]).toEqual({ name: 'model 7', conversations: 2 })
})

test.each([
  ['without a model to continue with', [{ from: 'a', to: '' }]],
  [
    'for more models than a report lists',
    Array.from({ length: 51 }, (_, at) => ({ from: String(at), to: 'b' })),
  ],
  ['for a name that is too long', [{ from: 'a'.repeat(201), to: 'b' }]],
])('refuses choices %s', async (_, models) => {
  await using world = await startWorld()
  expect(await world.call('library/importBegin', { preview: false, models })).toMatchObject({
    code: 'BAD_REQUEST',
  })
})
