import { beforeEach, expect, test } from 'vitest'
import { clientOver, type ContractClient } from '../../../src/cli/client.ts'
import type { SummaryInput } from '../../../src/core/conversations/summarize.ts'
import { withSummary } from '../../../src/shared/context-cut.ts'
import type { SummaryEvent } from '../../../src/shared/contract/chat.ts'
import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import { OPEN, PRIVATE, scriptedWorld } from '../../scripted-world.ts'
import { askChat } from './ask-chat.ts'
import { windowCaller } from '../../window-caller.ts'

const scripted = scriptedWorld()
/** The bodies of the requests that reached the service, opened if they were sealed. */
let asked: string[] = []
beforeEach(() => {
  asked = []
  answerWith('<think>Hm.</think> Something was answered.')
})

function answerWith(content: string): void {
  scripted.script = ({ plain }, answer) => {
    asked.push(plain.toString())
    answer.begin({ 'content-type': 'text/event-stream' })
    answer.write(
      Buffer.from(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] })}\n\n`,
      ),
    )
    answer.end(Buffer.from('data: [DONE]\n\n'))
  }
}
const call = (path: string, input: object) => scripted.world.call(path, input)

async function send(input: object): Promise<{ conversation: Conversation; answer: Message }> {
  const { events, error } = await askChat(scripted.world, 'chat/send', input)
  const [started, ended] = [
    events.find(({ type }) => type === 'started'),
    events.find(({ type }) => type === 'ended'),
  ]
  if (started?.type !== 'started' || ended?.type !== 'ended')
    throw new Error(`no reply: ${JSON.stringify(error)}`)
  return { conversation: started.conversation, answer: ended.answer }
}

const client = (): ContractClient => clientOver((request) => scripted.world.core.api(request, windowCaller))

async function summaryEvents(input: SummaryInput): Promise<readonly SummaryEvent[]> {
  const events: SummaryEvent[] = []
  for await (const event of await client().chat.summarize(input)) events.push(event)
  return events
}

/** The conversation with its summary, or the refusal. */
async function summarize(input: SummaryInput): Promise<unknown> {
  try {
    const last = (await summaryEvents(input)).at(-1)
    return last?.type === 'done' ? last.conversation : undefined
  } catch (thrown) {
    return thrown
  }
}

const lastAsked = () => asked.at(-1) ?? ''

/** Two exchanges. */
async function converse(model: string) {
  const first = await send({ model, text: 'The first secret is amber.' })
  const conversationId = first.conversation.id
  const second = await send({ conversationId, model, text: 'The second secret is basalt.' })
  return { conversationId, cut: first.answer.id, last: second.answer.id }
}

test.each([OPEN, PRIVATE])('%s: messages up to a cut are not sent, and can be sent again', async (model) => {
  const { conversationId, cut, last } = await converse(model)
  const all = await call('chat/countTokens', { conversationId, leafId: last })
  expect(await call('conversations/trim', { conversationId, messageId: cut })).toMatchObject({
    contextCut: { messageId: cut },
  })
  const fewer = await call('chat/countTokens', { conversationId, leafId: last })
  expect((fewer as { tokens: number }).tokens).toBeLessThan((all as { tokens: number }).tokens)
  await send({ conversationId, model, text: 'Third' })
  expect(lastAsked()).not.toContain('amber')
  expect(lastAsked()).toContain('basalt')
  const whole = (await call('conversations/get', { conversationId })) as { messages: Message[] }
  expect(whole.messages).toHaveLength(6)
  await call('conversations/trim', { conversationId, messageId: null })
  await send({ conversationId, model, text: 'Fourth' })
  expect(lastAsked()).toContain('amber')
})

test.each([OPEN, PRIVATE])('%s: a summary is sent instead of the messages', async (model) => {
  const { conversationId, cut } = await converse(model)
  answerWith('<think>Amber, then.</think>\nOne secret is a resin.')
  const summarized = await summarize({ conversationId, messageId: cut, model })
  expect(summarized).toMatchObject({ contextCut: { messageId: cut, summary: 'One secret is a resin.' } })
  expect(JSON.parse(lastAsked())).toMatchObject({ max_tokens: 1500 })
  expect(lastAsked()).toContain('amber')
  expect(lastAsked()).not.toContain('basalt')
  await send({ conversationId, model, text: 'Third' })
  expect(lastAsked()).not.toContain('amber')
  expect(JSON.parse(lastAsked())).toMatchObject({
    messages: [
      { role: 'user', content: withSummary('One secret is a resin.', 'The second secret is basalt.') },
      { role: 'assistant' },
      { role: 'user', content: 'Third' },
    ],
  })
  // A summary of more messages includes the summary before it, and not the messages again.
  const { messages } = (await call('conversations/get', { conversationId })) as { messages: Message[] }
  await summarize({ conversationId, messageId: messages.at(-1)?.id ?? '', model })
  expect(lastAsked()).toContain('One secret is a resin.')
  expect(lastAsked()).not.toContain('amber')
})

test('a reply without text, or with reasoning only, changes nothing', async () => {
  const { conversationId, cut } = await converse(OPEN)
  answerWith('<think>Nothing.</think>  ')
  expect(await summarize({ conversationId, messageId: cut, model: OPEN })).toMatchObject({
    data: { code: 'service/response-invalid' },
  })
  const { conversation } = (await call('conversations/get', { conversationId })) as {
    conversation: Conversation
  }
  expect(conversation.contextCut).toBeUndefined()
})

test('a private chat is summarized only by a private model', async () => {
  const { conversationId, cut } = await converse(PRIVATE)
  const sent = asked.length
  const refused = await summarize({ conversationId, messageId: cut, model: OPEN })
  expect(refused).toMatchObject({ data: { code: 'privacy/summary' } })
  expect(asked).toHaveLength(sent)
  expect(await summarize({ conversationId, messageId: cut, model: PRIVATE })).toMatchObject({
    private: true,
    contextCut: { messageId: cut },
  })
})

test('a chat with private replies on another branch counts as private', async () => {
  const { conversationId, cut } = await converse(OPEN)
  await send({ conversationId, parentId: null, model: PRIVATE, text: 'Between us' })
  expect(await summarize({ conversationId, messageId: cut, model: OPEN })).toMatchObject({
    data: { code: 'privacy/summary' },
  })
})

test('a summary of a private chat is exposed only with a consent that shows it', async () => {
  const { conversationId, cut } = await converse(PRIVATE)
  await summarize({ conversationId, messageId: cut, model: PRIVATE })
  const ask = { conversationId, model: OPEN, text: 'Aloud' }
  expect((await askChat(scripted.world, 'chat/send', ask)).error).toMatchObject({
    data: { code: 'privacy/consent-required' },
  })
  const preview = (await call('consents/preview', {
    conversationId,
    purpose: 'continue',
    models: [OPEN],
    text: 'Aloud',
  })) as { exposes: { messages: number; excerpts: { text: string }[] } }
  expect(preview.exposes.messages).toBe(3)
  expect(preview.exposes.excerpts[0]?.text).toContain('Summary of our earlier conversation')
})

test('the cut and its summary end with a message before it', async () => {
  const { conversationId, cut, last } = await converse(PRIVATE)
  await summarize({ conversationId, messageId: cut, model: PRIVATE })
  await call('conversations/remove', { conversationId, messageId: last })
  const before = (await call('conversations/get', { conversationId })) as { conversation: Conversation }
  expect(before.conversation.contextCut).toMatchObject({ messageId: cut })
  await call('conversations/remove', { conversationId, messageId: cut })
  const after = (await call('conversations/get', { conversationId })) as { conversation: Conversation }
  expect(after.conversation.contextCut).toBeUndefined()
})

test('a branch leaves out the same messages, and sends the summary instead', async () => {
  const { conversationId, cut } = await converse(PRIVATE)
  answerWith('One secret is a resin.')
  await summarize({ conversationId, messageId: cut, model: PRIVATE })
  const branch = async (messageId?: string) =>
    (await call('conversations/fork', { conversationId, messageId })) as {
      conversation: Conversation
      messages: Message[]
    }
  const { conversation, messages } = await branch()
  expect(conversation.contextCut).toEqual({ messageId: messages[1]?.id, summary: 'One secret is a resin.' })
  await send({ conversationId: conversation.id, model: PRIVATE, text: 'Third' })
  expect(lastAsked()).not.toContain('amber')
  expect(JSON.parse(lastAsked())).toMatchObject({
    messages: [
      { role: 'user', content: withSummary('One secret is a resin.', 'The second secret is basalt.') },
      { role: 'assistant' },
      { role: 'user', content: 'Third' },
    ],
  })
  // On a branch that ends before the message at the cut, everything is sent.
  const { messages: all } = (await call('conversations/get', { conversationId })) as { messages: Message[] }
  expect((await branch(all[0]?.id)).conversation.contextCut).toBeUndefined()
})

test('unknown messages are refused', async () => {
  const { conversationId } = await converse(OPEN)
  const unknown = { data: { code: 'conversation/message-unknown' } }
  expect(await call('conversations/trim', { conversationId, messageId: 'none' })).toMatchObject(unknown)
  expect(await summarize({ conversationId, messageId: 'none', model: OPEN })).toMatchObject(unknown)
})

test('a summary reports its progress before it is saved', async () => {
  const { conversationId, cut } = await converse(PRIVATE)
  answerWith('One secret is a resin, and it is old.')
  const events = await summaryEvents({ conversationId, messageId: cut, model: PRIVATE })
  const written = events.flatMap((event) => (event.type === 'progress' ? event.tokens : []))
  expect(written.at(-1)).toBeGreaterThan(5)
  expect(written).toEqual(written.toSorted((a, b) => a - b))
  expect(events.at(-1)).toMatchObject({ type: 'done', conversation: { contextCut: { messageId: cut } } })
})

test('a summary that is stopped ends its request, and nothing is saved', async () => {
  const { conversationId, cut } = await converse(OPEN)
  const ended = Promise.withResolvers<undefined>()
  scripted.script = (_, answer) => {
    answer.begin({ 'content-type': 'text/event-stream' })
    answer.write(
      Buffer.from(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'One secret' } }] })}\n\n`,
      ),
    )
    answer.gone.addEventListener('abort', () => ended.resolve(undefined))
  }
  const stop = new AbortController()
  const read = async () => {
    const input = { conversationId, messageId: cut, model: OPEN }
    for await (const event of await client().chat.summarize(input, { signal: stop.signal }))
      if (event.type === 'progress') stop.abort()
  }
  await expect(read()).rejects.toMatchObject({ data: { code: 'request/canceled' } })
  await ended.promise
  const { conversation } = (await call('conversations/get', { conversationId })) as {
    conversation: Conversation
  }
  expect(conversation.contextCut).toBeUndefined()
})
