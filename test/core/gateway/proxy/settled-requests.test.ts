import { expect, it } from 'vitest'
import { RequestTally } from '../../../../src/core/gateway/proxy/index.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'

const receipt: Receipt = {
  id: 'r',
  at: 0,
  caller: { kind: 'window' },
  service: 'sandbox',
  model: 'm',
  path: '/v1/chat/completions',
  privacy: 'forwarded',
  outcome: 'complete',
  bytesSent: 0,
  bytesReceived: 0,
}

it('waits until every request in progress has its receipt, or until the timeout', async () => {
  const tally = new RequestTally()
  await tally.settled(60_000)
  tally.begin()
  tally.begin()
  let settled = false
  const waiting = tally.settled(60_000).then(() => (settled = true))
  tally.note(receipt)
  await new Promise((resolve) => setImmediate(resolve))
  expect(settled).toBe(false)
  tally.note(receipt)
  await waiting
  tally.begin()
  await tally.settled(1)
})
