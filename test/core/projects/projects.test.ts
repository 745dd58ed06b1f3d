import { expect, it, vi } from 'vitest'
import type * as plans from '../../../src/sandbox/chat/plan.ts'
import type { ChatRequest } from '../../../src/sandbox/chat/request.ts'
import type { Conversation } from '../../../src/shared/conversation.ts'
import type { Project } from '../../../src/shared/project.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { addProject } from '../../../src/core/projects/change-project.ts'
import { cacheScopeOf, hadPlaintext, requireInProject } from '../../../src/core/projects/private-only.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld } from '../../world.ts'
import { askChat } from '../conversations/ask-chat.ts'
import { beginChat, createProject, refused } from './begin-chat.ts'

/** The requests as the enclave read them after decryption, or the service. */
const read: ChatRequest[] = []
vi.mock('../../../src/sandbox/chat/plan.ts', async (original) => {
  const plan = await original<typeof plans>()
  return {
    ...plan,
    planCompletion: (...[request, model, now]: Parameters<typeof plan.planCompletion>) => {
      read.push(request)
      return plan.planCompletion(request, model, now)
    },
  }
})

it('a project is created, changed and deleted, and its chats stay if asked', async () => {
  await using world = await startWorld()
  const project = await createProject(world, {
    name: ' Work ',
    instructions: 'Be brief.',
    model: PRIVATE_MODEL,
  })
  expect(project).toMatchObject({ name: 'Work', privateOnly: false, model: PRIVATE_MODEL })
  expect(await world.call('projects/list')).toEqual([project])
  const { id: projectId } = project
  expect(await world.call('projects/update', { projectId, name: 'Home', model: null })).toMatchObject({
    name: 'Home',
    instructions: 'Be brief.',
  })
  expect(await world.call('projects/get', { projectId })).not.toHaveProperty('model')
  const unknown = { projectId: 'none' }
  expect(await world.call('projects/get', unknown)).toMatchObject(refused('project/unknown'))
  expect(await world.call('projects/update', { ...unknown, name: 'x' })).toMatchObject(
    refused('project/unknown'),
  )
  expect(await world.call('projects/create', { name: '  ' })).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await world.call('projects/create', { name: 'x'.repeat(201) })).toMatchObject({
    code: 'BAD_REQUEST',
  })
  const { conversation } = await beginChat(world, { projectId })
  expect(await world.call('projects/remove', { projectId, conversations: 'keep' })).toEqual({ removed: true })
  const { conversation: remaining } = (await world.call('conversations/get', {
    conversationId: conversation.id,
  })) as { conversation: Conversation }
  expect(remaining.projectId).toBeUndefined()
  const other = await createProject(world, {})
  await world.call('projects/move', { conversationId: conversation.id, projectId: other.id })
  await world.call('projects/remove', { projectId: other.id, conversations: 'delete' })
  expect(await world.call('conversations/list')).toEqual([])
})

it('at most 200 projects are stored', () => {
  const store = createStore({ folder: null, key: new Uint8Array(32).fill(1), now: () => 1 })
  const content = { name: 'A project', instructions: '', privateOnly: false }
  for (let at = 0; at < 200; at += 1) addProject({ store }, content)
  expect(() => addProject({ store }, content)).toThrow(expect.objectContaining({ code: 'project/too-many' }))
  store.close()
})

it('its instructions are sent before those of the chat, and its parameters apply to new chats', async () => {
  await using world = await startWorld()
  const { id: projectId } = await createProject(world, {
    instructions: 'Be brief.',
    parameters: { temperature: 0.5 },
  })
  read.splice(0)
  const { conversation } = await beginChat(world, { projectId, systemPrompt: 'In French.' })
  expect(conversation).toMatchObject({
    projectId,
    parameters: { temperature: 0.5 },
    systemPrompt: 'In French.',
  })
  expect(read.at(-1)?.messages[0]).toMatchObject({ role: 'system', content: 'Be brief.\n\nIn French.' })
  const { conversation: copy } = (await world.call('conversations/fork', {
    conversationId: conversation.id,
  })) as { conversation: Conversation }
  expect(copy.projectId).toBe(projectId)
})

it('leaving a private-only project needs a confirmation outside the window', async () => {
  const asked: string[] = []
  let answer = false
  await using world = await startWorld({
    confirm: (text) => {
      asked.push(text)
      return answer
    },
  })
  const { id: projectId } = await createProject(world, { name: 'Secret', privateOnly: true })
  const { conversation } = await beginChat(world, { projectId })
  const conversationId = conversation.id
  const open = await createProject(world, {})
  const ways = [
    () => world.call('projects/update', { projectId, privateOnly: false }),
    () => world.call('projects/move', { conversationId, projectId: null }),
    () => world.call('projects/move', { conversationId, projectId: open.id }),
    () => world.call('projects/remove', { projectId, conversations: 'keep' }),
  ]
  for (const way of ways) expect(await way()).toMatchObject(refused('confirm/refused'))
  expect(asked).toHaveLength(4)
  expect(asked.every((text) => text.includes('Secret'))).toBe(true)
  expect(await world.call('projects/get', { projectId })).toMatchObject({ privateOnly: true })
  const other = await createProject(world, { privateOnly: true })
  expect(await world.call('projects/move', { conversationId, projectId: other.id })).toMatchObject({
    projectId: other.id,
  })
  expect(asked).toHaveLength(4)
  answer = true
  expect(await world.call('projects/update', { projectId, privateOnly: false })).toMatchObject({
    privateOnly: false,
  })
})

it('a chat with plaintext can’t be in a private-only project', async () => {
  await using world = await startWorld()
  const { id: projectId } = await createProject(world, {})
  const { conversation } = await beginChat(world, { projectId }, PLAINTEXT_MODEL)
  const conversationId = conversation.id
  expect(await world.call('projects/update', { projectId, privateOnly: true })).toMatchObject(
    refused('project/not-private'),
  )
  const { id: secret } = await createProject(world, { privateOnly: true })
  expect(await world.call('projects/move', { conversationId, projectId: secret })).toMatchObject(
    refused('project/not-private'),
  )
  expect(await world.call('projects/move', { conversationId, projectId: 'none' })).toMatchObject(
    refused('project/unknown'),
  )
  await world.call('projects/move', { conversationId, projectId: null })
  expect(await world.call('projects/update', { projectId, privateOnly: true })).toMatchObject({
    privateOnly: true,
  })
  expect(
    (await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'x', begin: { projectId: 'none' } }))
      .error,
  ).toMatchObject(refused('project/unknown'))
})

it('counts a part that can’t be read, and an answer of an unknown model, as plaintext', () => {
  const answer = { role: 'assistant', model: PRIVATE_MODEL, privacy: 'sealed' } as const
  expect(hadPlaintext({ private: true }, [{ role: 'user' }, answer])).toBe(false)
  expect(hadPlaintext({ private: false }, [])).toBe(false)
  for (const other of [
    { ...answer, damaged: true as const },
    { ...answer, privacy: 'forwarded' as const },
    { ...answer, privacy: 'relayed' as const },
    { ...answer, model: PLAINTEXT_MODEL },
    { role: 'assistant' as const },
  ])
    expect(hadPlaintext({ private: true }, [answer, other])).toBe(true)
  expect(hadPlaintext({ private: false }, [answer])).toBe(true)
  expect(hadPlaintext({ private: true, damaged: true }, [])).toBe(true)
})

it('an unknown project counts as private-only, and private-only projects have their own prompt cache', () => {
  const store = createStore({ folder: null, key: new Uint8Array(32).fill(1), now: () => 1 })
  const refusal: unknown = expect.objectContaining({ code: 'project/private-only' })
  expect(() => requireInProject({ store }, 'gone', PLAINTEXT_MODEL)).toThrow(refusal)
  requireInProject({ store }, 'gone', PRIVATE_MODEL)
  requireInProject({ store }, undefined, PLAINTEXT_MODEL)
  const put = (privateOnly: boolean): Project =>
    store.projects.put({ name: 'A project', instructions: '', privateOnly })
  const [secret, open] = [put(true), put(false)]
  const scope = (projectId: string | undefined, temporary = false) =>
    cacheScopeOf({ store }, { id: 'chat', ...(projectId && { projectId }), temporary })
  expect([scope(secret.id), scope(open.id), scope(undefined), scope(secret.id, true)]).toEqual([
    `project/${secret.id}`,
    undefined,
    undefined,
    'chat',
  ])
  store.close()
})

it('a budget refuses a message that could cost more, before anything leaves; raising it is confirmed', async () => {
  const questions: string[] = []
  await using world = await startWorld({
    confirm: (question) => {
      questions.push(question)
      return true
    },
  })
  const budget = { picoUsd: '1', period: 'month' } as const
  const { id: projectId } = await createProject(world, { budget })
  const { events } = await askChat(world, 'chat/send', {
    model: PRIVATE_MODEL,
    text: 'between us',
    begin: { projectId },
  })
  expect(events.at(-1)).toMatchObject({
    type: 'ended',
    failure: { code: 'project/budget-exceeded' },
    answer: { privacy: 'refused', errorCode: 'project/budget-exceeded' },
  })
  expect(chatRequests(world.sandbox)).toEqual([])
  await world.call('projects/update', { projectId, budget: { picoUsd: '0', period: 'month' } })
  expect(questions).toEqual([])
  const most = { picoUsd: '1000000000000000', period: 'month' }
  expect(await world.call('projects/update', { projectId, budget: most })).toMatchObject({ budget: most })
  await world.call('projects/update', { projectId, name: 'Home' })
  expect(questions).toEqual(['Let chats of the project “Work” spend more?'])
  await beginChat(world, { projectId })
  await vi.waitFor(async () => {
    const spending = (await world.call('projects/spending', { projectId })) as {
      spent: string
      reserved: string
    }
    expect([Number(spending.spent) > 0, spending.reserved]).toEqual([true, '0'])
  })
  expect(await world.call('projects/update', { projectId, budget: null })).not.toHaveProperty('budget')
  expect(questions).toHaveLength(2)
})
