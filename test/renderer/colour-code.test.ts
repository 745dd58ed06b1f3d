import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answered, Asked } from '../../src/renderer/features/chat/colour-code.ts'

type Nodes = NonNullable<Answered['nodes']>
const text = (value: string): Nodes => [{ type: 'text', value }]

/** Created threads, in order. */
let threads: FakeThread[] = []

class FakeThread extends EventTarget {
  readonly asked: string[] = []
  ended = false

  constructor() {
    super()
    threads.push(this)
  }

  postMessage({ text: code }: Asked): void {
    this.asked.push(code)
  }

  terminate(): void {
    this.ended = true
  }

  answer(nodes: Answered['nodes']): void {
    this.dispatchEvent(new MessageEvent('message', { data: { nodes } satisfies Answered }))
  }

  fail(): void {
    this.dispatchEvent(new Event('error'))
  }
}

let colourCode: (language: string, text: string, done: (nodes: Nodes) => void) => () => void
/** The result of each piece of code. */
let came: [string, Nodes][] = []
const wish = (code: string) => colourCode('ts', code, (nodes) => came.push([code, nodes]))
const thread = (at = threads.length - 1): FakeThread => threads[at] ?? expect.fail('no thread was begun')

beforeEach(async () => {
  threads = []
  came = []
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeThread)
  vi.resetModules()
  colourCode = (await import('../../src/renderer/features/chat/colour-code.ts')).colourCode
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('highlighting code', () => {
  test('sends one request at a time, and the newest next', () => {
    for (const code of ['a', 'b', 'c']) wish(code)
    expect(thread().asked).toEqual(['a'])
    thread().answer(text('A'))
    expect(thread().asked).toEqual(['a', 'c'])
    thread().answer(text('C'))
    thread().answer(text('B'))
    expect(came).toEqual([
      ['a', text('A')],
      ['c', text('C')],
      ['b', text('B')],
    ])
    expect(threads).toHaveLength(1)
  })

  test('leaves code in an unknown language unchanged', () => {
    wish('a')
    wish('b')
    thread().answer(undefined)
    thread().answer(text('B'))
    expect(came).toEqual([['b', text('B')]])
  })

  test('doesn’t send a canceled request, and ignores the result of one', () => {
    const [first, second] = [wish('a'), wish('b')]
    wish('c')
    first()
    second()
    thread().answer(text('A'))
    expect(thread().asked).toEqual(['a', 'c'])
    thread().answer(text('C'))
    expect(came).toEqual([['c', text('C')]])
    // Canceling a finished call has no effect.
    first()
  })

  test('ends a worker that code keeps busy, leaves that code unchanged, and doesn’t send it again', () => {
    wish('endless')
    wish('b')
    vi.advanceTimersByTime(4_999)
    expect(thread(0).ended).toBe(false)
    vi.advanceTimersByTime(1)
    expect(thread(0).ended).toBe(true)
    expect(thread(1).asked).toEqual(['b'])
    thread(0).answer(text('ENDLESS'))
    thread(1).answer(text('B'))
    expect(came).toEqual([['b', text('B')]])
  })

  test('replaces a failed worker for the waiting requests', () => {
    wish('a')
    wish('b')
    thread(0).fail()
    expect(thread(0).ended).toBe(true)
    thread(0).fail()
    thread(1).answer(text('B'))
    expect(came).toEqual([['b', text('B')]])
    wish('c')
    expect(threads).toHaveLength(2)
  })

  test('ends an idle worker and starts another on demand', () => {
    wish('a')
    thread().answer(text('A'))
    vi.advanceTimersByTime(9_999)
    expect(thread(0).ended).toBe(false)
    wish('b')
    thread(0).answer(text('B'))
    vi.advanceTimersByTime(10_000)
    expect(thread(0).ended).toBe(true)
    wish('c')
    thread(1).answer(text('C'))
    expect(came.map(([code]) => code)).toEqual(['a', 'b', 'c'])
  })
})
