import type { SharedGauge } from '../core/gateway/proxy/index.ts'
import type { Database } from './database.ts'
import type { Lease } from './leases.ts'
import type { Ledger } from './ledger.ts'

export interface GaugeSources {
  readonly database: Pick<Database, 'pool'>
  readonly ledger: Pick<Ledger, 'counts'>
  readonly lease: Pick<Lease, 'counts'>
}

/** Returns the numbers of one replica's database connections and batches, for `GET /metrics`. */
export function gaugesOf({ database, ledger, lease }: GaugeSources): SharedGauge[] {
  const { open, idle, waiting } = database.pool()
  const batches = ledger.counts()
  const { sweeps, charged } = lease.counts()
  return [
    gauge('database_connections', 'Open connections of this replica to the shared database.', open),
    gauge('database_connections_idle', 'Open connections that no transaction uses.', idle),
    gauge('database_waiting', 'Transactions that wait for a connection.', waiting),
    gauge('ledger_waiting', 'Operations that wait for the next batch.', batches.waiting),
    gauge('ledger_batches', 'Batches that this replica committed or tried to.', batches.batches),
    gauge(
      'ledger_operations',
      'Operations in these batches. The quotient is the batch size.',
      batches.operations,
    ),
    gauge(
      'ledger_lock_seconds',
      'Time that these batches waited for the locks of ledgers.',
      batches.lockSeconds,
    ),
    gauge(
      'ledger_unsaved',
      'Receipts and ends of requests that the database has not saved yet.',
      batches.unsaved,
    ),
    gauge('lease_sweeps', 'Searches of this replica for requests of ended replicas.', sweeps),
    gauge('lease_charged', 'Requests of ended replicas that these searches charged.', charged),
  ]
}

function gauge(name: string, help: string, value: number): SharedGauge {
  return { name: `sotto_replica_${name}`, help, value }
}
