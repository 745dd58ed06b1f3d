import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type * as plans from '../../../src/sandbox/chat/plan.ts'
import type { ChatRequest } from '../../../src/sandbox/chat/request.ts'
import { CONSENT_MS, type ConsentPreview } from '../../../src/shared/consent.ts'
import type { ChatEvent, contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  startWorld,
  type World,
} from '../../world.ts'
import { askChat, type Asked } from './ask-chat.ts'
import { windowCaller } from '../../window-caller.ts'

/** The requests as the answering side read them: the service, or the enclave after decryption. */
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

let world: World
let conversationId: string
let first: { question: Message; answer: Message }

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.clock.ahead = 0
  const { events } = await askChat(world, 'chat/send', {
    model: PRIVATE_MODEL,
    text: 'between us',
    begin: { systemPrompt: 'Keep it low.' },
  })
  const { conversation, userMessage } = started(events)
  conversationId = conversation.id
  first = { question: userMessage, answer: ended(events) }
  world.sandbox.clearReceived()
  read.splice(0)
})

function started(events: Asked['events']): Extract<ChatEvent, { type: 'started' }> {
  return events.find((event) => event.type === 'started')!
}
function ended(events: Asked['events']): Message {
  const last = events.at(-1)
  if (last?.type !== 'ended') throw new Error('The answer did not end.')
  return last.answer
}
const preview = (subject: object) =>
  world.call('consents/preview', {
    conversationId,
    purpose: 'continue',
    models: [PLAINTEXT_MODEL],
    ...subject,
  }) as Promise<ConsentPreview>
const aloud = (input: object) =>
  askChat(world, 'chat/send', { conversationId, model: PLAINTEXT_MODEL, text: 'and now aloud', ...input })
async function attach(name: string, text: string): Promise<string> {
  const link = new RPCLink({
    url: 'http://sotto.invalid/api',
    fetch: (request) => world.core.api(request, windowCaller),
  })
  const window: ContractRouterClient<typeof contract> = createORPCClient(link)
  return (await window.attachments.add({ name, type: 'text/plain', content: new Blob([text]) })).id
}
const refused = (code: string) => ({ code: 'SOTTO', data: { code } })
const nothingLeft = () => expect(chatRequests(world.sandbox)).toEqual([])

it('a preview shows the content that a consent exposes, and exactly that is sent, for one answer', async () => {
  const { consentId, exposes, expiresAt } = await preview({ text: 'and now aloud' })
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(CONSENT_MS)
  const whole = ['between us', first.answer.text, 'and now aloud']
  expect(exposes).toMatchObject({
    instructions: 12,
    messages: 3,
    attachments: 0,
    characters: whole.join('').length,
  })
  expect(exposes.excerpts.map(({ role, characters }) => [role, characters])).toEqual([
    ['user', 10],
    ['assistant', first.answer.text.length],
    ['user', 13],
  ])
  expect(exposes.excerpts.at(-1)?.text).toBe('and now aloud')
  nothingLeft()

  const { events, error } = await aloud({ consentId })
  expect(error).toBeUndefined()
  expect(read.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
    ['Keep it low.', ...whole],
  ])
  expect(ended(events)).toMatchObject({ state: 'complete', privacy: 'forwarded', model: PLAINTEXT_MODEL })
  const receipt = await world.call('receipts/get', { receiptId: ended(events).receiptId })
  expect(receipt).toMatchObject({ privacy: 'forwarded', model: PLAINTEXT_MODEL })

  // The conversation stays private: the next message is refused, and so is the same consent.
  expect(started(events).conversation.private).toBe(true)
  world.sandbox.clearReceived()
  expect((await aloud({})).error).toMatchObject(refused('privacy/consent-required'))
  expect((await aloud({ consentId })).error).toMatchObject(refused('privacy/consent-expired'))
  nothingLeft()
  const { conversation, messages } = (await world.call('conversations/get', { conversationId })) as {
    conversation: Conversation
    messages: Message[]
  }
  expect(conversation.private).toBe(true)
  expect(messages).toHaveLength(4)
  // Sealed requests still work as before.
  const sealed = await askChat(world, 'chat/send', {
    conversationId,
    model: PRIVATE_MODEL,
    text: 'low again',
  })
  expect(ended(sealed.events)).toMatchObject({ state: 'complete', privacy: 'sealed' })
})

it('a consent covers another answer to the same question, but no other question', async () => {
  const { consentId } = await preview({ questionId: first.question.id })
  const again = await askChat(world, 'chat/regenerate', {
    conversationId,
    questionId: first.question.id,
    model: PLAINTEXT_MODEL,
    consentId,
  })
  expect(ended(again.events)).toMatchObject({ state: 'complete', privacy: 'forwarded' })
  expect(read.at(-1)?.messages.map(({ content }) => content)).toEqual(['Keep it low.', 'between us'])

  const other = await preview({ questionId: first.question.id })
  world.sandbox.clearReceived()
  expect((await aloud({ consentId: other.consentId })).error).toMatchObject(
    refused('privacy/consent-changed'),
  )
  nothingLeft()
})

it.each([
  ['the message was changed', () => ({ text: 'and now louder' })],
  ['it goes to another branch', () => ({ parentId: null })],
])('a consent is void if %s since the preview', async (_, change) => {
  const { consentId } = await preview({ text: 'and now aloud' })
  expect((await aloud({ consentId, ...change() })).error).toMatchObject(refused('privacy/consent-changed'))
  expect((await aloud({ consentId })).error).toMatchObject(refused('privacy/consent-expired'))
  nothingLeft()
})

it('a consent is void if the branch has a new message or the instructions changed', async () => {
  const before = await preview({ text: 'and now aloud' })
  await askChat(world, 'chat/send', { conversationId, model: PRIVATE_MODEL, text: 'one thing more' })
  world.sandbox.clearReceived()
  expect((await aloud({ consentId: before.consentId })).error).toMatchObject(
    refused('privacy/consent-changed'),
  )

  const then = await preview({ text: 'and now aloud' })
  await world.call('conversations/configure', {
    conversationId,
    systemPrompt: 'Tell everything.',
    parameters: {},
  })
  expect((await aloud({ consentId: then.consentId })).error).toMatchObject(refused('privacy/consent-changed'))
  nothingLeft()
})

it('a consent is bound to its conversation, model and purpose, and expires after five minutes', async () => {
  const text = 'and now aloud'
  const elsewhere = (await world.call('conversations/fork', { conversationId })) as {
    conversation: Conversation
  }
  const cases = [
    [await preview({ text }), { conversationId: elsewhere.conversation.id }, 'privacy/consent-mismatch'],
    [await preview({ text }), { model: PLAINTEXT_VISION_MODEL }, 'privacy/consent-mismatch'],
    [await preview({ text, purpose: 'compare' }), {}, 'privacy/consent-mismatch'],
  ] as const
  for (const [{ consentId }, input, code] of cases)
    expect((await aloud({ consentId, ...input })).error).toMatchObject(refused(code))
  const late = await preview({ text })
  world.clock.ahead = CONSENT_MS
  expect((await aloud({ consentId: late.consentId })).error).toMatchObject(refused('privacy/consent-expired'))
  nothingLeft()
})

it('a preview shows the attached files, and the consent covers no others', async () => {
  const text = 'and now aloud'
  const [shown, other] = [
    await attach('notes.txt', 'what only we know'),
    await attach('others.txt', 'what nobody saw'),
  ]
  const { consentId, exposes } = await preview({ text, attachmentIds: [shown] })
  expect(exposes).toMatchObject({ attachments: 1, excerpts: [{}, {}, { attachments: ['notes.txt'] }] })
  expect((await aloud({ consentId, attachmentIds: [other] })).error).toMatchObject(
    refused('privacy/consent-changed'),
  )
  const again = await preview({ text })
  expect((await aloud({ consentId: again.consentId, attachmentIds: [shown] })).error).toMatchObject(
    refused('privacy/consent-changed'),
  )
  nothingLeft()
  const allowed = await preview({ text, attachmentIds: [shown] })
  expect(ended((await aloud({ consentId: allowed.consentId, attachmentIds: [shown] })).events)).toMatchObject(
    { state: 'complete', privacy: 'forwarded' },
  )
  expect(JSON.stringify(read.at(-1)?.messages)).toContain('what only we know')
})

it('a preview is refused for an unknown conversation, question or message', async () => {
  expect(await preview({ conversationId: 'nowhere' })).toMatchObject({
    data: { code: 'conversation/unknown' },
  })
  expect(await preview({ questionId: 'nowhere' })).toMatchObject({
    data: { code: 'conversation/message-unknown' },
  })
  expect(await preview({ purpose: 'read-aloud', messageId: 'nowhere' })).toMatchObject({
    data: { code: 'conversation/message-unknown' },
  })
})

it('a preview for reading aloud shows one message, and one for dictation shows nothing', async () => {
  const aloud = await preview({ purpose: 'read-aloud', messageId: first.answer.id })
  expect(aloud.exposes).toMatchObject({ instructions: 0, messages: 1, characters: first.answer.text.length })
  expect((await preview({ purpose: 'dictate' })).exposes).toMatchObject({
    messages: 0,
    characters: 0,
    excerpts: [],
  })
})

it('callers of the proxy can’t use consents', async () => {
  const { consentId } = await preview({ text: 'and now aloud' })
  for (const path of ['/api/consents/preview', '/v1/consents/preview', '/consents/preview']) {
    expect(
      (
        await world.post(
          { json: { conversationId, purpose: 'continue', models: [PLAINTEXT_MODEL] } },
          {},
          path,
        )
      ).status,
    ).toBe(404)
  }
  world.sandbox.clearReceived()
  // For a private model, the consent has no effect: the request is sealed, or refused.
  const response = await world.post({
    model: PRIVATE_MODEL,
    consentId,
    plugins: [{ id: 'web' }],
    messages: [{ role: 'user', content: 'x' }],
  })
  expect(await response.json()).toMatchObject({ error: { code: 'privacy/plugins' } })
  nothingLeft()
})
