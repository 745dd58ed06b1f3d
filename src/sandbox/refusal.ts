import type { ServerResponse } from 'node:http'
import type { FaultSwitches } from './faults.ts'

/** An answer in one piece. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** An error as the service answers it: its shapes were observed, and they differ. */
export interface Refusal extends Reply {
  readonly body: string
}

export function json(status: number, body: object, headers?: Readonly<Record<string, string>>): Refusal {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    ...(headers && { headers }),
  }
}

/** The shape of the gateway: a message and the status again. */
export function gatewayRefusal(status: number, message: string): Refusal {
  return json(status, { error: { message, code: status } })
}

export const credentialMissing = gatewayRefusal(401, 'Missing x-credit-id, Authorization or x-api-key')
export const credentialUnknown = json(401, {
  error: 'Invalid API key',
  message: 'API key not found or has been revoked',
})
export const insufficientCredit = json(402, { error: 'Insufficient credit.' })
export const routeUnknown: Refusal = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: 'OOPS! - 404 Not Found',
}
/** The shape of the documentation. */
export function documentedRefusal(status: number, message: string, field?: string): Refusal {
  return json(status, { status: 'error', statusCode: status, message, ...(field !== undefined && { field }) })
}

export const encryptionMissing = json(400, {
  error: 'missing_encryption',
  message: 'Requests below /private must be encrypted to the key of the enclave',
})

/** The shape of the enclave's own server. */
export function enclaveRefusal(
  status: number,
  type: 'invalid_request_error' | 'server_error',
  message: string,
): Refusal {
  return { status, contentType: 'application/json', body: JSON.stringify({ error: { message, type } }) }
}

/** RFC 9457, as EHBP section 5.2 names it: sealed to another key, so nothing was processed. */
export const keyConfigMismatch: Refusal = {
  status: 422,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'urn:ietf:params:ehbp:error:key-config',
    title: 'The request was not sealed to the current key',
  }),
}

/** @param retryAfter seconds */
export function rateLimitedFor(retryAfter: number): Refusal {
  return json(
    429,
    { status: 'error', statusCode: 429, message: 'Too Many Requests' },
    { 'retry-after': String(retryAfter) },
  )
}

/** The wait is in the body only. @param retryAfter seconds */
export function balanceBackoffFor(retryAfter: number): Refusal {
  return json(429, {
    error: { message: 'Insufficient balance', type: 'balance_backoff', code: 'balance_backoff' },
    retry_after_seconds: retryAfter,
  })
}

const rateLimited = rateLimitedFor(7)
export const failedWithPage: Refusal = {
  status: 500,
  contentType: 'text/html; charset=utf-8',
  body: '<!DOCTYPE html>\n<html lang="en"><head><title>Error</title></head><body><pre>Internal Server Error</pre></body></html>\n',
}

/** The answer that a fault switch puts in place of every chat answer, in the open on both ways. */
export function faultRefusal(faults: FaultSwitches): Refusal | undefined {
  if (faults.on('status-401')) return credentialUnknown
  if (faults.on('status-402')) return insufficientCredit
  if (faults.on('status-429')) return rateLimited
  if (faults.on('status-500-html')) return failedWithPage
  return undefined
}

/** In one piece, or written by the route itself; if that fails, the connection is dropped. */
export type Answer = Reply | ((response: ServerResponse) => Promise<void>)
