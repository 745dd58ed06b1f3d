import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import { MOST_COUNTED } from '../../../src/shared/token-estimate.ts'
import { windowCaller } from '../../window-caller.ts'
import {
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../../world.ts'
import { askChat } from './ask-chat.ts'

let world: World
let api: ContractRouterClient<typeof contract>
beforeAll(async () => {
  world = await startWorld()
  api = createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const picture = () =>
  new Blob([Uint8Array.from(readFileSync(join(import.meta.dirname, 'image-metadata/pictures/picture.png')))])
const count = async (part: Parameters<typeof api.chat.countTokens>[0]) =>
  (await api.chat.countTokens(part)).tokens ?? 0

/** Sends it, and has what the service counted. */
async function send(input: object) {
  const { events, error } = await askChat(world, 'chat/send', input)
  const [started, ended] = [
    events.find(({ type }) => type === 'started'),
    events.find(({ type }) => type === 'ended'),
  ]
  if (started?.type !== 'started' || ended?.type !== 'ended' || !ended.receipt?.usage)
    throw new Error(`no reply: ${JSON.stringify(error)}`)
  return {
    conversationId: started.conversation.id,
    questionId: started.userMessage.id,
    answerId: ended.answer.id,
    prompt: ended.receipt.usage.prompt,
  }
}

const TEXTS = [
  {
    name: 'English',
    text: 'A private model is reached only through an enclave whose attestation was verified on this machine. '.repeat(
      20,
    ),
  },
  {
    name: 'code',
    text: 'export function parse(text: string): number | undefined {\n  const value = Number(text)\n  return Number.isFinite(value) ? value : undefined\n}\n'.repeat(
      20,
    ),
  },
  {
    name: 'Chinese',
    text: '只有在本机验证了飞地的证明之后，才会访问私有模型；如果验证失败，则不会发送任何内容。'.repeat(20),
  },
  {
    name: 'Japanese',
    text: '検証に失敗した場合は、何も送信されません。このコンピューターで確認されます。'.repeat(20),
  },
]

describe('the count of the window', () => {
  it.each(TEXTS)(
    'is within 15 % of the usage, with instructions, a file and two turns: $name',
    async ({ text }) => {
      const file = await api.attachments.add({
        name: 'notes.txt',
        type: 'text/plain',
        content: new Blob([text]),
      })
      const begin = { systemPrompt: text.slice(0, 300) }
      const before =
        (await count({ text: begin.systemPrompt })) +
        (await count({ text })) +
        (await count({ attachmentIds: [file.id] }))
      const first = await send({ model: PRIVATE_MODEL, text, attachmentIds: [file.id], begin })
      expect(before / first.prompt).toBeGreaterThan(0.87)
      expect(before / first.prompt).toBeLessThan(1.15)
      expect(await count({ conversationId: first.conversationId, leafId: first.questionId })).toBe(before)
      const next =
        (await count({ conversationId: first.conversationId, leafId: first.answerId })) +
        (await count({ text: 'And now?' }))
      const second = await send({
        model: PRIVATE_MODEL,
        conversationId: first.conversationId,
        text: 'And now?',
      })
      expect(next / second.prompt).toBeGreaterThan(0.87)
      expect(next / second.prompt).toBeLessThan(1.15)
    },
  )

  it.each([PRIVATE_VISION_MODEL, PLAINTEXT_VISION_MODEL])(
    'counts an image as the service does, also of a temporary chat: %s',
    async (model) => {
      const image = await api.attachments.add({
        name: 'photo.png',
        type: 'image/png',
        content: picture(),
        temporary: true,
      })
      const counted = (await count({ text: 'hello world' })) + (await count({ attachmentIds: [image.id] }))
      const sent = await send({
        model,
        text: 'hello world',
        attachmentIds: [image.id],
        begin: { temporary: true },
      })
      expect(counted).toBe(sent.prompt)
      expect(await count({ conversationId: sent.conversationId, leafId: sent.questionId })).toBe(counted)
    },
  )

  it('is of the chosen branch, and leaves nothing behind', async () => {
    const { conversationId, questionId, answerId } = await send({
      model: PRIVATE_MODEL,
      text: 'hello world',
      begin: { temporary: true },
    })
    const receipts = await api.receipts.list({})
    world.sandbox.clearReceived()
    expect(await count({ conversationId, leafId: questionId })).toBe(4 + 2)
    expect(await count({ conversationId, leafId: answerId })).toBeGreaterThan(4 + 2 + 4)
    expect(await api.receipts.list({})).toEqual(receipts)
    expect(world.sandbox.received()).toEqual([])
  })

  it('refuses a text over the bound, and has no count of a branch that is too long', async () => {
    expect(await count({ text: 'a '.repeat(MOST_COUNTED / 2) })).toBeGreaterThan(MOST_COUNTED / 4)
    await expect(api.chat.countTokens({ text: 'a'.repeat(MOST_COUNTED + 1) })).rejects.toThrow()
    const files = await Promise.all(
      [1, 2].map(() =>
        api.attachments.add({
          name: 'long.txt',
          type: 'text/plain',
          content: new Blob(['a '.repeat(1_100_000)]),
        }),
      ),
    )
    expect(await api.chat.countTokens({ attachmentIds: files.map(({ id }) => id) })).toEqual({ tokens: null })
  })

  it('refuses what is unknown, and two parts at once', async () => {
    const { conversationId } = await send({ model: PRIVATE_MODEL, text: 'hello world' })
    await expect(api.chat.countTokens({ conversationId: 'none', leafId: 'none' })).rejects.toMatchObject({
      data: { code: 'conversation/unknown' },
    })
    await expect(api.chat.countTokens({ conversationId, leafId: 'none' })).rejects.toMatchObject({
      data: { code: 'conversation/message-unknown' },
    })
    await expect(api.chat.countTokens({ attachmentIds: ['none'] })).rejects.toMatchObject({
      data: { code: 'attachment/unknown' },
    })
    await expect(api.chat.countTokens(Object.assign({ text: 'a' }, { attachmentIds: [] }))).rejects.toThrow()
  })
})
