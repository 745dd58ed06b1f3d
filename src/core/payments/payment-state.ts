import type { ErrorCode } from '../../shared/error-codes.ts'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { PaymentState } from '../../shared/purchase.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import type { CredentialForm } from './credential.ts'
import { provesPayment } from './invoice.ts'
import {
  hasEndedUnproven,
  isPaid,
  isUncertain,
  type FrozenRequest,
  type PaymentRecord,
} from '../../shared/payment-record.ts'
import type { Caller } from '../../shared/receipt.ts'
import { createHash } from 'node:crypto'

/**
 * Returns hashes that identify a challenge after its token was deleted: of the token, and of the ID under
 * which it's echoed. They prove nothing.
 */
export function marksOf({ token, echo }: PaymentChallenge): string[] {
  return [...new Set([token, echo?.id ?? token])].map((name) =>
    createHash('sha256').update(name).digest('hex'),
  )
}

/** Returns the same value for the same bytes of the same tool: 64 hex digits. */
export function requestFingerprint(
  { kind, localKeyId = '' }: Caller,
  { endpoint, method, path, contentType = '', body }: FrozenRequest,
): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, localKeyId, endpoint, method, path, contentType]))
    .update(body)
    .digest('hex')
}

export interface StoredFile {
  readonly contentType: string
  readonly bytes: number
}

export type Job = NonNullable<NonNullable<PaymentRecord['delivered']>['job']>

/** A new fact about a payment. `at` in Unix ms. */
export type PaymentEvent =
  | { readonly type: 'declined' }
  | { readonly type: 'ran-out' }
  /** Written before the wallet is asked, once per record. */
  | { readonly type: 'reserved'; readonly at: number; readonly wallet: string }
  /**
   * A preimage of the wallet, or of a person who paid with another one. It counts if it proves the payment.
   */
  | { readonly type: 'settled'; readonly preimage: string; readonly feeMsat?: bigint; readonly at: number }
  /** The wallet reports that it's certain that nothing was paid. */
  | { readonly type: 'not-paid'; readonly code: ErrorCode; readonly detail?: LocalizedText }
  /** The wallet reports that it refused. No lookup has confirmed that yet. */
  | { readonly type: 'refused' }
  | { readonly type: 'held' }
  | { readonly type: 'unresolved' }
  /** A person ends the wait for an outcome that the wallet may never report. */
  | { readonly type: 'closed' }
  /** The invoice expired long ago, and the wallet knows no payment. */
  | { readonly type: 'gone' }
  | { readonly type: 'sent' }
  | {
      readonly type: 'answered'
      readonly status: number
      readonly file: StoredFile
      readonly statusUrl?: string
      readonly job?: Job
      readonly credential?: CredentialForm
      readonly receiptId?: string
    }
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'kept'; readonly file: StoredFile }
  /** The tool has read its answer. */
  | { readonly type: 'claimed' }
  | { readonly type: 'delivered' }
  | { readonly type: 'undelivered'; readonly code: ErrorCode; readonly detail?: LocalizedText }
  | { readonly type: 'retried' }
  /** A person has abandoned the delivery. */
  | { readonly type: 'given-up' }
  /** Nobody can need the delivery anymore. */
  | { readonly type: 'forgotten' }

/**
 * Returns the record after an event, or the same one if the event has no effect. Invariants for every
 * sequence of events: a record is reserved once, and only from `quoted`; a paid state never changes to an
 * unpaid one; an unpaid state changes only by a preimage that proves the payment; only such a preimage leads
 * to `paid`.
 */
export function nextRecord(record: PaymentRecord, event: PaymentEvent): PaymentRecord {
  const { state } = record
  switch (event.type) {
    case 'declined':
      return state === 'quoted' ? { ...record, state: 'declined' } : record
    case 'ran-out':
      return state === 'quoted' ? failed(record, 'expired', 'payment/expired') : record
    case 'reserved':
      return state === 'quoted'
        ? { ...record, state: 'paying', reservedAt: event.at, wallet: event.wallet }
        : record
    case 'settled':
      return settled(record, event)
    case 'not-paid':
      return isUncertain(state) ? failed(record, 'failed', event.code, event.detail) : record
    case 'held':
      return isUncertain(state) && state !== 'held' ? failed(record, 'held', 'payment/unresolved') : record
    case 'refused':
      return state === 'paying' || state === 'held'
        ? failed(
            record,
            'unknown',
            'payment/unresolved',
            msg('The wallet reports that it refused. Sotto is checking that nothing was paid.'),
          )
        : record
    case 'unresolved':
      return state === 'paying' || state === 'held' ? failed(record, 'unknown', 'payment/unresolved') : record
    case 'closed':
      return state === 'held' || state === 'unknown'
        ? failed(record, 'closed', 'payment/closed-by-user')
        : record
    case 'gone':
      return isUncertain(state) ? failed(record, 'expired', 'payment/expired') : record
    case 'forgotten':
      return hasEndedUnproven(state) ? withoutSecrets(record) : record
    default:
      return isPaid(state) ? delivery(record, event) : record
  }
}

function settled(
  record: PaymentRecord,
  { preimage, feeMsat, at }: Extract<PaymentEvent, { type: 'settled' }>,
): PaymentRecord {
  if (isPaid(record.state)) return record
  if (!provesPayment(preimage, record.paymentHash)) return nextRecord(record, { type: 'unresolved' })
  const { failure: _, ...rest } = record
  return { ...rest, state: 'paid', preimage, paidAt: at, ...(feeMsat !== undefined && { feeMsat }) }
}

/** Paid, and the service is still working on it. */
export function isMaking({ state, delivered }: Pick<PaymentRecord, 'state' | 'delivered'>): boolean {
  return state === 'paid' && delivered?.job?.status === 'pending'
}

/** It's neither being paid nor being delivered. An answer settles it, even if files that it names are still fetched. */
export function isSettled({ state, delivered }: Pick<PaymentRecord, 'state' | 'delivered'>): boolean {
  return state !== 'paying' && (state !== 'paid' || delivered !== undefined)
}

type DeliveryEvent = Extract<
  PaymentEvent,
  {
    type:
      | 'sent'
      | 'answered'
      | 'job'
      | 'kept'
      | 'claimed'
      | 'delivered'
      | 'undelivered'
      | 'retried'
      | 'given-up'
  }
>

function delivery(record: PaymentRecord, event: DeliveryEvent): PaymentRecord {
  const { state, delivered } = record
  if (event.type === 'claimed') {
    const { unclaimed, ...rest } = record
    return unclaimed === undefined ? record : rest
  }
  if (event.type === 'retried')
    return state === 'undelivered' ? withoutFailure({ ...record, state: 'paid' }) : record
  if (event.type === 'given-up') return state === 'undelivered' || isMaking(record) ? abandon(record) : record
  if (state !== 'paid') return record
  switch (event.type) {
    case 'sent':
      return { ...record, attempts: record.attempts + 1 }
    case 'answered': {
      const { status, file, statusUrl, job, credential, receiptId } = event
      const { caller, purpose } = record
      return {
        ...record,
        ...(caller.kind === 'proxy' &&
          purpose.kind === 'request' && { unclaimed: requestFingerprint(caller, purpose.request) }),
        delivered: {
          status,
          files: [file],
          ...(statusUrl !== undefined && { statusUrl }),
          ...(job && { job }),
        },
        ...(credential && { credential }),
        ...(receiptId !== undefined && { receiptId }),
      }
    }
    case 'job':
      return delivered ? { ...record, delivered: { ...delivered, job: event.job } } : record
    case 'kept':
      return delivered
        ? { ...record, delivered: { ...delivered, files: [...delivered.files, event.file] } }
        : record
    case 'delivered':
      return withoutSecrets(withoutFailure({ ...record, state: 'delivered' }))
    case 'undelivered':
      return failed(record, 'undelivered', event.code, event.detail)
  }
}

function failed(
  record: PaymentRecord,
  state: PaymentState,
  code: ErrorCode,
  detail?: LocalizedText,
): PaymentRecord {
  return { ...record, state, failure: { code, ...(detail !== undefined && { detail }) } }
}

/**
 * Keeps the proof of the payment for a claim, and the reason why it wasn't delivered. The request is dropped,
 * so that it isn't sent again.
 */
function abandon(record: PaymentRecord): PaymentRecord {
  const { purpose } = record
  return {
    ...record,
    state: 'given-up',
    ...(purpose.kind === 'request' && { purpose: { ...purpose, request: withoutContent(purpose.request) } }),
  }
}

function withoutFailure(record: PaymentRecord): PaymentRecord {
  const { failure: _, ...rest } = record
  return rest
}

/** Keeps only the hash of the proof, and only the description of the request. */
function withoutSecrets(record: PaymentRecord): PaymentRecord {
  const { preimage: _, ...rest } = record
  if (rest.purpose.kind === 'topup') return rest
  const { challenge, ...purpose } = rest.purpose
  return {
    ...rest,
    purpose: {
      ...purpose,
      ...(challenge && { challengeMarks: marksOf(challenge) }),
      request: withoutContent(purpose.request),
    },
  }
}

function withoutContent({ endpoint, method, path }: FrozenRequest): FrozenRequest {
  return { endpoint, method, path: path.replace(/\?.*/s, ''), body: new Uint8Array(0) }
}

/** Returns the data for the delivery; undefined once it was dropped. */
export function proofOf({
  purpose,
  preimage,
}: PaymentRecord):
  | { readonly request: FrozenRequest; readonly challenge: PaymentChallenge; readonly preimage: string }
  | undefined {
  if (purpose.kind !== 'request' || !purpose.challenge || preimage === undefined) return undefined
  return { request: purpose.request, challenge: purpose.challenge, preimage }
}
