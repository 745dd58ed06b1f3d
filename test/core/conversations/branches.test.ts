import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import type * as plans from '../../../src/sandbox/chat/plan.ts'
import type { ChatRequest } from '../../../src/sandbox/chat/request.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
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
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => void read.splice(0))

type Started = Extract<ChatEvent, { type: 'started' }>
interface Turn extends Started {
  readonly ended: Message
}
interface Failed {
  readonly error: unknown
}

async function ask(
  path: 'chat/send' | 'chat/regenerate',
  input: object,
): Promise<Partial<Turn> & Partial<Failed>> {
  const response = await world.core.api(
    new Request(`http://sotto.invalid/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
    windowCaller,
  )
  const turn: { -readonly [name in keyof (Turn & Failed)]?: (Turn & Failed)[name] } = {}
  for (const [, name, data] of (await response.text()).matchAll(
    /^event: (\w+)\n(?:[a-z]+: .*\n)*?data: (.+)$/gm,
  )) {
    const { json } = JSON.parse(data!) as { json: ChatEvent | null }
    if (name === 'error') turn.error = json
    else if (json?.type === 'started') Object.assign(turn, json)
    else if (json?.type === 'ended') turn.ended = json.answer
  }
  return turn
}
async function turn(path: 'chat/send' | 'chat/regenerate', input: object): Promise<Turn> {
  const { error, ...rest } = await ask(path, input)
  expect(error).toBeUndefined()
  expect(rest.ended?.state).toBe('complete')
  return rest as Turn
}
const whole = (conversationId: string) =>
  world.call('conversations/get', { conversationId }) as Promise<{
    conversation: Conversation
    messages: Message[]
  }>
const readMessages = () => read.at(-1)?.messages.map(({ role, content }) => [role, content])

describe.each([
  ['sealed', PRIVATE_MODEL],
  ['in the open', PLAINTEXT_MODEL],
])('%s', (_, model) => {
  it('sends the model only the branch that is shown', async () => {
    const first = await turn('chat/send', { model, text: 'one' })
    const { id: conversationId } = first.conversation
    expect(readMessages()).toEqual([['user', 'one']])
    const second = await turn('chat/send', { conversationId, parentId: first.answer.id, model, text: 'two' })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', first.ended.text],
      ['user', 'two'],
    ])

    // Replaces the text of the second question.
    const edited = await turn('chat/send', {
      conversationId,
      parentId: first.answer.id,
      model,
      text: 'two, otherwise',
    })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', first.ended.text],
      ['user', 'two, otherwise'],
    ])
    expect(edited.conversation.leafId).toBe(edited.answer.id)

    // Replaces the first question.
    const replaced = await turn('chat/send', { conversationId, parentId: null, model, text: 'uno' })
    expect(readMessages()).toEqual([['user', 'uno']])
    expect(replaced.userMessage.parentId).toBeNull()

    // Generates another reply to the first question, and continues from there.
    const again = await turn('chat/regenerate', { conversationId, questionId: first.userMessage.id, model })
    expect(readMessages()).toEqual([['user', 'one']])
    await turn('chat/send', { conversationId, parentId: again.answer.id, model, text: 'three' })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', again.ended.text],
      ['user', 'three'],
    ])

    // Back to the branch of the second question: a message without a parent continues the shown branch.
    await world.call('conversations/show', { conversationId, messageId: second.userMessage.id })
    expect((await whole(conversationId)).conversation.leafId).toBe(second.answer.id)
    await turn('chat/send', { conversationId, model, text: 'four' })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', first.ended.text],
      ['user', 'two'],
      ['assistant', second.ended.text],
      ['user', 'four'],
    ])

    // Nothing was overwritten.
    const { messages } = await whole(conversationId)
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'one',
      'two',
      'two, otherwise',
      'uno',
      'three',
      'four',
    ])
    for (const { answer, ended } of [first, second, edited, replaced, again])
      expect(messages.find(({ id }) => id === answer.id)?.text).toBe(ended.text)
    // Each answer has its own receipt.
    const receipts = messages.flatMap(({ receiptId }) => receiptId ?? [])
    expect(new Set(receipts).size).toBe(messages.filter(({ role }) => role === 'assistant').length)
  })

  it('sends instructions and parameters, but no effort if the model lists none', async () => {
    const { conversation } = await turn('chat/send', {
      model,
      text: 'hello',
      begin: {
        systemPrompt: 'Be brief.',
        parameters: { temperature: 0.2, topP: 0.9, maxTokens: 40, reasoningEffort: 'low' },
      },
    })
    expect(read.at(-1)).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 40,
    })
    expect('reasoning_effort' in (read.at(-1) ?? {})).toBe(model === PRIVATE_MODEL)
    await world.call('conversations/configure', {
      conversationId: conversation.id,
      systemPrompt: '',
      parameters: {},
    })
    await turn('chat/send', { conversationId: conversation.id, model, text: 'again' })
    expect(read.at(-1)?.messages[0]).toMatchObject({ role: 'user', content: 'hello' })
    for (const name of ['temperature', 'top_p', 'max_tokens']) expect(name in (read.at(-1) ?? {})).toBe(false)
  })

  it('a fork contains the messages up to one message, has the same privacy, and is independent', async () => {
    const first = await turn('chat/send', { model, text: 'one' })
    const { id: conversationId } = first.conversation
    await turn('chat/send', { conversationId, model, text: 'two' })
    const fork = (await world.call('conversations/fork', { conversationId, messageId: first.answer.id })) as {
      conversation: Conversation
      messages: Message[]
    }
    expect(fork.conversation).toMatchObject({ title: 'Branch of one', private: model === PRIVATE_MODEL })
    expect(fork.messages.map(({ text, receiptId }) => [text, receiptId])).toEqual([
      ['one', undefined],
      [first.ended.text, first.ended.receiptId],
    ])
    await turn('chat/send', { conversationId: fork.conversation.id, model, text: 'elsewhere' })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', first.ended.text],
      ['user', 'elsewhere'],
    ])
    expect((await whole(conversationId)).messages).toHaveLength(4)
  })
})

describe('privacy', () => {
  it('a fork, an edit and a regenerated reply of a private conversation are never sent to a model that isn’t private', async () => {
    const { conversation, userMessage, answer } = await turn('chat/send', {
      model: PRIVATE_MODEL,
      text: 'between us',
    })
    const { conversation: fork } = (await world.call('conversations/fork', {
      conversationId: conversation.id,
    })) as { conversation: Conversation }
    world.sandbox.clearReceived()
    const refused = { code: 'SOTTO', data: { code: 'privacy/consent-required' } }
    for (const { error } of [
      await ask('chat/send', { conversationId: fork.id, model: PLAINTEXT_MODEL, text: 'aloud' }),
      await ask('chat/send', {
        conversationId: conversation.id,
        parentId: null,
        model: PLAINTEXT_MODEL,
        text: 'aloud',
      }),
      await ask('chat/regenerate', {
        conversationId: conversation.id,
        questionId: userMessage.id,
        model: PLAINTEXT_MODEL,
      }),
    ])
      expect(error).toMatchObject(refused)
    expect(chatRequests(world.sandbox)).toEqual([])
    expect((await whole(conversation.id)).messages.map(({ id }) => id)).toEqual([userMessage.id, answer.id])
  })

  it('a conversation that became private stays private on every branch', async () => {
    const {
      conversation: { id: conversationId },
      answer,
    } = await turn('chat/send', { model: PLAINTEXT_MODEL, text: 'for all to hear' })
    await turn('chat/send', { conversationId, parentId: answer.id, model: PRIVATE_MODEL, text: 'between us' })
    world.sandbox.clearReceived()
    const { error } = await ask('chat/send', {
      conversationId,
      parentId: answer.id,
      model: PLAINTEXT_MODEL,
      text: 'aloud',
    })
    expect(error).toMatchObject({ data: { code: 'privacy/consent-required' } })
    const { conversation } = (await world.call('conversations/fork', { conversationId })) as {
      conversation: Conversation
    }
    expect(conversation.private).toBe(true)
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it('an unknown message is refused with its code', async () => {
    const {
      conversation: { id: conversationId },
      answer,
    } = await turn('chat/send', { model: PRIVATE_MODEL, text: 'x' })
    const unknown = { data: { code: 'conversation/message-unknown' } }
    expect(
      (await ask('chat/send', { conversationId, parentId: 'nowhere', model: PRIVATE_MODEL, text: 'y' }))
        .error,
    ).toMatchObject(unknown)
    expect(
      (await ask('chat/regenerate', { conversationId, questionId: answer.id, model: PRIVATE_MODEL })).error,
    ).toMatchObject(unknown)
    for (const call of ['show', 'fork'])
      expect(
        await world.call(`conversations/${call}`, { conversationId, messageId: 'nowhere' }),
      ).toMatchObject(unknown)
    expect((await whole(conversationId)).messages).toHaveLength(2)
  })
})

describe('deletion', () => {
  it('of a message hides it and all later ones, and undo shows them again', async () => {
    const first = await turn('chat/send', { model: PRIVATE_MODEL, text: 'one' })
    const { id: conversationId } = first.conversation
    const second = await turn('chat/send', { conversationId, model: PRIVATE_MODEL, text: 'two' })
    const removal = { conversationId, messageId: second.userMessage.id }
    expect(await world.call('conversations/remove', removal)).toMatchObject({ removed: true })
    expect((await whole(conversationId)).messages.map(({ text }) => text)).toEqual(['one', first.ended.text])
    await turn('chat/send', { conversationId, model: PRIVATE_MODEL, text: 'two, otherwise' })
    expect(readMessages()).toEqual([
      ['user', 'one'],
      ['assistant', first.ended.text],
      ['user', 'two, otherwise'],
    ])
    const { conversation, messages } = (await world.call('conversations/restore', removal)) as {
      conversation: Conversation
      messages: Message[]
    }
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'one',
      'two',
      'two, otherwise',
    ])
    expect(conversation.leafId).toBe(second.userMessage.id)
    await turn('chat/send', { conversationId, model: PRIVATE_MODEL, text: 'three' })
    expect(readMessages()?.map(([, text]) => text)).toEqual([
      'one',
      first.ended.text,
      'two',
      second.ended.text,
      'three',
    ])
  })

  it('of a conversation hides it, leaves its receipts, and can be undone only once', async () => {
    const {
      conversation: { id: conversationId },
      ended,
    } = await turn('chat/send', { model: PRIVATE_MODEL, text: 'to go' })
    expect(await world.call('conversations/remove', { conversationId })).toMatchObject({
      removed: true,
      undoMs: 30_000,
    })
    expect(((await world.call('conversations/list')) as Conversation[]).map(({ id }) => id)).not.toContain(
      conversationId,
    )
    expect(await whole(conversationId)).toMatchObject({ data: { code: 'conversation/unknown' } })
    expect((await ask('chat/send', { conversationId, model: PRIVATE_MODEL, text: 'x' })).error).toMatchObject(
      { data: { code: 'conversation/unknown' } },
    )
    expect(await world.call('receipts/get', { receiptId: ended.receiptId })).toMatchObject({
      id: ended.receiptId,
    })
    expect(await world.call('conversations/remove', { conversationId })).toMatchObject({ removed: false })
    expect(await world.call('conversations/restore', { conversationId })).toMatchObject({
      conversation: { id: conversationId, title: 'to go' },
    })
    expect(await world.call('conversations/restore', { conversationId })).toMatchObject({
      data: { code: 'conversation/unknown' },
    })
  })
})

it('a temporary conversation is listed, continued and forked as one, and ends with its window', async () => {
  const { conversation } = await turn('chat/send', {
    model: PRIVATE_MODEL,
    text: 'not to stay',
    begin: { temporary: true },
  })
  expect(conversation.temporary).toBe(true)
  const { id: conversationId } = conversation
  await turn('chat/send', { conversationId, model: PRIVATE_MODEL, text: 'and on' })
  expect(readMessages()?.[0]).toEqual(['user', 'not to stay'])
  const fork = (await world.call('conversations/fork', { conversationId })) as { conversation: Conversation }
  expect(fork.conversation.temporary).toBe(true)
  const listed = (await world.call('conversations/list')) as Conversation[]
  expect(
    listed
      .filter(({ temporary }) => temporary)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([conversationId, fork.conversation.id].toSorted())
  const savedId = listed.find(({ temporary }) => !temporary)!.id
  expect(
    await world.call('conversations/endTemporary', {
      conversationIds: [conversationId, fork.conversation.id, savedId],
    }),
  ).toEqual({ ended: 2 })
  expect(await whole(conversationId)).toMatchObject({ data: { code: 'conversation/unknown' } })
  expect((await whole(savedId)).conversation.id).toBe(savedId)
})

it('a fork may use the tools that were chosen for its conversation', async () => {
  const { conversation } = await turn('chat/send', { model: PRIVATE_MODEL, text: 'x' })
  const chosen = { sources: ['read-file'] }
  await world.call('tools/choose', { conversationId: conversation.id, ...chosen })
  const fork = (await world.call('conversations/fork', { conversationId: conversation.id })) as {
    conversation: Conversation
  }
  expect(await world.call('tools/chosen', { conversationId: fork.conversation.id })).toEqual(chosen)
})

it('pins and unpins a conversation', async () => {
  const {
    conversation: { id: conversationId },
  } = await turn('chat/send', { model: PRIVATE_MODEL, text: 'x' })
  expect(await world.call('conversations/pin', { conversationId, pinned: true })).toMatchObject({
    pinned: true,
  })
  expect((await whole(conversationId)).conversation.pinned).toBe(true)
  await world.call('conversations/pin', { conversationId, pinned: false })
  expect((await whole(conversationId)).conversation.pinned).toBeUndefined()
})
