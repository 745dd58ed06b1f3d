import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatEvents } from '../../../src/core/conversations/chat-events.ts'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'

const delta = (text: string): ChatEvent => ({ type: 'delta', text })

describe('the events of a reply', () => {
  let events: ChatEvents
  let reader: AsyncGenerator<ChatEvent, void>
  beforeEach(() => {
    vi.useFakeTimers()
    events = new ChatEvents()
    reader = events.read()
  })
  afterEach(() => vi.useRealTimers())

  const next = async () => {
    const asked = reader.next()
    await vi.runAllTimersAsync()
    return (await asked).value
  }

  it('are delivered as they arrive, in order', async () => {
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

  it('are delivered immediately for the first piece, and joined for the pieces of the next frame', async () => {
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

  it('lose neither text nor reasoning when pieces are joined', async () => {
    events.push({ type: 'delta', reasoning: 'Think' })
    events.push({ type: 'delta', reasoning: 'ing.', text: 'One' })
    events.push(delta(' two.'))
    expect(await next()).toEqual({ type: 'delta', reasoning: 'Thinking.', text: 'One two.' })
  })

  it('fail after all received events are delivered', async () => {
    events.push(delta('a'))
    events.fail(new Error('cut'))
    expect(await next()).toEqual(delta('a'))
    const asked = expect(reader.next()).rejects.toThrow('cut')
    await vi.runAllTimersAsync()
    await asked
  })

  it('end if the reader stops, also between two frames', async () => {
    events.push(delta('a'))
    await next()
    const ended = reader.return()
    await vi.runAllTimersAsync()
    await expect(ended).resolves.toEqual({ done: true, value: undefined })
  })

  it('are the same for a later reader, from the beginning', async () => {
    const seen = fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom('a', 'b'), fc.constant(null)), { maxLength: 12 }),
      fc.nat(12),
      async (pieces, late) => {
        const shared = new ChatEvents()
        const early = textOf(shared.read())
        let other: Promise<string> | undefined
        for (const [index, piece] of pieces.entries()) {
          if (index === late) other = textOf(shared.read())
          shared.push(piece === null ? { type: 'calling', name: '|' } : delta(piece))
          await vi.advanceTimersByTimeAsync(5)
        }
        shared.end()
        const last = textOf(shared.read())
        await vi.runAllTimersAsync()
        const expected = pieces.map((piece) => piece ?? '|').join('')
        expect(await early).toBe(expected)
        expect(await (other ?? last)).toBe(expected)
        expect(await last).toBe(expected)
      },
    )
    await fc.assert(seen, { numRuns: 50 })
  })

  it('end for a reader who leaves, and continue for another', async () => {
    const left = new AbortController()
    const leaving = textOf(events.read(left.signal))
    const staying = textOf(events.read())
    events.push(delta('a'))
    await vi.runAllTimersAsync()
    left.abort()
    expect(await leaving).toBe('a')
    events.push(delta('b'))
    events.end()
    await vi.runAllTimersAsync()
    expect(await staying).toBe('ab')
  })
})

async function textOf(events: AsyncIterable<ChatEvent>): Promise<string> {
  let text = ''
  for await (const event of events)
    text += event.type === 'delta' ? (event.text ?? '') : event.type === 'calling' ? event.name : ''
  return text
}
