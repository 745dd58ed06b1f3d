import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { clientOf, clientOver, type ContractClient } from '../../../src/cli/client.ts'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import { windowCaller } from '../../window-caller.ts'
import { PLAINTEXT_MODEL, startWorld, type World } from '../../world.ts'

setFlagsFromString('--expose-gc')
const collect = z.custom<() => void>((value) => typeof value === 'function').parse(runInNewContext('gc'))

const PATIENT = { timeout: 20_000 }

/** Collects the objects that the program no longer refers to. */
async function collected(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    collect()
  }
}

test('a watch ends when its caller aborts it, also after garbage collection', async () => {
  await using world = await startWorld()
  const stopped = new AbortController()
  const [seen, ended] = [vi.fn(), vi.fn()]
  void (async () => {
    for await (const topups of await clientOf(world.core).topups.watch(undefined, { signal: stopped.signal }))
      seen(topups)
  })().then(ended, ended)
  await vi.waitFor(() => expect(seen).toHaveBeenCalledOnce(), PATIENT)
  await collected()
  stopped.abort()
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), PATIENT)
})

const windowOf = ({ core }: World): ContractClient => clientOver((request) => core.api(request, windowCaller))

/** Reads an answer up to its beginning, and leaves it. Resolves with its place when the reader has left. */
async function askAndLeave(
  world: World,
  client = windowOf(world),
): Promise<{ conversationId: string; answerId: string }> {
  const left = new AbortController()
  let place = { conversationId: '', answerId: '' }
  try {
    for await (const event of await client.chat.send(
      { model: PLAINTEXT_MODEL, text: 'go on '.repeat(2000) },
      { signal: left.signal },
    )) {
      if (event.type === 'started')
        place = { conversationId: event.conversation.id, answerId: event.answer.id }
      else {
        await collected()
        left.abort()
      }
    }
  } catch (thrown) {
    if (!left.signal.aborted) throw thrown
  }
  return place
}

async function stateOf(
  world: World,
  { conversationId, answerId }: { conversationId: string; answerId: string },
) {
  const { messages } = await windowOf(world).conversations.get({ conversationId })
  return messages.find(({ id }) => id === answerId)?.state
}

test('a reply whose window closes continues, and another reader gets all of it', async () => {
  await using world = await startWorld()
  const place = await askAndLeave(world)
  expect(await stateOf(world, place)).toBe('streaming')
  let [text, last] = ['', '']
  for await (const event of await windowOf(world).chat.follow(place)) {
    if (event.type === 'started') expect(event.answer.id).toBe(place.answerId)
    if (event.type === 'delta') text += event.text ?? ''
    if (event.type === 'ended') last = event.answer.text
  }
  expect(text).toBe(last)
  expect(text).not.toBe('')
  expect(await stateOf(world, place)).toBe('complete')
})

test('a stopped reply is canceled, also after garbage collection', async () => {
  await using world = await startWorld()
  const place = await askAndLeave(world)
  expect(await windowOf(world).chat.stop({ answerId: place.answerId })).toEqual({ stopped: true })
  await vi.waitFor(async () => expect(await stateOf(world, place)).toBe('cancelled'), PATIENT)
  expect(await windowOf(world).chat.stop({ answerId: place.answerId })).toEqual({ stopped: false })
})

test('a reply stops when the command that asked for it exits', async () => {
  await using world = await startWorld()
  const place = await askAndLeave(world, clientOf(world.core))
  await vi.waitFor(async () => expect(await stateOf(world, place)).toBe('cancelled'), PATIENT)
})

test('following a reply that has ended yields only its saved end, and an unknown reply is refused', async () => {
  await using world = await startWorld()
  const place = await askAndLeave(world)
  await windowOf(world).chat.stop({ answerId: place.answerId })
  await vi.waitFor(async () => expect(await stateOf(world, place)).toBe('cancelled'), PATIENT)
  const events: ChatEvent[] = []
  for await (const event of await windowOf(world).chat.follow(place)) events.push(event)
  expect(events).toMatchObject([{ type: 'ended', answer: { id: place.answerId, state: 'cancelled' } }])
  await expect(
    (async () => {
      for await (const event of await windowOf(world).chat.follow({ ...place, answerId: 'other' }))
        events.push(event)
    })(),
  ).rejects.toMatchObject({ data: { code: 'conversation/message-unknown' } })
})

test('deleting a chat stops its reply', async () => {
  await using world = await startWorld()
  const place = await askAndLeave(world)
  await windowOf(world).conversations.remove({ conversationId: place.conversationId })
  await vi.waitFor(
    async () =>
      expect(await windowOf(world).chat.stop({ answerId: place.answerId })).toEqual({ stopped: false }),
    PATIENT,
  )
  await windowOf(world).conversations.restore({ conversationId: place.conversationId })
  expect(await stateOf(world, place)).toBe('cancelled')
})

test('a watch of conversations reports changes by any caller', async () => {
  await using world = await startWorld()
  const left = new AbortController()
  const seen: string[][] = []
  const read = (async () => {
    for await (const ids of await windowOf(world).conversations.watch(undefined, {
      signal: left.signal,
    }))
      seen.push(ids)
  })()
  await vi.waitFor(() => expect(seen).toEqual([[]]), PATIENT)
  const { conversationId } = await askAndLeave(world)
  await vi.waitFor(() => expect(seen.at(-1)).toEqual([conversationId]), PATIENT)
  const before = seen.length
  await windowOf(world).conversations.rename({ conversationId, title: 'Other' })
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before), PATIENT)
  expect(
    await windowOf(world).conversations.list({ conversationIds: [conversationId, 'gone'] }),
  ).toMatchObject([{ id: conversationId, title: 'Other' }])
  left.abort()
  await read.catch(() => undefined)
})
