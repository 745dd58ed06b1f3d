import { expect } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../src/replica/database.ts'
import { amountSchema } from '../../src/replica/ledger-operations.ts'
import { JournalCache } from '../../src/replica/payment-journal.ts'
import { unlockTeamVault } from '../../src/replica/team-records.ts'
import type { Sandbox, SandboxWallet } from '../../src/sandbox/index.ts'
import { isPaid, isUncertain } from '../../src/shared/payment-record.ts'
import type { RecordingService } from './recording-service.ts'
import { masterKey } from './team-payer.ts'

/** Longer than a sweep takes after a lease has ended. */
const SWEEP_SECONDS = 6

/** A busy computer delays the renewals and sweeps of four replicas. */
const SWEEP_TIMEOUT_MS = 180_000

/** Waits until each reservation of an ended replica is charged, so that none is leaked. */
export async function waitForLeases(database: Database): Promise<void> {
  const leaked = (): Promise<unknown[]> =>
    database.query(
      z.object({ id: z.string(), replica_id: z.string(), overdue: z.number().nullable() }),
      `SELECT requests.id, replica_id, extract(epoch FROM clock_timestamp() - alive_until)::double precision AS overdue
       FROM requests LEFT JOIN replicas ON replicas.id = replica_id
       WHERE coalesce(alive_until, '-infinity') < clock_timestamp() - make_interval(secs => $1)`,
      [SWEEP_SECONDS],
    )
  await expect.poll(leaked, { timeout: SWEEP_TIMEOUT_MS }).toEqual([])
}

/** @returns those IDs that are neither of a receipt nor of an absence */
export async function findUnrecorded(database: Database, receiptIds: readonly string[]): Promise<string[]> {
  const rows = await database.query(
    z.object({ id: z.string() }),
    `SELECT id FROM unnest($1::text[]) AS answered (id) WHERE NOT EXISTS (
       SELECT 1 FROM receipts WHERE receipts.id = answered.id
       UNION ALL SELECT 1 FROM absences WHERE absences.id = answered.id)`,
    [receiptIds],
  )
  return rows.map(({ id }) => id)
}

const sumsSchema = z.object({
  spent: amountSchema,
  reserved: amountSchema,
  receipts: amountSchema,
  absences: amountSchema,
  requests: amountSchema,
  running: z.coerce.number(),
})

/** Compares the sums of the ledger with its rows, and with what the service charged to the account. */
export async function ledgerErrors(
  database: Database,
  sandbox: Sandbox,
  account: string,
  { atRest = false }: { readonly atRest?: boolean } = {},
): Promise<string[]> {
  const [sums] = await database.query(
    sumsSchema,
    `SELECT (SELECT sum(spent) FROM key_days) AS spent, (SELECT sum(reserved) FROM key_days) AS reserved,
       (SELECT coalesce(sum((body->>'charged')::numeric), 0) FROM receipts) AS receipts,
       (SELECT coalesce(sum(charged), 0) FROM absences) AS absences,
       (SELECT coalesce(sum(reserved), 0) FROM requests) AS requests, (SELECT count(*) FROM requests) AS running`,
  )
  if (!sums) throw new Error('There are no sums.')
  const { spent, reserved, receipts, absences, requests, running } = sums
  const billed = sandbox
    .ledger()
    .filter((entry) => entry.account === account)
    .reduce((sum, { picoUsd }) => sum + picoUsd, 0n)
  return [
    ...(spent === receipts + absences ? [] : [`${spent} is spent, but receipts have ${receipts + absences}`]),
    ...(reserved === requests ? [] : [`${reserved} is reserved, but requests have ${requests}`]),
    ...(billed <= spent + reserved ? [] : [`${billed} was billed, but only ${spent + reserved} is counted`]),
    ...(atRest && running > 0 ? [`${String(running)} requests never ended`] : []),
  ]
}

/** Compares the wallet's payments with the purchases that the service saw, and with the journal. */
export async function paymentErrors(
  database: Database,
  wallet: SandboxWallet,
  service: RecordingService,
): Promise<string[]> {
  const { key } = await unlockTeamVault(database, masterKey())
  const cache = new JournalCache(key)
  await cache.refresh((schema, text, values) => database.query(schema, text, values))
  const payments = wallet.payments()
  const settled = new Set(payments.filter(({ state }) => state === 'settled').map(({ invoice }) => invoice))
  return [
    ...payments.flatMap(({ paymentHash, asked }) =>
      asked > 1 ? [`the wallet was asked ${String(asked)} times to pay ${paymentHash}`] : [],
    ),
    ...[...service.invoices].flatMap(([query, invoices]) => {
      const paid = invoices.filter((invoice) => settled.has(invoice)).length
      return paid > 1 ? [`"${query}" was paid ${String(paid)} times`] : []
    }),
    ...payments.flatMap(({ paymentHash, state }) => {
      const known = cache.memory.byPaymentHash(paymentHash).map((record) => record.state)
      if (state === 'settled' && !known.some((each) => isPaid(each) || isUncertain(each)))
        return [`${paymentHash} was paid, and is ${known.join(', ') || 'unknown'}`]
      return []
    }),
  ]
}
