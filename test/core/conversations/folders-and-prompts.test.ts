import { expect, it } from 'vitest'
import type { Conversation } from '../../../src/shared/conversation.ts'
import type { Folder, Prompt } from '../../../src/shared/prompt.ts'
import { PLAINTEXT_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

async function begun(world: World, text: string, begin: object = {}): Promise<string> {
  await (
    await world.core.api(
      new Request('http://sotto.invalid/api/chat/send', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ json: { model: PLAINTEXT_MODEL, text, begin } }),
      }),
      windowCaller,
    )
  ).text()
  const [conversation] = (await world.call('conversations/list')) as Conversation[]
  return conversation!.id
}
const code = (name: string) => ({ data: { code: name } })

it('a conversation moves into a folder, branches there, and remains when the folder is deleted', async () => {
  await using world = await startWorld()
  const conversationId = await begun(world, 'hello')
  const work = (await world.call('folders/create', { name: ' Work ' })) as Folder
  expect(work.name).toBe('Work')
  expect(await world.call('conversations/move', { conversationId, folderId: work.id })).toMatchObject({
    folderId: work.id,
  })
  await world.call('conversations/rename', { conversationId, title: 'Renamed' })
  const { conversation: copy } = (await world.call('conversations/fork', { conversationId })) as {
    conversation: Conversation
  }
  expect(copy.folderId).toBe(work.id)
  expect(await world.call('folders/remove', { folderId: work.id })).toEqual({ removed: true })
  expect(await world.call('folders/list')).toEqual([])
  expect(await world.call('conversations/list')).toHaveLength(2)
  // Undone: the folder is that one again, with what was in it.
  expect(await world.call('folders/create', { name: 'Work', folderId: work.id })).toEqual(work)
  expect(await world.call('conversations/get', { conversationId })).toMatchObject({
    conversation: { folderId: work.id, title: 'Renamed' },
  })
  const moved = (await world.call('conversations/move', { conversationId, folderId: null })) as Conversation
  expect(moved.folderId).toBeUndefined()
})

it('folders have unique names, and save whether they are collapsed', async () => {
  await using world = await startWorld()
  const work = (await world.call('folders/create', { name: 'Work' })) as Folder
  const home = (await world.call('folders/create', { name: 'Home' })) as Folder
  expect(await world.call('folders/create', { name: 'wORK' })).toMatchObject(code('folder/name-taken'))
  expect(await world.call('folders/rename', { folderId: home.id, name: 'Work' })).toMatchObject(
    code('folder/name-taken'),
  )
  expect(await world.call('folders/rename', { folderId: home.id, name: 'HOME' })).toMatchObject({
    name: 'HOME',
  })
  expect(await world.call('folders/collapse', { folderId: work.id, collapsed: true })).toEqual({
    ...work,
    collapsed: true,
  })
  expect(await world.call('folders/rename', { folderId: work.id, name: 'Works' })).toEqual({
    id: work.id,
    name: 'Works',
    collapsed: true,
  })
  const unknown = { folderId: 'none' }
  expect(await world.call('folders/rename', { ...unknown, name: 'x' })).toMatchObject(code('folder/unknown'))
  expect(await world.call('folders/collapse', { ...unknown, collapsed: true })).toMatchObject(
    code('folder/unknown'),
  )
  expect(await world.call('folders/remove', unknown)).toEqual({ removed: false })
  expect(await world.call('folders/create', { name: '  ' })).toMatchObject({ code: 'BAD_REQUEST' })
  const conversationId = await begun(world, 'hello', { temporary: true })
  expect(await world.call('conversations/move', { conversationId, ...unknown })).toMatchObject(
    code('folder/unknown'),
  )
  expect(await world.call('conversations/move', { conversationId, folderId: work.id })).toMatchObject({
    folderId: work.id,
    temporary: true,
  })
})

it('prompts are created, changed, deleted and restored', async () => {
  await using world = await startWorld()
  const prompt = (await world.call('prompts/save', {
    name: 'Translate',
    text: 'Into {{language=French}}: {{text}}',
  })) as Prompt
  expect(await world.call('prompts/save', { name: 'translate', text: 'x' })).toMatchObject(
    code('prompt/name-taken'),
  )
  expect(
    await world.call('prompts/save', { promptId: prompt.id, name: 'translate', text: 'changed' }),
  ).toMatchObject({ id: prompt.id, text: 'changed' })
  expect(await world.call('prompts/remove', { promptId: prompt.id })).toEqual({ removed: true })
  expect(await world.call('prompts/remove', { promptId: prompt.id })).toEqual({ removed: false })
  expect(await world.call('prompts/save', { promptId: prompt.id, name: 'Back', text: 'y' })).toMatchObject({
    id: prompt.id,
  })
  expect(await world.call('prompts/list')).toMatchObject([{ id: prompt.id, name: 'Back' }])
  expect(await world.call('prompts/save', { name: '', text: 'x' })).toMatchObject({ code: 'BAD_REQUEST' })
})

it('prompts are imported once each, with unique names, and only up to the limit', async () => {
  await using world = await startWorld()
  await world.call('prompts/save', { name: 'A', text: 'one' })
  const prompts = [
    { name: 'A', text: 'one' },
    { name: 'a', text: 'two' },
    { name: 'A', text: 'three' },
    { name: 'B', text: 'one' },
    { name: 'B', text: 'one' },
  ]
  expect(await world.call('prompts/importItems', { prompts })).toEqual({ added: 3, known: 2 })
  expect(((await world.call('prompts/list')) as Prompt[]).map(({ name }) => name)).toEqual([
    'A',
    'a (2)',
    'A (3)',
    'B',
  ])
  expect(
    await world.call('prompts/importItems', {
      prompts: Array.from({ length: 1997 }, (_, at) => ({ name: `n${String(at)}`, text: 'x' })),
    }),
  ).toMatchObject(code('prompt/too-many'))
  expect(await world.call('prompts/list')).toHaveLength(4)
})
