import { constants, sign } from 'node:crypto'
import {
  verifyRoutingReceipt,
  type RoutingReceiptInput,
} from '../../../src/verifier/service-enclave/index.ts'
import type { Routing } from '../../../src/shared/routing.ts'
import { spkiOf, tlsKeys } from './minted-answer.ts'

export const SENT = Date.UTC(2026, 10, 2, 8, 30)
export const REQUEST_ID = '8d1c46f2a0b94e7f9f0d3f6a5b2c1e07'
export const MODEL = 'anthropic/claude-x'

export const receipt = {
  v: 2,
  request_id: REQUEST_ID,
  request_id_source: 'client',
  issued_at: '2026-11-02T08:30:00.000Z',
  requested_model: MODEL,
  upstream: 'api.anthropic.com',
  upstream_model: 'claude-x-20260101',
  served_model: 'claude-x-20260101',
  route: 'direct',
  provider: 'anthropic',
  upstream_status: 200,
  skipped: [],
  failed: [],
  upstream_selects_provider: false,
}

export const textOf = (changes: object = {}): string => JSON.stringify({ ...receipt, ...changes })

export const ecSignature = (text: string): Buffer => sign('sha256', Buffer.from(text), tlsKeys.ec.privateKey)
export const rsaSignature = (text: string, saltLength = 32): Buffer =>
  sign('sha256', Buffer.from(text), {
    key: tlsKeys.rsa.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength,
  })

export const signatureText = (signature: Buffer, changes: object = {}): string =>
  JSON.stringify({
    alg: 'ECDSA-SHA256',
    over: 'receipt_json_utf8',
    sig: signature.toString('base64'),
    ...changes,
  })
export const signed = (json: string): { json: string; signature: string } => ({
  json,
  signature: signatureText(ecSignature(json)),
})

/** Of one signed receipt for the request above, unless something is changed. */
export function verifyReceipt(json: string, changes: Partial<RoutingReceiptInput> = {}): Routing {
  return verifyRoutingReceipt({
    found: { receipts: [signed(json)], afterData: false },
    tlsKey: spkiOf('ec'),
    requestId: REQUEST_ID,
    model: MODEL,
    now: SENT,
    ...changes,
  })
}
