import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../src/replica/database.ts'
import { COMMAND } from '../process/command.ts'
import { dataOf } from '../process/command-json.ts'
import { runSotto } from '../process/sotto-process.ts'
import { countRows, sumsOf } from './ledger-world.ts'
import { createMigrated, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

const readySchema = z.object({ event: z.literal('ready'), proxy: z.object({ baseUrl: z.string() }) })
const createdSchema = z.object({ key: z.object({ id: z.string() }), secret: z.string() })
const idSchema = z.object({ id: z.string() })

const folder = mkdtempSync(join(tmpdir(), 'sotto-replicas-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface ReplicaProcess {
  readonly child: ChildProcess
  readonly baseUrl: string
}

async function serve(environment: Record<string, string>): Promise<ReplicaProcess> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--json'], {
    env: { ...process.env, ...environment, SOTTO_SERVICE: 'sandbox', SOTTO_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const [line] = z.tuple([z.string()]).parse(await once(lines, 'line'))
  return { child, baseUrl: readySchema.parse(dataOf(line)).proxy.baseUrl }
}

/** Sends one chat request. Returns its status and receipt ID, or null if the replica ended. */
async function ask(
  { baseUrl }: ReplicaProcess,
  secret: string,
): Promise<{ readonly status: number; readonly receiptId: string | null } | null> {
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'private/sandbox-whisper-70b',
        max_tokens: 16,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    await response.text()
    return { status: response.status, receiptId: response.headers.get('x-request-id') }
  } catch {
    return null
  }
}

async function hasRecord(database: Database, receiptId: string): Promise<boolean> {
  const rows = await database.query(
    idSchema,
    'SELECT id FROM receipts WHERE id = $1 UNION ALL SELECT id FROM absences WHERE id = $1',
    [receiptId],
  )
  return rows.length === 1
}

describeWithPostgres('two replicas in their own processes', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('lose no amount and no receipt when one is killed, and the other refuses a revoked key', async () => {
    const { address, database } = await createMigrated(server)
    const urlFile = join(folder, 'database-url')
    writeFileSync(urlFile, `${address}\n`, { mode: 0o600 })
    const environment = { SOTTO_DATABASE_URL_FILE: urlFile, SOTTO_DATA_DIR: folder }
    const [first, second, created] = await Promise.all([
      serve(environment),
      serve(environment),
      runSotto(['database', 'keys', 'add', 'Team', '--budget', '1', '--json'], environment),
    ])
    const { key, secret } = createdSchema.parse(dataOf(created.stdout))
    await expect.poll(async () => (await ask(first, secret))?.status).toBe(200)
    await expect.poll(async () => (await ask(second, secret))?.status).toBe(200)

    const asking = Array.from({ length: 40 }, (_, caller) => ask(caller % 2 === 0 ? first : second, secret))
    await expect.poll(() => countRows(database, 'requests')).toBeGreaterThan(0)
    first.child.kill('SIGKILL')
    const answers = await Promise.all(asking)
    expect(answers.filter((answer) => answer?.status === 200).length).toBeGreaterThan(0)

    // Its lease ends, and the other replica charges the reserved amount.
    await expect.poll(() => countRows(database, 'requests')).toBe(0)
    const { spent, reserved } = await sumsOf(database, key.id)
    expect(reserved).toBe(0n)
    expect(spent).toBeGreaterThan(0n)
    expect(spent).toBeLessThanOrEqual(10n ** 12n)
    for (const answer of answers)
      if (answer?.status === 200) expect(await hasRecord(database, answer.receiptId ?? '')).toBe(true)

    const revoked = await runSotto(['database', 'keys', 'revoke', 'Team', '--json'], environment)
    expect(revoked.code).toBe(0)
    await expect.poll(async () => (await ask(second, secret))?.status).toBe(401)
  }, 240_000)
})
