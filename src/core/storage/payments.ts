import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import {
  hasEndedUnproven,
  isOpen,
  isPaid,
  type FrozenRequest,
  type PaymentRecord,
} from '../../shared/payment-record.ts'
import { paymentStates, paymentStateSchema } from '../../shared/purchase.ts'
import { msg } from '../../shared/localized-text.ts'
import {
  columnsOf,
  hostPlace,
  hostSchema,
  isStoredBody,
  paymentOf,
  paymentPlace,
  requestPlace,
  sealedOf,
  sealedPaymentSchema,
  storedBodyOf,
  type SealedRequest,
  type StoredBody,
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

/** A state that this version doesn't know isn't one of them, so that its payment is reported as damaged. */
const ENDED = paymentStates
  .filter((state) => !isOpen(state))
  .map((state) => `'${state}'`)
  .join(', ')
const NOTHING: Uint8Array = new Uint8Array(0)

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

  function readBody(id: string, stored: StoredBody): Uint8Array {
    const row = database.get(bodyRowSchema, 'SELECT body FROM payment_requests WHERE payment_id = ?', id)
    const body = row && database.unsealBytes(requestPlace(id), row.body)
    if (!body || !isStoredBody(body, stored))
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
    const sealed = database.unseal(sealedPaymentSchema, paymentPlace(row), row.body)
    return paymentOf(row, sealed, (request) => toRequest(row.id, request))
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
    const body = storedBodyOf(request.body)
    if (!body) return null
    database.run(
      'INSERT INTO payment_requests (payment_id, body) VALUES (?, ?) ON CONFLICT (payment_id) DO UPDATE SET body = excluded.body',
      id,
      database.sealBytes(requestPlace(id), request.body),
    )
    return body
  }

  function write(payment: PaymentRecord, body: StoredBody | null): void {
    const columns = columnsOf(payment, hashIndex(payment.paymentHash))
    database.run(
      `INSERT INTO payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        at = excluded.at, state = excluded.state, reserved_at = excluded.reserved_at, hash_index = excluded.hash_index, body = excluded.body`,
      columns.id,
      columns.at,
      columns.state,
      columns.reserved_at,
      columns.hash_index,
      database.seal(paymentPlace(columns), sealedOf(payment, body)),
    )
  }

  /** Once for each payment, so that a host that the user removed isn't added again. */
  function rememberHost({ id, state, host }: PaymentRecord): void {
    const before = database.get(stateRowSchema, 'SELECT state FROM payments WHERE id = ?', id)?.state
    if (!isPaid(state) || (before && isPaid(before))) return
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
        if (purpose.kind === 'request') {
          body = keepBody(id, purpose.request)
          if (!body) removed = database.run('DELETE FROM payment_requests WHERE payment_id = ?', id)
        }
        write(payment, body)
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
        .all(rowSchema, `SELECT ${COLUMNS} FROM payments WHERE state NOT IN (${ENDED}) ORDER BY seq`)
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
          hasEndedUnproven(state) || reservedAt < at
            ? []
            : [{ host, amountMsat, feeMsat, at: reservedAt, settled: isPaid(state) }],
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
