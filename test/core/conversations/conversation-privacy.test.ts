import { expect, it } from 'vitest'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { Message } from '../../../src/shared/conversation.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

async function send(world: World, input: object): Promise<{ events: ChatEvent[]; error: unknown }> {
  const response = await world.core.api(
    new Request('http://sotto.invalid/api/chat/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
    windowCaller,
  )
  const events: ChatEvent[] = []
  let error: unknown
  for (const [, name, data] of (await response.text()).matchAll(
    /^event: (\w+)\n(?:[a-z]+: .*\n)*?data: (.+)$/gm,
  )) {
    const { json } = JSON.parse(data!) as { json: unknown }
    if (name === 'error') error = json
    else if (json !== undefined && json !== null) events.push(json as ChatEvent)
  }
  return { events, error }
}

it('a private conversation is never continued with a model that isn’t private', async () => {
  await using world = await startWorld()
  const { events } = await send(world, { model: PRIVATE_MODEL, text: 'between us' })
  const started = events.find((event) => event.type === 'started')!
  expect(started.conversation.private).toBe(true)
  world.sandbox.clearReceived()
  const { error } = await send(world, {
    conversationId: started.conversation.id,
    model: PLAINTEXT_MODEL,
    text: 'and now aloud',
  })
  expect(error).toMatchObject({ code: 'SOTTO', data: { code: 'privacy/consent-required' } })
  expect(chatRequests(world.sandbox)).toEqual([])
})

it('a refused question is saved with its reason and its receipt', async () => {
  await using world = await startWorld()
  world.sandbox.setFault('debug-guest', true)
  const { events } = await send(world, { model: PRIVATE_MODEL, text: 'hello' })
  const ended = events.at(-1)!
  expect(ended).toMatchObject({
    type: 'ended',
    answer: { state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' },
    failure: { code: 'attestation/failed', stepCode: 'report/debug-guest' },
    receipt: { privacy: 'refused', outcome: 'refused' },
  })
  const conversationId = ended.type === 'ended' ? ended.answer.conversationId : ''
  const { messages } = (await world.call('conversations/get', { conversationId })) as { messages: Message[] }
  expect(messages.map(({ text, state }) => [text, state])).toEqual([
    ['hello', 'complete'],
    ['', 'failed'],
  ])
})

it('earlier messages are sent sealed with the next one', async () => {
  await using world = await startWorld()
  const { events } = await send(world, { model: PRIVATE_MODEL, text: 'first' })
  const started = events.find((event) => event.type === 'started')!
  const small = world.outbound.reduce((size, part) => Math.max(size, part.length), 0)
  await send(world, { conversationId: started.conversation.id, model: PRIVATE_MODEL, text: 'second' })
  const large = world.outbound.reduce((size, part) => Math.max(size, part.length), 0)
  expect(large).toBeGreaterThan(small + 50)
})
