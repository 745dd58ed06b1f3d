import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { storedTextSchema, localizedTextSchema } from '../../src/shared/localized-text-schema.ts'
import { msg } from '../../src/shared/localized-text.ts'

const message = msg('The service returned status {status}.', { status: 503 })

describe('messages of the core', () => {
  it('are transferred unchanged, and anything else is refused', () => {
    expect(localizedTextSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message)
    for (const other of [
      'text',
      [{ english: 1 }],
      [{ english: 'x', values: { a: null } }],
      [{ english: 'x', more: 1 }],
      Array(61).fill(message[0]),
      [{ english: 'x'.repeat(1001) }],
    ])
      expect(localizedTextSchema.safeParse(other).success).toBe(false)
  })
  it('include how their amounts are rounded', () => {
    const amounts = msg('{left} remains.', { left: { usd: '1', round: 'down' } })
    expect(localizedTextSchema.parse(JSON.parse(JSON.stringify(amounts)))).toEqual(amounts)
    expect(
      localizedTextSchema.safeParse([{ english: 'x', values: { a: { usd: '1', round: 'up' } } }]).success,
    ).toBe(false)
  })
  it('are saved with a failure or omitted, and an older text is read as it was written', () => {
    const failure = z.object({ code: z.string(), detail: storedTextSchema.exactOptional() })
    for (const stored of [{ code: 'c' }, { code: 'c', detail: message }])
      expect(z.decode(failure, z.encode(failure, stored))).toEqual(stored)
    expect(failure.parse({ code: 'c', detail: 'It was text.' })).toEqual({
      code: 'c',
      detail: msg('{words}', { words: 'It was text.' }),
    })
    expect(failure.safeParse({ code: 'c', detail: 'x'.repeat(8001) }).success).toBe(false)
  })
})
