import { z } from 'zod'
import {
  columnsOf,
  isStoredBody,
  paymentOf,
  paymentPlace,
  requestPlace,
  sealedOf,
  sealedPaymentSchema,
  storedBodyOf,
  type StoredBody,
} from '../core/storage/payment-record.ts'
import { SottoError } from '../shared/errors.ts'
import type { FrozenRequest, PaymentRecord } from '../shared/payment-record.ts'
import { paymentStateSchema } from '../shared/purchase.ts'
import { bytea, int8, type DataKey } from './data-key.ts'
import type { Statements } from './database.ts'

/** A request that is paid separately must fit into one row. Uploads of images are below this. */
const MAX_BODY_BYTES = 64 * 1024 * 1024
const NOTHING: Uint8Array = new Uint8Array(0)

/** Changed payments, with the bytes of their requests. The oldest payment first. */
export const PAYMENTS_SINCE = `SELECT id, seq, at, state, reserved_at, hash_index, payments.body, payment_requests.body AS request
  FROM payments LEFT JOIN payment_requests ON payment_id = id WHERE revision > $1 ORDER BY seq`
export const paymentRowSchema = z.object({
  id: z.string(),
  seq: int8,
  at: int8,
  state: paymentStateSchema,
  reserved_at: int8.nullable(),
  hash_index: bytea,
  body: bytea,
  request: bytea.nullable(),
})
type PaymentRow = z.infer<typeof paymentRowSchema>

/** Runs the statements that store one change, in the transaction of the batch. */
export type Write = (statements: Statements, revision: number) => Promise<void>

/** Seals payments into rows, and opens them. */
export class PaymentRows {
  readonly #key: DataKey
  /** Requests whose bytes are in the database unchanged. */
  readonly #stored = new WeakMap<FrozenRequest, { readonly id: string; readonly body: StoredBody | null }>()

  constructor(key: DataKey) {
    this.#key = key
  }

  /** @throws {SottoError} database/damaged */
  read(row: PaymentRow): PaymentRecord {
    const sealed = this.#key.unseal(sealedPaymentSchema, paymentPlace(row), row.body)
    return paymentOf(row, sealed, ({ body, ...stated }) => {
      const request: FrozenRequest = { ...stated, body: body ? this.#readBody(row, body) : NOTHING }
      this.#stored.set(request, { id: row.id, body })
      return request
    })
  }

  /**
   * Seals a payment.
   * @param seq its place among all payments
   * @throws {SottoError} proxy/body-too-large
   */
  write(payment: PaymentRecord, seq: number): Write {
    const { id, state, purpose } = payment
    const columns = columnsOf(payment, this.#key.blindIndex('payments/hash_index', payment.paymentHash))
    const stored = purpose.kind === 'request' ? this.#storedBody(id, purpose.request) : null
    const sealed = this.#key.seal(paymentPlace(columns), sealedOf(payment, stored?.body ?? null))
    return async (statements, revision) => {
      await statements.execute(
        `INSERT INTO payments (id, seq, revision, at, state, reserved_at, hash_index, body)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET revision = excluded.revision,
          at = excluded.at, state = excluded.state, reserved_at = excluded.reserved_at,
          hash_index = excluded.hash_index, body = excluded.body`,
        [id, seq, revision, columns.at, state, columns.reserved_at, columns.hash_index, sealed],
      )
      if (stored?.bytes)
        await statements.execute(
          'INSERT INTO payment_requests (payment_id, body) VALUES ($1, $2) ON CONFLICT (payment_id) DO UPDATE SET body = excluded.body',
          [id, stored.bytes],
        )
      else if (!stored?.body)
        await statements.execute('DELETE FROM payment_requests WHERE payment_id = $1', [id])
    }
  }

  #readBody({ id, request }: PaymentRow, stored: StoredBody): Uint8Array {
    const body = request && this.#key.unsealBytes(requestPlace(id), request)
    if (!body || !isStoredBody(body, stored)) throw new SottoError('database/damaged')
    return body
  }

  /** @returns `bytes`, sealed, only if they aren't in the database yet */
  #storedBody(
    id: string,
    request: FrozenRequest,
  ): { readonly body: StoredBody | null; readonly bytes?: Buffer } {
    const known = this.#stored.get(request)
    if (known?.id === id) return { body: known.body }
    if (request.body.byteLength > MAX_BODY_BYTES) throw new SottoError('proxy/body-too-large')
    const body = storedBodyOf(request.body)
    const bytes = body ? this.#key.sealBytes(requestPlace(id), request.body) : undefined
    this.#stored.set(request, { id, body })
    return { body, ...(bytes && { bytes }) }
  }
}
