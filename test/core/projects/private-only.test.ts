import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import { isContractProcedure, type ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../../src/shared/contract/sotto-contract.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'
import { askChat } from '../conversations/ask-chat.ts'
import { beginChat, createProject, refused } from './begin-chat.ts'

let world: World
let projectId: string
let conversationId: string
let questionId: string
beforeAll(async () => {
  world = await startWorld()
  ;({ id: projectId } = await createProject(world, { privateOnly: true }))
  const { conversation, question } = await beginChat(world, { projectId })
  conversationId = conversation.id
  questionId = question.id
})
afterAll(() => world[Symbol.asyncDispose]())

/** The error of a call in the private-only project that would send its content where the service can read it. */
type Attempt = () => Promise<unknown>
const ask = async (path: 'chat/send' | 'chat/regenerate', input: object) =>
  (await askChat(world, path, { model: PLAINTEXT_MODEL, ...input })).error
const stream = async (path: string, input: object) => (await askChat(world, path as 'chat/send', input)).error
const speak = async (input: object) => {
  const { readingId } = (await world.call('voice/prepare', { text: 'between us', ...input })) as {
    readingId: string
  }
  return world.call('voice/speak', { readingId, piece: 0 })
}
const image = { kind: 'image', model: 'flux', prompt: 'between us' }

/**
 * Every procedure that names a conversation or a project. `local`: it sends nothing to a model or a service. Otherwise
 * each attempt must be refused. A new procedure fails the test below until it's classified here.
 */
const procedures: Readonly<Record<string, 'local' | readonly Attempt[]>> = {
  'chat/send': [
    () => ask('chat/send', { text: 'aloud', begin: { projectId } }),
    () => ask('chat/send', { text: 'aloud', begin: { projectId, temporary: true } }),
    () => ask('chat/send', { conversationId, text: 'aloud' }),
    () => ask('chat/send', { conversationId, text: 'aloud', consentId: 'any' }),
    () => ask('chat/send', { conversationId, text: 'aloud', comparing: true }),
    () => ask('chat/send', { conversationId, text: 'aloud', webSearch: { maxResults: 3 } }),
  ],
  'chat/regenerate': [
    () => ask('chat/regenerate', { conversationId, questionId }),
    () => ask('chat/regenerate', { conversationId, questionId, comparing: true, consentId: 'any' }),
  ],
  'chat/addImage': [
    () => world.call('chat/addImage', { jobId: 'any', conversationId }),
    () => world.call('chat/addImage', { jobId: 'any', model: PRIVATE_MODEL, begin: { projectId } }),
  ],
  // Needs a journal of calls. test/core/tools/resume.test.ts shows its refusal.
  'chat/resume': [],
  'chat/summarize': [
    () => stream('chat/summarize', { conversationId, messageId: questionId, model: PLAINTEXT_MODEL }),
  ],
  'consents/preview': [
    ...(['continue', 'compare', 'web-search', 'dictate', 'read-aloud', 'studio'] as const).map(
      (purpose) => () =>
        world.call('consents/preview', { conversationId, purpose, models: [PLAINTEXT_MODEL] }),
    ),
    () =>
      world.call('consents/preview', { conversationId: 'new', projectId, purpose: 'dictate', models: [] }),
  ],
  'voice/prepare': [() => speak({ conversationId })],
  'voice/transcribe': [() => transcribe({ conversationId }), () => transcribe({ projectId })],
  'studio/start': [
    () => world.call('studio/start', { pay: 'balance', ask: { ...image, from: { conversationId } } }),
  ],
  'studio/upload/attached': [
    () => world.call('studio/upload/attached', { conversationId, attachmentId: 'any' }),
  ],
  // Nothing of the content is sent for an estimate.
  'studio/estimate': 'local',
  'chat/follow': 'local',
  'chat/countTokens': 'local',
  'conversations/list': 'local',
  'conversations/get': 'local',
  'conversations/rename': 'local',
  'conversations/pin': 'local',
  'conversations/move': 'local',
  'conversations/configure': 'local',
  'conversations/trim': 'local',
  'conversations/show': 'local',
  'conversations/fork': 'local',
  'conversations/remove': 'local',
  'conversations/restore': 'local',
  'conversations/endTemporary': 'local',
  'drafts/save': 'local',
  'library/export': 'local',
  'knowledge/add': 'local',
  'knowledge/documents': 'local',
  'knowledge/find': 'local',
  'projects/get': 'local',
  'projects/spending': 'local',
  'projects/update': 'local',
  'projects/remove': 'local',
  'projects/export': 'local',
  'projects/move': 'local',
  // A private-only project gets no tool that uses the network.
  'tools/chosen': 'local',
  'tools/choose': 'local',
  'tools/steps': 'local',
}

/** Calls with files, as the window makes them. */
function windowClient(): ContractRouterClient<typeof contract> {
  const link = new RPCLink({
    url: 'http://sotto.invalid/api',
    fetch: (request) => world.core.api(request, windowCaller),
  })
  return createORPCClient(link)
}

function transcribe(input: object): Promise<unknown> {
  const sound = Buffer.alloc(64)
  sound.write('RIFF\0\0\0\0WAVEfmt ')
  return windowClient()
    .voice.transcribe({ id: 'one', content: new Blob([sound], { type: 'audio/wav' }), ...input })
    .catch((error: unknown) => error)
}

/** The paths of the procedures whose input names a conversation or a project at any depth. */
function namingProcedures(part: unknown, path: readonly string[] = []): string[] {
  if (isContractProcedure(part)) {
    const input: unknown = part['~orpc'].inputSchema
    if (!(input instanceof z.ZodType)) return []
    const shape = JSON.stringify(z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }))
    return /"(?:conversation|project)Ids?":/.test(shape) ? [path.join('/')] : []
  }
  return Object.entries(part as object).flatMap(([name, inside]) => namingProcedures(inside, [...path, name]))
}

it('each procedure that names a conversation or a project is classified', () => {
  expect(namingProcedures(contract).toSorted()).toEqual(Object.keys(procedures).toSorted())
})

const attempts = Object.entries(procedures).flatMap(([path, tried]) =>
  tried === 'local' ? [] : tried.map((attempt, at) => [`${path} (${String(at + 1)})`, attempt] as const),
)
it.each(attempts)(
  '%s sends nothing of a private-only project, and no consent allows it',
  async (_, attempt) => {
    world.sandbox.clearReceived()
    expect(await attempt()).toMatchObject(refused('project/private-only'))
    expect(chatRequests(world.sandbox)).toEqual([])
    expect(Buffer.concat(world.outbound).includes('between us')).toBe(false)
  },
)

it('a refused beginning leaves no chat, and a private model continues sealed', async () => {
  const listed = () => world.call('conversations/list', { projectId }) as Promise<unknown[]>
  expect(await listed()).toHaveLength(1)
  const { events } = await askChat(world, 'chat/send', { conversationId, model: PRIVATE_MODEL, text: 'low' })
  expect(events.at(-1)).toMatchObject({ type: 'ended', answer: { state: 'complete', privacy: 'sealed' } })
})

it('a consent from before the project became private-only is refused', async () => {
  const { id } = await createProject(world, {})
  const { conversation } = await beginChat(world, { projectId: id })
  const { consentId } = (await world.call('consents/preview', {
    conversationId: conversation.id,
    purpose: 'continue',
    models: [PLAINTEXT_MODEL],
    text: 'aloud',
  })) as { consentId: string }
  await world.call('projects/update', { projectId: id, privateOnly: true })
  expect(await ask('chat/send', { conversationId: conversation.id, text: 'aloud', consentId })).toMatchObject(
    refused('project/private-only'),
  )
})

it('a file of a private-only project can’t be attached to a chat outside of it', async () => {
  const content = new Blob(['between us'])
  const { id } = await windowClient().attachments.add({ name: 'a.txt', type: 'text/plain', content })
  await askChat(world, 'chat/send', {
    conversationId,
    model: PRIVATE_MODEL,
    text: 'low',
    attachmentIds: [id],
  })
  expect(await ask('chat/send', { text: 'aloud', attachmentIds: [id] })).toMatchObject(
    refused('project/private-only'),
  )
})
