import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actionsOf, nextJob, type JobEvent } from '../../../src/core/jobs/job-state.ts'
import type { JobRecord } from '../../../src/shared/job-record.ts'
import { hasEnded } from '../../../src/shared/job-state.ts'
import type { JobFile, PayWay } from '../../../src/shared/job.ts'

const fresh = (pay: PayWay): JobRecord => ({
  id: 'j',
  at: 1,
  changedAt: 1,
  state: 'ready',
  pay,
  caller: { kind: 'window' },
  files: [],
  ask: { kind: 'image', model: 'brush', prompt: 'an otter' },
})
const fileOf = (index: number): JobFile => ({
  index,
  role: index === 0 ? 'answer' : 'made',
  name: 'a.png',
  type: 'image/png',
  bytes: 1,
})

const events: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.constantFrom<JobEvent>(
    { type: 'quoted', purchaseId: 'p' },
    { type: 'paying' },
    { type: 'charged', receiptId: 'r', cost: '6' },
    { type: 'charged', receiptId: 'r' },
    { type: 'accepted', remoteId: 'gen_1' },
    { type: 'answered', cost: '5' },
    { type: 'answered' },
    { type: 'done' },
    { type: 'stopped' },
    { type: 'interrupted' },
    { type: 'lost' },
    { type: 'resumed' },
    { type: 'failed', code: 'service/rejected' },
    { type: 'failed', code: 'payment/undelivered' },
    { type: 'cost', paidMsat: '7' },
    { type: 'parted', of: 3 },
    { type: 'paused' },
    { type: 'paused', code: 'studio/interrupted' },
    { type: 'tallied', rows: { done: 1, failed: 1, unknown: 0 }, cost: '9' },
    { type: 'embedded', count: 2, dimensions: 4 },
    { type: 'capped', most: '7' },
  ),
  fc.record({ type: fc.constant('sent' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('kept' as const), file: fc.nat(3).map(fileOf) }),
  fc.record({ type: fc.constant('renamed' as const), title: fc.constantFrom('', 'otters') }),
)
const batch = (pay: PayWay): JobRecord => ({
  ...fresh(pay),
  parts: { of: 3, done: 0 },
  ask: {
    kind: 'batch',
    method: 'POST',
    path: '/api/a/b',
    file: { file: 10_000 },
    columns: { a: { column: 0, as: 'text' } },
    header: true,
    concurrency: 2,
  },
})
const histories = fc.array(events, { maxLength: 40 })
const ways = fc.constantFrom<PayWay>('balance', 'single')

test('any sequence of events sends a job once, resends it only for its owner, and loses no file or cost', () => {
  fc.assert(
    fc.property(ways, fc.boolean(), histories, (pay, whole, history) => {
      let job = whole ? fresh(pay) : batch(pay)
      let [sent, resumed] = [0, 0]
      for (const event of history) {
        const next = nextJob(job, event)
        if (next !== job && event.type === 'resumed') resumed++
        if (next.state === 'sending' && job.state !== 'sending') sent++
        expect(sent).toBeLessThanOrEqual(1 + resumed)
        // Only a request that is paid from the balance can end as unknown. Only a new request of the owner leaves
        // that state.
        if (next.state === 'unknown' && job.state !== 'unknown')
          expect([job.state, job.pay]).toEqual(['sending', 'balance'])
        if ((job.state === 'unknown' && !job.parts) || job.state === 'done')
          expect(next.state).toBe(job.state)
        if (hasEnded(job.state) && next.state !== job.state) expect(event.type).toBe('resumed')
        // Only a job that is paid per request asks the wallet and names a purchase.
        if (next.state === 'paying' || next.purchaseId !== undefined) expect(next.pay).toBe('single')
        if (job.purchaseId !== undefined) expect(next.purchaseId).toBe(job.purchaseId)
        for (const { index } of job.files) expect(next.files.map((file) => file.index)).toContain(index)
        if (job.cost !== undefined) expect(next.cost).toBeDefined()
        if (job.paidMsat !== undefined) expect(next.paidMsat).toBeDefined()
        if (next.state === 'done') expect(next.failure).toBeUndefined()
        if (next.state === 'failed' || next.state === 'unknown' || next.state === 'lost')
          expect(next.failure).toBeDefined()
        job = next
      }
    }),
    { numRuns: 3000 },
  )
})

test('a repeated event changes nothing', () => {
  fc.assert(
    fc.property(ways, histories, events, (pay, history, event) => {
      if (event.type === 'kept' || event.type === 'resumed') return
      const once = nextJob(history.reduce(nextJob, batch(pay)), event)
      expect(nextJob(once, event)).toBe(once)
    }),
    { numRuns: 1000 },
  )
})

test('a purchase that was paid but not delivered can be resumed, not bought again', () => {
  const job = [
    { type: 'quoted', purchaseId: 'p' },
    { type: 'paying' },
    { type: 'sent', at: 2 },
    { type: 'failed', code: 'payment/undelivered' },
  ] satisfies JobEvent[]
  const failed = job.reduce<JobRecord>(nextJob, fresh('single'))
  expect(actionsOf(failed)).toEqual(['resume'])
  expect(nextJob(failed, { type: 'resumed' }).state).toBe('ready')
})

test('a job in parts can be paused and resumed; an image can’t', () => {
  const sending = nextJob(batch('single'), { type: 'sent', at: 2 })
  expect(actionsOf(sending)).toEqual(['stop', 'pause'])
  const paused = nextJob(sending, { type: 'paused', code: 'studio/cap-reached' })
  expect([paused.state, paused.failure?.code, actionsOf(paused)]).toEqual([
    'paused',
    'studio/cap-reached',
    ['again', 'resume'],
  ])
  expect(nextJob(paused, { type: 'resumed' })).toMatchObject({ state: 'ready' })
  const picture = nextJob(fresh('balance'), { type: 'sent', at: 2 })
  expect(nextJob(picture, { type: 'paused' })).toBe(picture)
})

test.each([
  ['balance', [{ type: 'sent', at: 2 }, { type: 'interrupted' }], ['again', 'compare']],
  [
    'balance',
    [
      { type: 'sent', at: 2 },
      { type: 'kept', file: fileOf(0) },
      { type: 'answered' },
      { type: 'failed', code: 'store/unwritable' },
    ],
    ['again', 'resume'],
  ],
  ['balance', [{ type: 'sent', at: 2 }, { type: 'answered' }, { type: 'lost' }], ['again', 'resume']],
  [
    'balance',
    [
      { type: 'sent', at: 2 },
      { type: 'accepted', remoteId: 'gen_1' },
    ],
    ['poll'],
  ],
  ['single', [], ['pay', 'stop']],
  ['single', [{ type: 'quoted', purchaseId: 'p' }, { type: 'paying' }], []],
] as const)('the possible actions: %s %j', (pay, history, actions) => {
  expect(actionsOf(history.reduce<JobRecord>(nextJob, fresh(pay)))).toEqual(actions)
})
