import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { coveredTables, type CoveredTable } from '../../../src/shared/record-change.ts'
import type { Store } from '../../../src/core/storage/index.ts'
import { proof, verdict } from './examples.ts'
import { job } from './job-examples.ts'
import { payment, topup } from './payment-examples.ts'
import { toolServer, toolStep } from './tool-examples.ts'

export type Row = Record<string, SQLInputValue>
export type Tables = Record<CoveredTable, Row[]>

/** Opens the database file as another program would. */
export function editFile<T>(folder: string, work: (database: DatabaseSync) => T): T {
  if (!existsSync(join(folder, 'sotto.db'))) throw new Error('There is no database.')
  const database = new DatabaseSync(join(folder, 'sotto.db'), { defensive: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Every row of every covered table, as it is in the file. */
export function readTables(folder: string): Tables {
  return editFile(
    folder,
    (database) =>
      Object.fromEntries(
        coveredTables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all() as Row[]]),
      ) as Tables,
  )
}

/** Writes other rows in the place of all rows of the table. */
export function replaceRows(folder: string, table: CoveredTable, rows: readonly Row[]): void {
  editFile(folder, (database) => {
    database.exec(`BEGIN; DELETE FROM ${table}`)
    for (const row of rows) {
      const names = Object.keys(row)
      database
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(row))
    }
    database.exec('COMMIT')
  })
}

/** Three rows in every covered table. */
export function fillTables(store: Store): void {
  for (const n of [1, 2, 3]) {
    const host = `host-${String(n)}.example`
    store.settings.set(`setting-${String(n)}`, 'first')
    store.verdicts.record(verdict('a', 10, { enclaveHost: host }))
    store.verifiedEnclaves.record(verdict('a', 10, { enclaveHost: host }), proof(verdict('a', 10)))
    store.collateral.record([{ name: `intel-tcb-info/00000000000${String(n)}`, version: 1 }])
    const { id } = store.localKeys.add({ name: `Key ${String(n)}`, hash: String(n).repeat(64) })
    store.spending.settle(id, n, 0n, 5n)
    store.payments.put(payment(`payment-${String(n)}`, { host, state: 'paid' }))
    store.topups.put(topup(`topup-${String(n)}`))
    store.jobs.put(job(`job-${String(n)}`))
    store.jobParts.put('job-1', { part: n, state: 'sending' })
    store.projects.put({ id: `project-${String(n)}`, name: 'A project', instructions: '', privateOnly: true })
    addDocument(store, `project-${String(n)}`)
    store.tools.putServer(toolServer(`server-${String(n)}`))
    store.tools.putCall(toolStep({ index: n }))
  }
  holdSpending(store)
}

/** Changes one row in every covered table, and removes the second of `paid_hosts`. */
export function changeTables(store: Store): void {
  const [key] = store.localKeys.list()
  if (!key) throw new Error('The tables are empty.')
  store.settings.set('setting-1', 'second')
  store.verdicts.trust('host-1.example', 'z')
  store.verifiedEnclaves.record(
    verdict('a', 10, { enclaveHost: 'host-1.example', verifiedAt: 9 }),
    proof(verdict('a', 10)),
  )
  store.collateral.record([{ name: 'intel-tcb-info/000000000001', version: 2 }])
  store.localKeys.change(key.id, { revokedAt: 7 })
  store.spending.settle(key.id, 1, 0n, 50n)
  store.payments.put(payment('payment-1', { host: 'host-1.example', state: 'delivered' }))
  store.payments.forgetHost('host-2.example')
  store.topups.put(topup('topup-1', { state: 'settled' }))
  store.jobs.put(job('job-1', { state: 'unknown' }))
  store.jobParts.put('job-1', { part: 1, state: 'done' })
  store.projects.put({ id: 'project-1', name: 'A project', instructions: '', privateOnly: false })
  addDocument(store, 'project-1')
  store.tools.putServer(toolServer('server-1', { readOnly: true }))
  store.tools.putCall(toolStep({ index: 1, state: 'done' }))
  holdSpending(store)
}

function addDocument({ knowledge }: Store, projectId: string): void {
  knowledge.finish(knowledge.begin({ projectId, name: 'A document.txt', bytes: 1 }), 0)
}

/** Of days of their own: each opening charges what was held. */
function holdSpending(store: Store): void {
  for (const { id } of store.localKeys.list()) store.spending.hold(id, 99, 1_000n)
}
