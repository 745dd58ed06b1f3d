import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { msg } from '../../shared/localized-text.ts'
import { RETRY_DELAYS_MS, withRetries } from '../../shared/with-retries.ts'
import type { PaymentTransport, TransportAnswer } from '../gateway/relay/index.ts'
import { credentialFor, type CredentialForm, type CredentialForms } from './credential.ts'
import { fetchMade, type FetchResult } from './fetch-made.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { DeliveredFiles } from '../storage/index.ts'
import { proofOf, type StoredFile } from './payment-state.ts'
import { namedIn, plainContentType } from './read-answer.ts'
import type { Records } from './records.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** A refused proof may be accepted a moment later, when the service's own node has seen the payment. */
const REFUSED_TRIES = 3
const LONGEST_RETRY_AFTER_MS = 60_000

/** Failures that another attempt may not have. An attempt pays nothing. */
const PASSING = new Set<ErrorCode>([
  'service/unreachable',
  'service/interrupted',
  'service/unavailable',
  'service/failed',
  'service/rate-limited',
])
/** 401 or 403 without a new demand, an unreadable demand, or a 402 without a demand. */
const REFUSED = new Set<ErrorCode>(['payment/credential-refused', 'service/challenge-invalid'])

export interface DeliveryOptions {
  readonly records: Records
  readonly files: DeliveredFiles
  readonly transport: PaymentTransport
  readonly forms: CredentialForms
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly closed: AbortSignal
}

interface ReceivedFile {
  readonly answer: TransportAnswer
  readonly body: Uint8Array
  readonly form: CredentialForm
}

/** Delivers paid requests: sends the same request with the proof, and stores the answer. It can't pay. */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #running = new Map<string, Promise<void>>()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Delivers a record that is `paid`, unless it's already running. The record then has the result. */
  start(id: string): void {
    if (this.#running.has(id)) return
    this.#running.set(
      id,
      this.#deliver(id)
        .catch((thrown: unknown) => {
          if (!this.#options.closed.aborted) this.#abandon(id, 'payment/undelivered', asSottoError(thrown))
        })
        // If the result can't be written, the record remains `paid`, and the next start delivers it.
        .catch(() => undefined)
        .finally(() => this.#running.delete(id)),
    )
  }

  /** Resolves when everything in progress at closing has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  async #deliver(id: string): Promise<void> {
    const { records } = this.#options
    let record = records.of(id)
    if (record.state !== 'paid' || record.purpose.kind !== 'request') return
    if (!record.delivered) {
      const answered = (await this.#adopt(record)) ?? (await this.#send(record))
      if (!answered) return
      record = answered
    }
    const result = await fetchMade(record, this.#options)
    this.#conclude(id, result)
  }

  #conclude(id: string, result: FetchResult): void {
    if (result.complete) this.#options.records.apply(id, { type: 'delivered' })
    else
      this.#options.records.apply(id, {
        type: 'undelivered',
        code: 'payment/undelivered',
        detail: result.why,
      })
  }

  /**
   * Returns an answer that was stored, but not yet recorded, when this computer stopped. The proof may be
   * used up, so the request isn't sent again.
   */
  async #adopt(record: PaymentRecord): Promise<PaymentRecord | undefined> {
    const stored = await this.#options.files.read(record.id, 0)
    return stored
      ? this.#answered(record, { status: 200, contentType: 'application/json', body: stored })
      : undefined
  }

  /** Returns undefined if it was abandoned. */
  async #send(record: PaymentRecord): Promise<PaymentRecord | undefined> {
    const { wait, closed } = this.#options
    for (let tries = 0; ; tries++) {
      const round = await this.#round(record)
      if ('answer' in round) return await this.#keep(record, round)
      const delay = delayAfter(round.failure, round.refused, tries)
      if (delay === undefined) {
        this.#abandon(
          record.id,
          round.refused ? 'payment/credential-refused' : 'payment/undelivered',
          round.failure,
        )
        return undefined
      }
      await wait(delay, closed)
    }
  }

  /** Sends one form of the credential and, if it's refused, the other. Both prove the same payment. */
  async #round(
    record: PaymentRecord,
  ): Promise<ReceivedFile | { readonly failure: SottoError; readonly refused: boolean }> {
    const { records, transport, forms, closed } = this.#options
    const proof = proofOf(record)
    if (!proof)
      return {
        failure: new SottoError('payment/unknown', { detail: msg('Its request is no longer saved.') }),
        refused: false,
      }
    let refusal = new SottoError('payment/credential-refused')
    for (const form of forms.of(record.host)) {
      const authorization = credentialFor(form, proof.challenge, proof.preimage)
      if (authorization === undefined) continue
      records.apply(record.id, { type: 'sent' })
      await records.durable()
      try {
        const response = await transport.send(
          proof.request,
          { idempotencyKey: record.id, authorization },
          closed,
        )
        // A demand after the payment is for a second payment, which Sotto never makes.
        if (response.kind === 'answer')
          return { answer: response, body: await readBytes(response.body, MAX_ANSWER_BYTES), form }
        refusal = new SottoError(
          'payment/credential-refused',
          response.problem === undefined
            ? {}
            : { detail: msg('The service’s message: {words}.', { words: response.problem }) },
        )
      } catch (thrown) {
        const failure = asSottoError(thrown)
        if (closed.aborted || !REFUSED.has(failure.code)) return { failure, refused: false }
        refusal = failure
      }
    }
    return { failure: refusal, refused: true }
  }

  /**
   * Stores the answer. If the disk fails, it retries, because the service may never send the answer again.
   */
  async #keep(record: PaymentRecord, { answer, body, form }: ReceivedFile): Promise<PaymentRecord> {
    const { files, forms, wait, closed } = this.#options
    forms.note(record.host, form)
    const keep = async (): Promise<PaymentRecord> => {
      await files.save(record.id, 0, toAsyncIterable(body))
      return this.#answered(record, {
        status: answer.status,
        contentType: plainContentType(answer.contentType),
        body,
        form,
        ...(answer.receiptId !== undefined && { receiptId: answer.receiptId }),
      })
    }
    return await withRetries(keep, RETRY_DELAYS_MS, { wait, closed })
  }

  #answered(
    { id, purpose }: PaymentRecord,
    {
      status,
      contentType,
      body,
      form,
      receiptId,
    }: {
      readonly status: number
      readonly body: Uint8Array
      readonly form?: CredentialForm
      readonly receiptId?: string
    } & Pick<StoredFile, 'contentType'>,
  ): PaymentRecord {
    const { job, statusUrl } = purpose.kind === 'request' ? namedIn(purpose.request.endpoint, body) : {}
    return this.#options.records.apply(id, {
      type: 'answered',
      status,
      file: { contentType, bytes: body.byteLength },
      ...(job && { job }),
      ...(statusUrl !== undefined && { statusUrl }),
      ...(form && { credential: form }),
      ...(receiptId !== undefined && { receiptId }),
    })
  }

  #abandon(id: string, code: ErrorCode, failure: SottoError): void {
    this.#options.records.apply(id, {
      type: 'undelivered',
      code,
      ...(failure.details.detail !== undefined && { detail: failure.details.detail }),
    })
  }
}

function delayAfter({ code, details }: SottoError, refused: boolean, tries: number): number | undefined {
  if (refused) return tries < REFUSED_TRIES ? RETRY_DELAYS_MS[tries] : undefined
  const delay = PASSING.has(code) ? RETRY_DELAYS_MS[tries] : undefined
  if (delay === undefined || details.retryAfterSeconds === undefined) return delay
  const after = details.retryAfterSeconds * 1000
  return after <= LONGEST_RETRY_AFTER_MS ? Math.max(after, delay) : undefined
}
