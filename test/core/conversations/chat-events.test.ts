import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatEvents } from '../../../src/core/conversations/chat-events.ts'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'

const delta = (text: string): ChatEvent => ({ type: 'delta', text })

describe('the events of an answer', () => {
  let events: ChatEvents
  let reader: AsyncGenerator<ChatEvent, void>
  beforeEach(() => {
    vi.useFakeTimers()
    events = new ChatEvents()
    reader = events[Symbol.asyncIterator]()
  })
  afterEach(() => vi.useRealTimers())

  const next = async () => {
    const asked = reader.next()
    await vi.runAllTimersAsync()
    return (await asked).value
  }

  it('are handed over as they come, in order', async () => {
    const asked = reader.next()
    events.push({ type: 'stage', stage: 'proving' })
    await expect(asked).resolves.toEqual({ done: false, value: { type: 'stage', stage: 'proving' } })
    events.push(delta('a'))
    events.push({ type: 'calling', name: 'tool' })
    events.push(delta('b'))
    events.end()
    expect([await next(), await next(), await next(), await next()]).toEqual([
      delta('a'),
      { type: 'calling', name: 'tool' },
      delta('b'),
      undefined,
    ])
  })

  it('hand a first piece over at once, and what comes within the next frame as one', async () => {
    const first = reader.next()
    events.push(delta('a'))
    await expect(first).resolves.toEqual({ done: false, value: delta('a') })
    let handed: unknown
    void reader.next().then(({ value }) => {
      handed = value
    })
    for (const text of ['b', 'c', 'd']) {
      await vi.advanceTimersByTimeAsync(4)
      events.push(delta(text))
    }
    expect(handed).toBeUndefined()
    await vi.advanceTimersByTimeAsync(4)
    expect(handed).toEqual(delta('bcd'))
  })

  it('lose neither words nor reasoning where pieces are joined', async () => {
    events.push({ type: 'delta', reasoning: 'Think' })
    events.push({ type: 'delta', reasoning: 'ing.', text: 'One' })
    events.push(delta(' two.'))
    expect(await next()).toEqual({ type: 'delta', reasoning: 'Thinking.', text: 'One two.' })
  })

  it('fail once all that arrived is handed over', async () => {
    events.push(delta('a'))
    events.fail(new Error('cut'))
    expect(await next()).toEqual(delta('a'))
    const asked = expect(reader.next()).rejects.toThrow('cut')
    await vi.runAllTimersAsync()
    await asked
  })

  it('end where nobody reads on, also between two frames', async () => {
    events.push(delta('a'))
    await next()
    const ended = reader.return()
    await vi.runAllTimersAsync()
    await expect(ended).resolves.toEqual({ done: true, value: undefined })
  })
})
