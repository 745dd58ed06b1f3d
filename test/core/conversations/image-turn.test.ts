import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { ExportFormat } from '../../../src/shared/library/conversation-file.ts'
import type { Job } from '../../../src/shared/job.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'
import { BRUSH, bytesOf, startStudioWorld, until, type StudioWorld } from '../jobs/studio-world.ts'
import { askChat } from './ask-chat.ts'

let world: StudioWorld
let client: ContractRouterClient<typeof contract>
beforeAll(async () => {
  world = await startStudioWorld('B', 'balance')
  client = createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

async function create(prompt: string): Promise<Job> {
  const { id } = await client.studio.start({
    ask: { kind: 'image', model: BRUSH, prompt },
    pay: 'balance',
  })
  return until(world, id, 'done')
}
async function fileOf(format: ExportFormat, conversationId: string): Promise<string> {
  let text = ''
  for await (const event of await client.library.export({ format, conversationId }))
    if (event.type === 'text') text += event.text
  return text
}
const refused = (code: string) => ({ code: 'SOTTO', data: { code } })

test('an image is a turn of the chat that begins with it, and no model receives it or its prompt', async () => {
  const { id: jobId } = await create('A red boat')
  const { conversation, question, answer } = await client.chat.addImage({ jobId, model: PLAINTEXT_MODEL })
  const conversationId = conversation.id
  expect(conversation).toMatchObject({ title: 'A red boat', model: PLAINTEXT_MODEL, leafId: answer.id })
  expect(question).toMatchObject({ role: 'user', text: 'A red boat', jobId, parentId: null })
  expect(answer).toMatchObject({
    role: 'assistant',
    parentId: question.id,
    jobId,
    model: BRUSH,
    privacy: 'forwarded',
    state: 'complete',
  })

  world.outbound.splice(0)
  const { error } = await askChat(world, 'chat/send', {
    conversationId,
    model: PLAINTEXT_MODEL,
    text: 'How do boats float?',
  })
  expect(error).toBeUndefined()
  const sent = Buffer.concat(world.outbound)
  expect([sent.includes('How do boats float?'), sent.includes('A red boat')]).toEqual([true, false])

  // The prompt is no question to a model.
  const again = await askChat(world, 'chat/regenerate', {
    conversationId,
    questionId: question.id,
    model: PLAINTEXT_MODEL,
  })
  expect(again.error).toMatchObject({ data: { code: 'conversation/message-unknown' } })

  // Another image of the same prompt is its sibling.
  const other = await create('A red boat')
  const second = await client.chat.addImage({ jobId: other.id, conversationId, questionId: question.id })
  expect([second.question.id, second.answer.parentId]).toEqual([question.id, question.id])
  expect((await client.conversations.get({ conversationId })).conversation.leafId).toBe(second.answer.id)
})

test('a file of the chat contains the image, until it is deleted', async () => {
  const { id: jobId, files } = await create('A blue boat')
  const image = files.find(({ role }) => role === 'made')
  const { conversation } = await client.chat.addImage({ jobId, model: PLAINTEXT_MODEL })
  const content = (await bytesOf(world, jobId, image?.index ?? 0)).toString('base64')
  expect(await fileOf('markdown', conversation.id)).toContain(`(data:image/png;base64,${content})`)
  expect(await fileOf('html', conversation.id)).toContain(`src="data:image/png;base64,${content}"`)
  const json = await fileOf('json', conversation.id)
  expect(json).toContain(content)
  expect(json).not.toContain(jobId)
  await client.studio.remove({ jobIds: [jobId] })
  expect(await fileOf('html', conversation.id)).not.toContain('<img')
  expect(await fileOf('markdown', conversation.id)).toContain('Not in this file: image')
})

test('a prompt of a private chat is added to no other chat', async () => {
  const { events } = await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'between us' })
  const conversationId = events.flatMap((event) =>
    event.type === 'started' ? event.conversation.id : [],
  )[0]!
  const prompt = 'the otter of Quellgasse 11'
  const { consentId } = await client.consents.preview({
    conversationId,
    purpose: 'studio',
    models: [BRUSH],
    text: prompt,
  })
  const { id: jobId } = await client.studio.start({
    ask: { kind: 'image', model: BRUSH, prompt, from: { conversationId } },
    pay: 'balance',
    consentId,
  })
  const before = (await client.conversations.list()).length
  await expect(client.chat.addImage({ jobId, model: PLAINTEXT_MODEL })).rejects.toMatchObject(
    refused('studio/unknown'),
  )
  expect((await client.conversations.list()).length).toBe(before)
  const { answer, conversation } = await client.chat.addImage({ jobId, conversationId })
  expect(answer.conversationId).toBe(conversationId)
  expect(conversation.private).toBe(true)
})

test.each([
  ['an unknown job', { jobId: 'none', model: PLAINTEXT_MODEL }, 'studio/unknown'],
  ['an unknown chat', { jobId: 'none', conversationId: 'none' }, 'conversation/unknown'],
])('%s is refused', async (_, input, code) => {
  await expect(client.chat.addImage(input)).rejects.toMatchObject(refused(code))
})

test('an image without a chat or a model is refused', async () => {
  await expect(client.chat.addImage({ jobId: 'none' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
