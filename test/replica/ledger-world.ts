import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { receiptId } from '../../src/core/gateway/relay/receipt-draft.ts'
import type { Reservation } from '../../src/core/gateway/relay/budgets.ts'
import { amountSchema } from '../../src/replica/ledger-operations.ts'
import type { Database } from '../../src/replica/database.ts'
import { createLedger, type Ledger } from '../../src/replica/ledger.ts'
import { createKey } from '../../src/replica/local-keys.ts'
import type { OwnRequests } from '../../src/replica/running-requests.ts'
import type { KeyLimits } from '../../src/shared/key-limits.ts'
import type { Receipt } from '../../src/shared/receipt.ts'

/** One replica's part of the ledger, without its proxy. */
export interface TestReplica {
  readonly id: string
  readonly ledger: Ledger
  readonly ownRequests: OwnRequests
  reserve(
    keyId: string,
    most: bigint | 'unknown',
  ): Promise<{ readonly id: string; readonly reservation: Reservation }>
  /** Ends a request as the relay does: the settlement, and in the same turn its receipt. */
  finish(keyId: string, id: string, reservation: Reservation, cost: bigint | 'unknown'): void
}

export function createTestReplica(
  database: Database,
  { mayGoOn = () => false }: { readonly mayGoOn?: (keyId: string, isPrivate: boolean) => boolean } = {},
): TestReplica {
  const id = randomUUID()
  const ownRequests: OwnRequests = new Map()
  const ledger = createLedger({ database, replicaId: id, now: Date.now, mayGoOn, ownRequests })
  onTestFinished(() => ledger[Symbol.asyncDispose]())
  return {
    id,
    ledger,
    ownRequests,
    async reserve(keyId, most) {
      const requestId = receiptId(Date.now())
      const reservation = await ledger.budgets.reserve(keyId, most, { receiptId: requestId, isPrivate: true })
      return { id: requestId, reservation }
    },
    finish(keyId, requestId, reservation, cost) {
      const charged = reservation.settle(cost)
      ledger.receipts.put(receiptOf(requestId, keyId, { charged: charged.toString() }))
    },
  }
}

export function receiptOf(id: string, keyId: string, more: Partial<Receipt> = {}): Receipt {
  return {
    id,
    at: Date.now(),
    caller: { kind: 'proxy', localKeyId: keyId },
    service: 'sandbox',
    model: 'private/test',
    path: '/v1/chat/completions',
    privacy: 'sealed',
    outcome: 'complete',
    bytesSent: 1,
    bytesReceived: 1,
    ...more,
  }
}

/** Starts a replica's lease of an hour, as a running replica does. */
export async function startTestLease(database: Database, { id }: Pick<TestReplica, 'id'>): Promise<void> {
  await database.execute(
    `INSERT INTO replicas (id, name, schema_version, alive_until)
     VALUES ($1, 'test', 1, clock_timestamp() + interval '1 hour')`,
    [id],
  )
}

/** Ends a replica's lease, as if it had been killed. */
export async function endTestLease(database: Database, { id }: Pick<TestReplica, 'id'>): Promise<void> {
  await database.execute('UPDATE replicas SET alive_until = clock_timestamp() WHERE id = $1', [id])
}

/** Creates a key, whose secret no test needs. */
export function createTestKey(database: Database, limits: KeyLimits = {}): Promise<string> {
  const name = randomUUID()
  return createKey(database, { name, hash: (name + name).replaceAll('-', ''), limits })
}

const sumsSchema = z.object({ spent: amountSchema, reserved: amountSchema })

/** The key's amounts on all days. */
export async function sumsOf(database: Database, keyId: string): Promise<z.output<typeof sumsSchema>> {
  const [sums] = await database.query(
    sumsSchema,
    `SELECT coalesce(sum(spent), 0) AS spent, coalesce(sum(reserved), 0) AS reserved
     FROM key_days WHERE key_id = $1`,
    [keyId],
  )
  if (!sums) throw new Error('There are no sums.')
  return sums
}

export async function countRows(
  database: Database,
  table: 'requests' | 'running_requests' | 'receipts' | 'absences' | 'enclaves',
): Promise<number> {
  const [row] = await database.query(
    z.object({ count: z.coerce.number() }),
    `SELECT count(*) AS count FROM ${table}`,
  )
  return row?.count ?? 0
}
