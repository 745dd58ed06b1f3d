import { expect, test } from 'vitest'
import {
  columnsOf,
  hostPlace,
  isStoredBody,
  paymentOf,
  paymentPlace,
  requestPlace,
  sealedOf,
  sealedPaymentSchema,
  storedBodyOf,
} from '../../../src/core/storage/payment-record.ts'
import { payment } from './payment-examples.ts'

const index = Buffer.from('00ff', 'hex')
const body = new TextEncoder().encode('canary body of the request')

test('rows that were sealed before can be opened, because their places are the same', () => {
  const reserved = payment('p', { at: 5.9, state: 'paying', reservedAt: 7.2 })
  expect(paymentPlace(columnsOf(reserved, index))).toBe('payments/body/p/5/paying/7/00ff')
  const { reservedAt: _, ...quoted } = reserved
  expect(paymentPlace(columnsOf(quoted, new Uint8Array(index)))).toBe('payments/body/p/5/paying/null/00ff')
  expect(requestPlace('p')).toBe('payment_requests/body/p')
  expect(hostPlace(index, 9)).toBe('paid_hosts/body/00ff/9')
})

test('the sealed part has neither the columns nor the bytes of the request, and is the same payment with them', () => {
  const record = payment('p')
  const sealed = sealedOf(record, storedBodyOf(body))
  expect(sealed).not.toHaveProperty('id')
  expect(sealed).not.toHaveProperty('state')
  expect(sealed.purpose).toMatchObject({
    request: {
      body: { bytes: 26, digest: 'd1c833d555a525dc5325d48c825364a4689f1ea090e62568ae08a7806793f483' },
    },
  })
  const stored = sealedPaymentSchema.parse(JSON.parse(JSON.stringify(sealed)))
  const opened = paymentOf(columnsOf(record, index), stored, ({ body: _, ...request }) => ({
    ...request,
    body,
  }))
  expect(opened).toEqual(record)
})

test('other bytes aren’t those of the request, and a request may have none', () => {
  const stored = storedBodyOf(body) ?? expect.unreachable()
  expect(isStoredBody(body, stored)).toBe(true)
  expect(isStoredBody(body.toReversed(), stored)).toBe(false)
  expect(isStoredBody(new Uint8Array([...body, 0]), stored)).toBe(false)
  expect(storedBodyOf(new Uint8Array(0))).toBeNull()
})
