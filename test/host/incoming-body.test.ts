import { describe, expect, it } from 'vitest'
import { IncomingBody } from '../../src/host/incoming-body.ts'

function incoming(): { body: IncomingBody; calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    body: new IncomingBody({
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      abort: () => calls.push('abort'),
    }),
  }
}

describe('a body that nobody reads holds its source back', () => {
  it.each([
    ['by its bytes', 64 * 1024, 5],
    ['by its pieces, where it comes byte by byte', 1, 1025],
  ])('%s', async (_by, size, pieces) => {
    const { body, calls } = incoming()
    for (let pushed = 1; pushed < pieces; pushed += 1) body.push(new Uint8Array(size))
    expect(calls).toEqual([])
    body.push(new Uint8Array(size))
    expect(calls).toEqual(['pause'])
    body.push(new Uint8Array(size))
    expect(calls).toEqual(['pause'])
    const reader = body[Symbol.asyncIterator]()
    for (let readCount = 0; readCount <= pieces; readCount += 1) {
      expect(calls).toEqual(['pause'])
      expect((await reader.next()).value).toHaveLength(size)
    }
    expect(calls).toEqual(['pause', 'resume'])
  })

  it('and is ended by a reader that leaves', async () => {
    const { body, calls } = incoming()
    body.push(new Uint8Array(1))
    for await (const _ of body) break
    expect(calls).toEqual(['abort'])
  })
})
