import { expect, it } from 'vitest'
import { z } from 'zod'
import { receiptId } from '../../../../src/core/gateway/relay/receipt-draft.ts'

it('is a UUID of version 7 that begins with the time', () => {
  for (const at of [0, 1, 1_800_000_000_000.75, 2 ** 48 - 1]) {
    const id = receiptId(at)
    expect(z.uuidv7().safeParse(id).success).toBe(true)
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Math.trunc(at))
  }
})

it('is another one each time, and a later one sorts after it', () => {
  const at = 1_800_000_000_000
  const ids = Array.from({ length: 1000 }, () => receiptId(at))
  expect(new Set(ids).size).toBe(1000)
  expect(ids.every((id) => id < receiptId(at + 1))).toBe(true)
})
