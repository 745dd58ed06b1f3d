import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { clientOf } from '../../../src/cli/client.ts'
import { OPEN_MODEL, startWorld } from '../../world.ts'

setFlagsFromString('--expose-gc')
const collect = z.custom<() => void>((value) => typeof value === 'function').parse(runInNewContext('gc'))

const PATIENT = { timeout: 20_000 }

/** Whatever nobody holds is gone. */
async function collected(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    collect()
  }
}

test('what follows ends when its caller gives it up, also after memory was tidied up', async () => {
  await using world = await startWorld()
  const stopped = new AbortController()
  const [told, ended] = [vi.fn(), vi.fn()]
  void (async () => {
    for await (const topups of await clientOf(world.core).topups.watch(undefined, { signal: stopped.signal }))
      told(topups)
  })().then(ended, ended)
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce(), PATIENT)
  await collected()
  stopped.abort()
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), PATIENT)
})

test('an answer that is stopped is no longer paid, also after memory was tidied up', async () => {
  await using world = await startWorld()
  const stopped = new AbortController()
  const seen: string[] = []
  const ended = vi.fn()
  void (async () => {
    for await (const { type } of await clientOf(world.core).chat.send(
      { model: OPEN_MODEL, text: 'go on '.repeat(2000) },
      { signal: stopped.signal },
    )) {
      seen.push(type)
      if (type === 'started') {
        await collected()
        stopped.abort()
      }
    }
  })().then(ended, ended)
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), PATIENT)
  const [conversation] = await clientOf(world.core).conversations.list()
  await vi.waitFor(async () => {
    const { messages } = await clientOf(world.core).conversations.get({
      conversationId: conversation?.id ?? '',
    })
    expect(messages.at(-1)?.state).toBe('cancelled')
  }, PATIENT)
})
