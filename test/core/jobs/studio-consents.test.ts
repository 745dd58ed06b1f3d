import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CONSENT_MS } from '../../../src/shared/consent.ts'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { Attachment } from '../../../src/shared/attachment.ts'
import type { JobAsk } from '../../../src/shared/job-ask.ts'
import type { Job } from '../../../src/shared/job.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, PRIVATE_VISION_MODEL, startWorld, type World } from '../../world.ts'
import { askChat } from '../conversations/ask-chat.ts'
import { windowCaller } from '../../window-caller.ts'

let world: World
let client: ContractRouterClient<typeof contract>
let conversationId: string
beforeAll(async () => {
  world = await startWorld()
  const link = new RPCLink({
    url: 'http://sotto.invalid/api',
    fetch: (request) => world.core.api(request, windowCaller),
  })
  client = createORPCClient(link)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.clock.ahead = 0
  conversationId = await begun(PRIVATE_MODEL)
  world.sandbox.clearReceived()
})

async function begun(model: string, attachmentIds: string[] = []): Promise<string> {
  const { events } = await askChat(world, 'chat/send', { model, text: 'between us', attachmentIds })
  for (const event of events) if (event.type === 'started') return event.conversation.id
  throw new Error('It did not begin.')
}
async function attached(): Promise<Attachment> {
  const bytes = await readFile(
    join(import.meta.dirname, '../conversations/image-metadata/pictures/picture.png'),
  )
  return client.attachments.add({ name: 'secret.png', type: 'image/png', content: new Blob([bytes]) })
}

const MODEL = 'sandbox/affresco-image'
const prompt = 'the otter of Quellgasse 11'
const image = (change: Partial<Extract<JobAsk, { kind: 'image' }>> = {}): JobAsk => ({
  kind: 'image',
  model: MODEL,
  prompt,
  quality: 'low',
  from: { conversationId },
  ...change,
})
const preview = (subject: object = {}) =>
  client.consents.preview({ conversationId, purpose: 'studio', models: [MODEL], text: prompt, ...subject })
const start = (ask: JobAsk, consentId?: string) =>
  client.studio.start({ ask, pay: 'balance', ...(consentId !== undefined && { consentId }) })
const refused = (code: string) => ({ code: 'SOTTO', data: { code } })
const posts = () =>
  world.sandbox
    .received()
    .filter(({ method, path }) => method === 'POST' && /\/(?:images|audio|videos)\b/.test(path))
async function whenEnded({ id }: Job): Promise<Job> {
  for await (const { jobs } of await client.studio.watch()) {
    const job = jobs.find((one) => one.id === id)
    if (!job) return client.studio.get({ jobId: id })
    if (job.state === 'done' || job.state === 'failed') return job
  }
  throw new Error('It did not end.')
}
async function nothingLeft(): Promise<void> {
  expect(posts()).toEqual([])
  expect(Buffer.concat(world.outbound).includes(prompt)).toBe(false)
  expect((await client.studio.list({ text: 'otter' })).jobs).toEqual([])
}

it('text of a private conversation is refused without a consent, with another one’s consent, and after a change', async () => {
  await expect(start(image())).rejects.toMatchObject(refused('privacy/consent-missing'))
  await expect(start({ kind: 'speech', text: prompt, from: { conversationId } })).rejects.toMatchObject(
    refused('privacy/consent-missing'),
  )
  await expect(
    start({ kind: 'video', model: 'sandbox/carosello-video', prompt, from: { conversationId } }),
  ).rejects.toMatchObject(refused('privacy/consent-missing'))
  await expect(start(image(), 'guessed')).rejects.toMatchObject(refused('privacy/consent-expired'))
  const elsewhere = await begun(PRIVATE_MODEL)
  for (const [consent, ask, code] of [
    [await preview(), image({ prompt: `${prompt}, at noon` }), 'privacy/consent-changed'],
    [await preview(), image({ from: { conversationId: elsewhere } }), 'privacy/consent-mismatch'],
    [await preview(), image({ model: 'sandbox/other-image' }), 'privacy/consent-mismatch'],
    [await preview({ purpose: 'read-aloud' }), image(), 'privacy/consent-mismatch'],
  ] as const) {
    await expect(start(ask, consent.consentId)).rejects.toMatchObject(refused(code))
    // A consent that was tried for another request is used up.
    await expect(start(image(), consent.consentId)).rejects.toMatchObject(refused('privacy/consent-expired'))
  }
  const late = await preview()
  world.clock.ahead = CONSENT_MS
  await expect(start(image(), late.consentId)).rejects.toMatchObject(refused('privacy/consent-expired'))
  await nothingLeft()
})

it('a preview shows what would be sent, and its consent is valid for exactly that, once', async () => {
  const { consentId, exposes } = await preview()
  expect(exposes).toMatchObject({
    instructions: 0,
    messages: 1,
    attachments: 0,
    characters: prompt.length,
    excerpts: [{ role: 'user', text: prompt }],
  })
  const job = await whenEnded(await start(image(), consentId))
  expect(job).toMatchObject({ state: 'done', ask: { from: { conversationId } } })
  expect(posts()).toHaveLength(1)
  expect(Buffer.concat(world.outbound).includes(conversationId)).toBe(false)
  await expect(start(image(), consentId)).rejects.toMatchObject(refused('privacy/consent-expired'))
  await expect(client.studio.again({ jobId: job.id })).rejects.toMatchObject(
    refused('privacy/consent-missing'),
  )
  // Even if the conversation is deleted, its private content stays protected.
  await client.conversations.remove({ conversationId })
  await expect(client.studio.again({ jobId: job.id })).rejects.toMatchObject(
    refused('privacy/consent-missing'),
  )
  expect(posts()).toHaveLength(1)
  const nextPreview = await preview()
  expect(
    await whenEnded(await client.studio.again({ jobId: job.id, consentId: nextPreview.consentId })),
  ).toMatchObject({ state: 'done', ask: { from: { conversationId } } })
  expect(posts()).toHaveLength(2)
  await client.studio.remove({ jobIds: (await client.studio.list({})).jobs.map(({ id }) => id) })
})

it('text of a plaintext conversation needs no consent', async () => {
  const open = await begun(PLAINTEXT_MODEL)
  expect(
    await whenEnded(await start(image({ prompt: 'a heron', from: { conversationId: open } }))),
  ).toMatchObject({ state: 'done' })
})

it('the origin of an image is known, even if the request doesn’t name it', async () => {
  const { id: attachmentId } = await attached()
  conversationId = await begun(PRIVATE_VISION_MODEL, [attachmentId])
  world.sandbox.clearReceived()
  const take = async () => ({
    uploadId: (await client.studio.upload.attached({ conversationId, attachmentId })).uploadId,
  })
  const { from: _, ...bare } = image() as Extract<JobAsk, { kind: 'image' }>
  await expect(start({ ...bare, image: await take() })).rejects.toMatchObject(
    refused('privacy/consent-missing'),
  )
  await expect(
    start({ kind: 'video', model: 'sandbox/carosello-video', prompt, image: await take() }),
  ).rejects.toMatchObject(refused('privacy/consent-missing'))
  // The preview showed only the text.
  await expect(start(image({ image: await take() }), (await preview()).consentId)).rejects.toMatchObject(
    refused('privacy/consent-changed'),
  )
  expect(posts()).toEqual([])

  const shown = await preview({ attachmentIds: [attachmentId] })
  expect(shown.exposes).toMatchObject({
    attachments: 1,
    excerpts: [{ text: prompt, attachments: ['secret.png'] }],
  })
  const job = await whenEnded(await start({ ...bare, image: await take() }, shown.consentId))
  expect(job).toMatchObject({ state: 'done', ask: { from: { conversationId, attachmentId } } })
  // Taken from the job, it is the same picture.
  const inputFile = job.files.find(({ role }) => role === 'given')
  await expect(
    start({ ...bare, image: { jobId: job.id, index: inputFile?.index ?? -1 } }),
  ).rejects.toMatchObject(refused('privacy/consent-missing'))
  // The image generated from it is a different one, and belongs to the service.
  const outputFile = job.files.find(({ role }) => role === 'made')
  expect(
    await whenEnded(
      await start({ ...bare, prompt: 'a heron', image: { jobId: job.id, index: outputFile?.index ?? -1 } }),
    ),
  ).toMatchObject({ state: 'done' })
})

it('an image is uploaded only from the conversation that contains it', async () => {
  const { id: attachmentId } = await attached()
  await expect(client.studio.upload.attached({ conversationId, attachmentId })).rejects.toMatchObject(
    refused('attachment/unknown'),
  )
  await expect(
    client.studio.upload.attached({ conversationId: 'nowhere', attachmentId }),
  ).rejects.toMatchObject(refused('conversation/unknown'))
  const { id: text } = await client.attachments.add({
    name: 'notes.txt',
    type: 'text/plain',
    content: new Blob(['words']),
  })
  const withText = await begun(PRIVATE_MODEL, [text])
  await expect(
    client.studio.upload.attached({ conversationId: withText, attachmentId: text }),
  ).rejects.toMatchObject(refused('studio/image-type'))
})
