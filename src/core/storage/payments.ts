import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { FrozenRequest, PaymentRecord } from '../../shared/payment-record.ts'
import { paymentStateSchema, type PaymentState } from '../../shared/purchase.ts'
import { msg } from '../../shared/localized-text.ts'
import {
  sealedPaymentSchema,
  type StoredBody,
  type SealedPayment,
  type SealedRequest,
} from './payment-record.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const COLUMNS = 'id, at, state, reserved_at, hash_index, body'
const rowSchema = z.object({
  id: z.string(),
  at: z.number(),
  state: paymentStateSchema,
  reserved_at: z.number().nullable(),
  hash_index: z.instanceof(Uint8Array),
  body: z.instanceof(Uint8Array),
})
type Row = z.infer<typeof rowSchema>
const stateRowSchema = z.object({ state: paymentStateSchema })
const bodyRowSchema = z.object({ body: z.instanceof(Uint8Array) })
const hostRowSchema = z.object({
  host_index: z.instanceof(Uint8Array),
  first_paid_at: z.number(),
  body: z.instanceof(Uint8Array),
})
const hostSchema = z.object({ host: z.string() })

/** States that don't count towards a limit: nothing was paid, or a person closed a payment whose outcome isn't known. */
const NOT_COUNTED: ReadonlySet<PaymentState> = new Set(['declined', 'failed', 'expired', 'closed'])
const PAID: ReadonlySet<PaymentState> = new Set(['paid', 'delivered', 'undelivered', 'given-up'])
const NOTHING: Uint8Array = new Uint8Array(0)

/**
 * Binds the row to its columns: an attacker who can write the file can't mark a payment as failed, or
 * assign it to another one.
 */
const place = ({ id, at, state, reserved_at, hash_index }: Omit<Row, 'body'>) =>
  `payments/body/${id}/${String(at)}/${state}/${String(reserved_at)}/${Buffer.from(hash_index).toString('hex')}`
const requestPlace = (id: string) => `payment_requests/body/${id}`
const hostPlace = (index: Uint8Array, firstPaidAt: number) =>
  `paid_hosts/body/${Buffer.from(index).toString('hex')}/${String(firstPaidAt)}`

/**
 * The journal of payments. Each write is fsynced before it returns, because money moves next. The bytes of
 * a request are written once, separate from the record, and read only on demand, so that lists of payments
 * don't read uploads.
 */
export function paymentsIn(database: SealedDatabase, now: () => number): Store['payments'] {
  /** Requests whose bytes are in the file unchanged. */
  const storedRequests = new WeakMap<
    FrozenRequest,
    { readonly id: string; readonly body: StoredBody | null }
  >()

  const hashIndex = (paymentHash: string) => database.blindIndex('payments/hash_index', paymentHash)
  const hostIndex = (host: string) => database.blindIndex('paid_hosts/host_index', host)

  function readBody(id: string, { bytes, digest }: StoredBody): Uint8Array {
    const row = database.get(bodyRowSchema, 'SELECT body FROM payment_requests WHERE payment_id = ?', id)
    const body = row && database.unsealBytes(requestPlace(id), row.body)
    if (body?.length !== bytes || sha256(body) !== digest)
      throw new SottoError('store/damaged', {
        detail: msg('A payment’s request doesn’t match the saved one.'),
      })
    return body
  }

  function toRequest(id: string, { body, ...stated }: SealedRequest): FrozenRequest {
    let read: Uint8Array | undefined
    const request: FrozenRequest = {
      ...stated,
      get body() {
        return (read ??= body ? readBody(id, body) : NOTHING)
      },
    }
    storedRequests.set(request, { id, body })
    return request
  }

  function toPayment(row: Row): PaymentRecord {
    const { purpose, ...sealed } = database.unseal(sealedPaymentSchema, place(row), row.body)
    return {
      id: row.id,
      state: row.state,
      ...sealed,
      purpose:
        purpose.kind === 'request' ? { ...purpose, request: toRequest(row.id, purpose.request) } : purpose,
    }
  }

  /**
   * Writes the bytes if they aren't in the file yet. If the bytes of a request were read here and then
   * removed, they aren't written again.
   */
  function keepBody(id: string, request: FrozenRequest): StoredBody | null {
    const known = storedRequests.get(request)
    if (known?.id === id && known.body)
      return database.get(z.object({}), 'SELECT 1 FROM payment_requests WHERE payment_id = ?', id)
        ? known.body
        : null
    if (request.body.byteLength === 0) return null
    database.run(
      'INSERT INTO payment_requests (payment_id, body) VALUES (?, ?) ON CONFLICT (payment_id) DO UPDATE SET body = excluded.body',
      id,
      database.sealBytes(requestPlace(id), request.body),
    )
    return { bytes: request.body.byteLength, digest: sha256(request.body) }
  }

  function write(payment: PaymentRecord, purpose: SealedPayment['purpose']): void {
    const { id, state, purpose: _, ...others } = payment
    const columns: Omit<Row, 'body'> = {
      id,
      state,
      at: Math.trunc(payment.at),
      reserved_at: payment.reservedAt === undefined ? null : Math.trunc(payment.reservedAt),
      hash_index: hashIndex(payment.paymentHash),
    }
    database.run(
      `INSERT INTO payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        at = excluded.at, state = excluded.state, reserved_at = excluded.reserved_at, hash_index = excluded.hash_index, body = excluded.body`,
      columns.id,
      columns.at,
      columns.state,
      columns.reserved_at,
      columns.hash_index,
      database.seal(place(columns), z.encode(sealedPaymentSchema, { ...others, purpose })),
    )
  }

  /** Once for each payment, so that a host that the user removed isn't added again. */
  function rememberHost({ id, state, host }: PaymentRecord): void {
    const before = database.get(stateRowSchema, 'SELECT state FROM payments WHERE id = ?', id)?.state
    if (!PAID.has(state) || (before && PAID.has(before))) return
    const index = hostIndex(host)
    const at = Math.trunc(now())
    database.run(
      'INSERT INTO paid_hosts (host_index, first_paid_at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      index,
      at,
      database.seal(hostPlace(index, at), { host }),
    )
  }

  return {
    put(payment) {
      const { id, purpose } = payment
      let body: StoredBody | null = null
      let removed = 0
      database.durably(() => {
        rememberHost(payment)
        if (purpose.kind === 'topup') return write(payment, purpose)
        const { endpoint, method, path, contentType } = purpose.request
        body = keepBody(id, purpose.request)
        if (!body) removed = database.run('DELETE FROM payment_requests WHERE payment_id = ?', id)
        write(payment, {
          ...purpose,
          request: { endpoint, method, path, ...(contentType !== undefined && { contentType }), body },
        })
      })
      if (purpose.kind === 'request') storedRequests.set(purpose.request, { id, body })
      if (removed > 0) database.clearLog()
    },
    get(id) {
      const row = database.get(rowSchema, `SELECT ${COLUMNS} FROM payments WHERE id = ?`, id)
      return row && toPayment(row)
    },
    byPaymentHash: (paymentHash) =>
      database
        .all(
          rowSchema,
          `SELECT ${COLUMNS} FROM payments WHERE hash_index = ? ORDER BY seq`,
          hashIndex(paymentHash),
        )
        .map(toPayment),
    open: () =>
      database
        .all(
          rowSchema,
          `SELECT ${COLUMNS} FROM payments WHERE state NOT IN ('declined', 'failed', 'expired', 'closed', 'delivered') ORDER BY seq`,
        )
        .map(toPayment),
    list: (limit) =>
      database
        .all(rowSchema, `SELECT ${COLUMNS} FROM payments ORDER BY at DESC, seq DESC LIMIT ?`, limit)
        .map(toPayment),
    reservedSince: (at) =>
      database
        .all(
          rowSchema,
          `SELECT ${COLUMNS} FROM payments WHERE reserved_at >= ? ORDER BY reserved_at, seq`,
          Math.trunc(at),
        )
        .map(toPayment)
        .flatMap(({ host, state, amountMsat, feeMsat = 0n, reservedAt = 0 }) =>
          NOT_COUNTED.has(state) || reservedAt < at
            ? []
            : [{ host, amountMsat, feeMsat, at: reservedAt, settled: PAID.has(state) }],
        ),
    paidHosts: () =>
      database
        .all(hostRowSchema, 'SELECT host_index, first_paid_at, body FROM paid_hosts ORDER BY first_paid_at')
        .map((row) => ({
          host: database.unseal(hostSchema, hostPlace(row.host_index, row.first_paid_at), row.body).host,
          firstPaidAt: row.first_paid_at,
        })),
    forgetHost(host) {
      database.durably(() => database.run('DELETE FROM paid_hosts WHERE host_index = ?', hostIndex(host)))
    },
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
