import type { JobRecord } from '../../../src/shared/job-record.ts'
import { msg } from '../../../src/shared/localized-text.ts'

/** Written in every member that an image has: one that is not kept would be missed. */
export function job(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  return {
    id,
    at: 1_800_000_000_000,
    changedAt: 1_800_000_000_001,
    state: 'sending',
    pay: 'balance',
    caller: { kind: 'window' },
    ask: {
      kind: 'image',
      model: 'canary-brush',
      prompt: 'canary prompt',
      n: 2,
      quality: 'high',
      image: { file: 10_000 },
      extra: { seed: [1, { a: null }] },
    },
    title: 'canary title',
    estimate: { least: '1', most: '2' },
    cost: '2',
    paidMsat: '5',
    accountId: 'canary-account',
    receiptId: 'receipt-1',
    sentAt: 1_800_000_000_002,
    remoteId: 'gen_1',
    files: [
      { index: 10_000, role: 'given', name: 'image.png', type: 'image/png', bytes: 5, width: 1, height: 2 },
    ],
    failure: {
      code: 'studio/outcome-unknown',
      detail: msg('The service says: “{words}”.', { words: 'canary detail' }),
    },
    ...changes,
  }
}
