// Prints the current schema with an example in it, as SQL. Run once when a schema is released, and never edit the result:
// node test/core/storage/released/dump.ts > test/core/storage/released/NNNN.sql
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createStore } from '../../../../src/core/storage/index.ts'
import { KEY, proof, receipt, ticking, verdict } from '../examples.ts'
import { job } from '../job-examples.ts'
import { chunks, payment, topup } from '../payment-examples.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-dump-'))
const store = createStore({ folder, key: KEY, now: ticking() })
const { id: conversationId } = store.conversations.create({
  title: 'A title',
  private: true,
  model: 'private/x',
})
store.messages.add({ conversationId, role: 'user', text: 'A question', state: 'complete' })
store.messages.add({
  conversationId,
  role: 'assistant',
  text: 'Half an ans',
  reasoning: 'A thought',
  state: 'streaming',
  model: 'private/x',
  privacy: 'sealed',
  receiptId: 'receipt-1',
})
store.receipts.put(receipt('receipt-1'))
const { id: keyId } = store.localKeys.add({
  name: 'A key',
  hash: 'aa'.repeat(32),
  limits: { budget: { picoUsd: 5_000_000_000_000n, period: 'month' }, allowUnpriced: true },
})
store.localKeys.change(keyId, { first: true })
store.localKeys.change(store.localKeys.add({ name: 'A former key', hash: 'bb'.repeat(32) }).id, {
  revokedAt: 1_800_000_000_004,
})
store.keyUse.note(keyId, 1_800_000_000_005)
store.keyUse.note(keyId, 1_800_000_000_006)
store.spending.hold(keyId, 20_833, 9n)
store.spending.settle(keyId, 20_833, 0n, 7n)
store.spending.hold(keyId, 20_833, 30n)
store.settings.set('profile', 'a-profile')
store.verdicts.record(verdict('b', 20))
store.verdicts.acceptOlder('enclave.example', 'a')
store.verdicts.trust('enclave.example', 'c')
store.verifiedEnclaves.record(verdict('b', 20), proof(verdict('b', 20)))
store.collateral.record([
  { name: 'amd-crl/Genoa', version: 1_800_000_000_000, list: 'AAAA' },
  { name: 'intel-qe-identity', version: 18 },
])
store.payments.put(payment('payment-1'))
store.payments.put(
  payment('payment-2', { state: 'delivered', purpose: { kind: 'topup', topupId: 'topup-1' } }),
)
store.topups.put(topup('topup-1', { state: 'settled' }))
store.prompts.put({ name: 'A prompt', text: 'Say {{what}}' })
store.folders.put({ name: 'A folder' })
store.projects.put({ name: 'A project', instructions: 'Be brief.', privateOnly: true })
const about = { name: 'notes.txt', kind: 'text', type: 'text/plain' } as const
const attached = await store.attachments.add(about, Buffer.from('Some notes'))
store.messages.add({
  conversationId,
  role: 'user',
  text: 'A question of a file',
  state: 'complete',
  attachments: [attached],
})
store.drafts.save({ conversationId, text: 'A draft', attachments: [attached] })
const documentId = store.knowledge.begin({ projectId: 'project-1', name: 'A document', bytes: 6 })
store.knowledge.put(documentId, [{ number: 0, text: 'A text', place: { line: 1 }, tokens: 2 }])
store.knowledge.finish(documentId, 1)
store.jobs.put(job('job-1'))
await store.jobFiles.save('job-1', 10_000, chunks(Buffer.from('bytes'), 5))
store.close()

const database = new DatabaseSync(join(folder, 'sotto.db'))
for (const pragma of ['application_id', 'user_version']) {
  console.log(`PRAGMA ${pragma} = ${String(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])};`)
}
const schema = database
  .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'index', rowid")
  .all()
for (const { sql } of schema) console.log(`${String(sql)};`)
for (const { type, name } of schema) {
  if (type !== 'table') continue
  for (const row of database.prepare(`SELECT * FROM ${String(name)}`).all()) {
    console.log(
      `INSERT INTO ${String(name)} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`,
    )
  }
}
database.close()
rmSync(folder, { recursive: true })

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
