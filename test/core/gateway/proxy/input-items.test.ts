import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listInputItems } from '../../../../src/core/gateway/proxy/input-items.ts'

const items = Array.from({ length: 25 }, (_, at) => ({
  id: `msg_${String(at)}`,
  json: `{"id":"msg_${String(at)}"}`,
}))
interface Page {
  object: string
  data: { id: string }[]
  first_id: string | null
  last_id: string | null
  has_more: boolean
}
const page = (query: Record<string, string>, of = items): Page =>
  JSON.parse(listInputItems(of, query)) as Page

describe('input items', () => {
  it('come newest first, twenty at a time', () => {
    const { data, ...rest } = page({})
    expect(data.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .reverse()
        .slice(0, 20),
    )
    expect(rest).toEqual({ object: 'list', first_id: 'msg_24', last_id: 'msg_5', has_more: true })
  })
  it('are an empty list without any', () => {
    expect(page({}, [])).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false })
  })
  it('come each once over all pages, in both orders', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.constantFrom('asc', 'desc'), (limit, order) => {
        const ids: string[] = []
        for (let more = true; more;) {
          const {
            data,
            last_id: last,
            has_more: hasMore,
          } = page({ limit: String(limit), order, ...(ids.length > 0 && { after: ids.at(-1) }) } as Record<
            string,
            string
          >)
          expect(last).toBe(data.at(-1)?.id)
          ids.push(...data.map(({ id }) => id))
          more = hasMore
        }
        const all = items.map(({ id }) => id)
        expect(ids).toEqual(order === 'asc' ? all : all.reverse())
      }),
    )
  })
  it.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '1e1' }],
    ['order', { order: 'up' }],
    ['after', { after: 'msg_99' }],
  ])('are refused for a wrong %s: %j', (param, query) => {
    expect(() => page(query as Record<string, string>)).toThrow(
      expect.objectContaining({
        code: 'proxy/invalid-request',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
})
