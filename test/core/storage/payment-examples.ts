import type { PaymentRecord } from '../../../src/shared/payment-record.ts'
import type { TopupRecord } from '../../../src/core/storage/index.ts'
import { msg } from '../../../src/shared/localized-text.ts'

export const HASH = '0123456789abcdef'.repeat(4)

/** A payment for an image, with every member that such a record can have. */
export function payment(id: string, change: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    id,
    at: 1_800_000_000_000.25,
    caller: { kind: 'proxy', localKeyId: 'key-1' },
    host: 'canary-service.example',
    state: 'paying',
    purpose: {
      kind: 'request',
      request: {
        endpoint: 'images/edits',
        method: 'POST',
        path: '/v1/images/edits?canary=1',
        contentType: 'multipart/form-data; boundary=canary',
        body: new TextEncoder().encode('canary body of the request'),
      },
      challenge: {
        scheme: 'payment',
        invoice: `lnbc20u1${'q'.repeat(40)}canary`,
        token: 'canary-token',
        echo: {
          id: 'canary-id',
          realm: 'r',
          method: 'lightning',
          intent: 'charge',
          request: 'canary-request',
          expires: '2027-01-15T08:05:00Z',
        },
        stated: { amountSat: '2000', network: 'mainnet', paymentHash: HASH },
        expiresAt: 1_800_000_300_000,
        description: 'canary description',
      },
      challengeMarks: ['canary-mark'],
      subject: 'canary-model',
      description: 'canary description',
      listed: 40_000_000_000n,
    },
    invoice: `lnbc20u1${'q'.repeat(40)}canary`,
    paymentHash: HASH,
    amountMsat: 2_718_281_828n,
    worth: 2_174_625_462_400n,
    feeMsat: 3_141n,
    expiresAt: 1_800_000_300_000,
    wallet: 'ca'.repeat(32),
    reservedAt: 1_800_000_000_001.5,
    preimage: 'fe'.repeat(32),
    paidAt: 1_800_000_000_002,
    attempts: 2,
    credential: 'l402',
    delivered: {
      status: 200,
      files: [{ contentType: 'image/png', bytes: 7 }],
      statusUrl: 'https://canary-service.example/v1/videos/1?sig=canary',
      job: { id: 'canary-job', status: 'pending' },
    },
    receiptId: 'canary-receipt',
    failure: {
      code: 'service/failed',
      detail: msg('The service says: “{words}”.', { words: 'canary detail' }),
    },
    ...change,
  }
}

export function topup(id: string, change: Partial<TopupRecord> = {}): TopupRecord {
  return {
    id,
    accountId: 'canary-account',
    invoiceId: 'canary-invoice',
    method: 'btc-lightning',
    state: 'new',
    amount: '31415',
    currency: 'SATS',
    createdAt: 1_800_000_000_000,
    expiresAt: 1_800_000_900_000,
    paymentHash: HASH,
    lightningInvoice: `lnbc20u1${'q'.repeat(40)}canary`,
    ...change,
  }
}

/** In chunks of this size. */
export async function* chunks(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve()
    yield bytes.subarray(at, at + size)
  }
}
