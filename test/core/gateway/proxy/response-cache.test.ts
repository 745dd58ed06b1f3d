import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResponseCache, type NewResponse } from '../../../../src/core/gateway/proxy/response-cache.ts'

const HOUR_MS = 3_600_000

interface Clocks {
  wall: number
  monotonic: number
}
function create(limits: { perKey?: number; bytes?: number } = {}): {
  cache: ResponseCache
  clocks: Clocks
  add: (id: string, more?: Partial<NewResponse> & { text?: string; status?: string }) => void
} {
  const clocks: Clocks = { wall: 1_800_000_000_000, monotonic: 0 }
  const cache = new ResponseCache({ now: () => clocks.wall, monotonic: () => clocks.monotonic, ...limits })
  return {
    cache,
    clocks,
    add: (id, { text = '', status = 'completed', ...more } = {}) => {
      cache.begin({
        id,
        keyId: 'a',
        epoch: cache.epoch,
        privacy: 'sealed',
        context: [{ id: `msg_${id}`, json: `{"id":"msg_${id}","text":"${text}"}` }],
        cancelling: new AbortController(),
        ...more,
      })
      cache.update(id, { id, status, output: [{ id: `out_${id}`, type: 'message' }] })
    },
  }
}
const has = (cache: ResponseCache, id: string, key = 'a'): boolean => cache.earlier(key).response(id) !== null
const unknown = expect.objectContaining({ code: 'response/unknown' }) as Error

describe('a cached response', () => {
  it('is its input, its output and how it was sent', () => {
    const { cache, add } = create()
    add('1')
    expect(cache.earlier('a').response('1')).toMatchObject({
      privacy: 'sealed',
      items: [{ id: 'msg_1' }, { id: 'out_1' }],
    })
    expect(cache.earlier('a').item('out_1')).toMatchObject({
      privacy: 'sealed',
      items: [{ id: 'out_1', json: '{"id":"out_1","type":"message"}' }],
    })
    expect(cache.earlier('a').item('msg_1')).toMatchObject({ items: [{ id: 'msg_1' }] })
    expect(JSON.parse(cache.retrieve('a', '1'))).toMatchObject({ id: '1', status: 'completed' })
  })
  it('belongs to the key that made it', async () => {
    const { cache, add } = create()
    add('1')
    expect(has(cache, '1', 'b')).toBe(false)
    expect(cache.earlier('b').item('out_1')).toBeNull()
    expect(() => cache.retrieve('b', '1')).toThrow(unknown)
    expect(() => cache.inputItems('b', '1')).toThrow(unknown)
    expect(() => cache.delete('b', '1')).toThrow(unknown)
    await expect(cache.cancel('b', '1')).rejects.toThrow(unknown)
    expect(has(cache, '1')).toBe(true)
  })
  it.each(['wall', 'monotonic'] as const)('is dropped after an hour of the %s clock', (clock) => {
    const { cache, clocks, add } = create()
    add('1')
    clocks[clock] += HOUR_MS - 1
    expect(has(cache, '1')).toBe(true)
    clocks[clock] += 1
    expect(has(cache, '1')).toBe(false)
    expect([cache.size, cache.bytes]).toEqual([0, 0])
  })
  it('is dropped with its key, and not with another', () => {
    const { cache, add } = create()
    add('1')
    add('2', { keyId: 'b' })
    cache.dropKey('b')
    expect([has(cache, '1'), has(cache, '2', 'b')]).toEqual([true, false])
  })
  it('is not added by a request from before everything was dropped', () => {
    const { cache, add } = create()
    const { epoch } = cache
    cache.clear()
    add('1', { epoch })
    expect(cache.size).toBe(0)
    add('2')
    expect(cache.size).toBe(1)
    cache[Symbol.dispose]()
    add('3')
    expect([cache.size, cache.bytes]).toEqual([0, 0])
  })
  it('cannot be continued while it is in progress, and does not change once it has ended', () => {
    const { cache, add } = create()
    add('1', { status: 'in_progress' })
    expect(has(cache, '1')).toBe(false)
    cache.update('1', { id: '1', status: 'completed' })
    cache.update('1', { id: '1', status: 'failed' })
    expect(JSON.parse(cache.retrieve('a', '1'))).toEqual({ id: '1', status: 'completed' })
  })
  it('can be canceled once, while it is in progress', async () => {
    const { cache, add } = create()
    const cancelling = new AbortController()
    cancelling.signal.addEventListener('abort', () => cache.update('1', { id: '1', status: 'cancelled' }))
    add('1', { status: 'in_progress', cancelling })
    expect(JSON.parse(await cache.cancel('a', '1'))).toEqual({ id: '1', status: 'cancelled' })
    await expect(cache.cancel('a', '1')).rejects.toMatchObject({ code: 'response/not-running' })
  })
  it('ends its request if it is deleted in progress', () => {
    const { cache, add } = create()
    const [running, ended] = [new AbortController(), new AbortController()]
    add('1', { status: 'in_progress', cancelling: running })
    add('2', { cancelling: ended })
    cache.delete('a', '1')
    cache.delete('a', '2')
    expect([running.signal.aborted, ended.signal.aborted, cache.size]).toEqual([true, false, 0])
  })
})

describe('the limits', () => {
  it('drop the least recently used response of the same key', () => {
    const { cache, add } = create({ perKey: 2 })
    add('b', { keyId: 'b' })
    add('1')
    add('2')
    expect(has(cache, '1')).toBe(true)
    add('3')
    expect(['1', '2', '3'].map((id) => has(cache, id))).toEqual([true, false, true])
    expect(has(cache, 'b', 'b')).toBe(true)
  })
  it('drop only a response that is too large for all of the memory', () => {
    const { cache, add } = create({ bytes: 500 })
    add('1')
    add('2', { text: 'x'.repeat(500) })
    expect([has(cache, '1'), has(cache, '2')]).toEqual([true, false])
  })
  it('hold after any sequence of calls', () => {
    const ids = fc.integer({ min: 0, max: 12 }).map(String)
    const keys = fc.constantFrom('a', 'b', 'c')
    const call = fc.oneof(
      fc.record({
        kind: fc.constant('add' as const),
        id: ids,
        key: keys,
        length: fc.integer({ min: 0, max: 400 }),
        status: fc.constantFrom('in_progress', 'completed'),
      }),
      fc.record({ kind: fc.constant('update' as const), id: ids, length: fc.integer({ min: 0, max: 400 }) }),
      fc.record({
        kind: fc.constantFrom('use' as const, 'item' as const, 'delete' as const),
        id: ids,
        key: keys,
      }),
      fc.record({ kind: fc.constant('drop' as const), key: keys }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: HOUR_MS }) }),
    )
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const { cache, clocks, add } = create({ perKey: 3, bytes: 1_000 })
        /** Each key's IDs in the order of their use, the latest last; a model of what may be cached. */
        const used = new Map<string, string>()
        for (const [at, each] of calls.entries()) {
          if (each.kind === 'add') {
            const id = `${each.id}_${String(at)}`
            add(id, { keyId: each.key, text: 'é'.repeat(each.length / 2), status: each.status })
            used.set(each.id, id)
          } else if (each.kind === 'update')
            cache.update(used.get(each.id) ?? '', { status: 'completed', text: 'x'.repeat(each.length) })
          else if (each.kind === 'use') cache.earlier(each.key).response(used.get(each.id) ?? '')
          else if (each.kind === 'item') cache.earlier(each.key).item(`out_${used.get(each.id) ?? ''}`)
          else if (each.kind === 'wait') clocks.wall += each.ms
          else if (each.kind === 'drop') cache.dropKey(each.key)
          else
            try {
              cache.delete(each.key, used.get(each.id) ?? '')
            } catch {
              /* It is not cached. */
            }

          let bytes = 0
          const counts = { a: 0, b: 0, c: 0 }
          for (const key of ['a', 'b', 'c'] as const) {
            for (const id of used.values()) {
              try {
                const texts: string[] = [
                  cache.retrieve(key, id),
                  ...cache.inputItems(key, id).map(({ json }) => json),
                ]
                bytes += Buffer.byteLength(texts.join(''))
                counts[key] += 1
              } catch {
                /* It is not cached. */
              }
            }
          }
          expect(cache.bytes).toBeLessThanOrEqual(1_000)
          expect(cache.bytes).toBeGreaterThanOrEqual(bytes)
          expect(Math.max(...Object.values(counts))).toBeLessThanOrEqual(3)
          expect(cache.size).toBeLessThanOrEqual(9)
        }
        cache.clear()
        expect([cache.size, cache.bytes]).toEqual([0, 0])
      }),
    )
  })
  it('drop the same responses as a list in the order of use', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 8 }).map(String), use: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { cache, add } = create({ perKey: 4 })
        let order: string[] = []
        for (const { id, use } of steps) {
          if (order.includes(id)) {
            if (use) cache.retrieve('a', id)
            order = use ? [...order.filter((each) => each !== id), id] : order
          } else if (!use) {
            add(id)
            order = [...order, id].slice(-4)
          }
          expect(cache.size).toBe(order.length)
        }
        for (const id of order) expect(has(cache, id)).toBe(true)
      }),
    )
  })
})
