import { describe, expect, it } from 'vitest'
import { IncomingBody } from '../../src/host/incoming-body.ts'

function incoming(): { body: IncomingBody; told: string[] } {
  const told: string[] = []
  return {
    told,
    body: new IncomingBody({
      pause: () => told.push('pause'),
      resume: () => told.push('resume'),
      abort: () => told.push('abort'),
    }),
  }
}

describe('a body that nobody reads holds its source back', () => {
  it.each([
    ['by its bytes', 64 * 1024, 5],
    ['by its pieces, where it comes byte by byte', 1, 1025],
  ])('%s', async (_by, size, pieces) => {
    const { body, told } = incoming()
    for (let pushed = 1; pushed < pieces; pushed += 1) body.push(new Uint8Array(size))
    expect(told).toEqual([])
    body.push(new Uint8Array(size))
    expect(told).toEqual(['pause'])
    body.push(new Uint8Array(size))
    expect(told).toEqual(['pause'])
    const reader = body[Symbol.asyncIterator]()
    for (let taken = 0; taken <= pieces; taken += 1) {
      expect(told).toEqual(['pause'])
      expect((await reader.next()).value).toHaveLength(size)
    }
    expect(told).toEqual(['pause', 'resume'])
  })

  it('and is ended by a reader that leaves', async () => {
    const { body, told } = incoming()
    body.push(new Uint8Array(1))
    for await (const _ of body) break
    expect(told).toEqual(['abort'])
  })
})
