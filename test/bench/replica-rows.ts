import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOfLocalKey, newLocalKey } from '../../src/core/gateway/proxy/index.ts'
import { createDatabase, type Database } from '../../src/replica/database.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'
import { createKey } from '../../src/replica/local-keys.ts'
import { migrate } from '../../src/replica/migrate.ts'
import { installCommand } from '../replica/installed-command.ts'
import { KillableReplica } from '../replica/killable-replica.ts'
import { startPostgresServer } from '../replica/postgres-server.ts'
import { chatBody, PLAINTEXT_MODEL, PRIVATE_MODEL } from './chat-body.ts'
import { startChild } from './child.ts'
import { keepAlive, saturate, type Target } from './client.ts'
import type { EnclaveReady } from './enclave.ts'
import type { Row } from './report.ts'
import type { ProxyReady } from './sotto-proxy.ts'
import { interleave, median, quantile, type Bounds } from './statistics.ts'

const CALLERS = [16, 256] as const
const REPLICAS = [1, 2, 4] as const
const MOST_REPLICAS = 4
/** Requests of one turn; at least four for each caller. */
const TURN = 1_000

/** One way to send requests: the caller at a place uses the target at that place, and begins again. */
interface Subject {
  readonly name: string
  readonly targets: readonly ((model: string) => Target)[]
}

interface Turn {
  readonly rate: number
  readonly median: number
  readonly p99: number
}

const targetOf =
  (baseUrl: string, key: string) =>
  (model: string): Target => ({
    port: Number(new URL(baseUrl).port),
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: chatBody({ model, stream: false }),
  })

/**
 * 1, 2 and 4 replicas on one PostgreSQL next to the process on SQLite, with a budget. All requests have one key, except
 * in the rows with a key for each replica. Everything runs on this machine, so replicas share its processors.
 */
export async function replicas({ rounds, deadlineMs }: Bounds, scale: number): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const { subjects, database } = await startSubjects(stack)
  const before = await readCosts(database)
  const rows: Row[] = []
  for (const callers of CALLERS)
    for (const [privacy, model] of [
      ['forwarded', PLAINTEXT_MODEL],
      ['sealed', PRIVATE_MODEL],
    ] as const) {
      const share = deadlineMs / (2 * CALLERS.length)
      const size = {
        callers,
        count: Math.max(4 * callers, Math.ceil(TURN * scale)),
        deadlineMs: share / ((rounds + 1) * subjects.length),
      }
      const turns = new Map<string, Turn[]>()
      await interleave(
        subjects.map(({ name }) => name),
        { rounds, deadlineMs: share, warmUp: 1 },
        async (name) => {
          const { targets = [] } = subjects.find((subject) => subject.name === name) ?? {}
          const turn = await measure(targets, model, size)
          turns.set(name, [...(turns.get(name) ?? []), turn])
          return turn.rate
        },
      )
      rows.push(...rowsOf(`${String(callers)} callers, ${privacy}`, turns))
    }
  return [...rows, ...costRows(before, await readCosts(database))]
}

const costsSchema = z.object({
  receipts: z.number(),
  bytes: z.number(),
  log: z.number(),
  commits: z.number(),
})
type Costs = z.infer<typeof costsSchema>

/** What the replicas have cost PostgreSQL since its start. */
async function readCosts(database: Database): Promise<Costs> {
  const [costs] = await database.query(
    costsSchema,
    `SELECT (SELECT count(*)::double precision FROM receipts) AS receipts,
       pg_total_relation_size('receipts')::double precision AS bytes,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::double precision AS log,
       (SELECT sum(xact_commit)::double precision FROM pg_stat_database) AS commits`,
  )
  if (!costs) throw new Error('PostgreSQL does not tell its costs.')
  return costs
}

function costRows(before: Costs, after: Costs): Row[] {
  const requests = after.receipts - before.receipts
  return [
    {
      what: 'PostgreSQL: a saved receipt with its indexes',
      value: after.bytes / after.receipts,
      unit: 'bytes',
    },
    {
      what: 'PostgreSQL: write-ahead log of a request',
      value: (after.log - before.log) / requests,
      unit: 'bytes',
    },
    {
      what: 'PostgreSQL: transactions of a request, with those that run without requests',
      value: (after.commits - before.commits) / requests,
      unit: '',
    },
  ]
}

/** Sends an equal part of the requests to each target, all at once. */
async function measure(
  targets: Subject['targets'],
  model: string,
  { callers, count, deadlineMs }: { callers: number; count: number; deadlineMs: number },
): Promise<Turn> {
  const agent = keepAlive(callers)
  const parts = await Promise.all(
    targets.map((target) =>
      saturate(agent, target(model), {
        callers: callers / targets.length,
        count: count / targets.length,
        deadlineMs,
      }),
    ),
  )
  agent.destroy()
  const answered = parts.reduce((sum, part) => sum + part.answered, 0)
  const ends = parts.flatMap((part) => part.ends)
  return {
    rate: answered / (Math.max(...parts.map(({ elapsedMs }) => elapsedMs)) / 1_000),
    median: median(ends),
    p99: quantile(ends, 0.99),
  }
}

function rowsOf(title: string, turns: ReadonlyMap<string, readonly Turn[]>): Row[] {
  const of = (name: string, part: keyof Turn): number => {
    // The first turn is the warm-up. It counts only if there was no time for another.
    const [first, ...later] = turns.get(name) ?? []
    if (first === undefined) return NaN
    return median((later.length === 0 ? [first] : later).map((turn) => turn[part]))
  }
  return [...turns.keys()].flatMap((name) => [
    {
      what: `${title}, ${name}`,
      value: of(name, 'rate'),
      unit: 'requests/s',
      against: { what: 'SQLite', value: of('SQLite', 'rate') },
    },
    ...(['median', 'p99'] as const).map((part) => ({
      what: `${title}, ${name}: takes, ${part}`,
      value: of(name, part),
      unit: 'ms',
      against: { what: 'SQLite', value: of('SQLite', part) },
    })),
  ])
}

async function startSubjects(
  stack: AsyncDisposableStack,
): Promise<{ readonly subjects: readonly Subject[]; readonly database: Database }> {
  const enclave = stack.use(await startChild<EnclaveReady>('enclave.ts')).ready
  const { ready: sqlite } = stack.use(await startChild<ProxyReady>('sotto-proxy.ts', { argument: enclave }))
  const server = stack.use(await startPostgresServer())
  const address = await server.createAddress()
  const database = stack.use(createDatabase({ address: parseDatabaseAddress(address), connections: 1 }))
  const keys = await createKeys(database)
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }
  const { ark, ask, sigstoreTrustedRoot } = enclave.trust
  const genoa = { ark: Buffer.from(ark, 'base64'), ask: Buffer.from(ask, 'base64') }
  const profile = { ...enclave.profile, id: 'bench', kind: 'service' } as const
  const command = installCommand(join(folder, 'installed'), profile, { genoa, sigstoreTrustedRoot })
  const environment = {
    SOTTO_DATABASE_URL_FILE: file('database-url', address),
    SOTTO_API_KEY_FILE: file('api-key', `sk-${randomBytes(16).toString('hex')}`),
    SOTTO_SERVICE: profile.id,
    SOTTO_DATA_DIR: folder,
  }
  const baseUrls: string[] = []
  for (let at = 0; at < MOST_REPLICAS; at++) {
    const replica = new KillableReplica(command, environment)
    stack.defer(() => replica.kill())
    replica.start()
    baseUrls.push(await replica.baseUrl())
  }
  const target = (at: number, key: number): Subject['targets'][number] =>
    targetOf(baseUrls[at] ?? '', keys[key] ?? '')
  const all = Array.from({ length: MOST_REPLICAS }, (_, at) => at)
  const subjects = [
    { name: 'direct', targets: [targetOf(enclave.baseUrl, '')] },
    { name: 'SQLite', targets: [targetOf(`http://127.0.0.1:${String(sqlite.port)}`, sqlite.localKey ?? '')] },
    ...REPLICAS.map((count) => ({
      name: `${String(count)} ${count === 1 ? 'replica' : 'replicas'}`,
      targets: all.slice(0, count).map((at) => target(at, 0)),
    })),
    {
      name: `${String(MOST_REPLICAS)} replicas with a key for each`,
      targets: all.map((at) => target(at, at)),
    },
  ]
  return { subjects, database }
}

/** Creates the tables, and keys with a budget. @returns their secrets */
async function createKeys(database: Database): Promise<string[]> {
  await migrate(database)
  const secrets: string[] = []
  for (let at = 0; at < MOST_REPLICAS; at++) {
    const { secret } = newLocalKey()
    secrets.push(secret)
    const limits = { budget: { picoUsd: 10n ** 18n, period: 'day' } } as const
    await createKey(database, { name: `Key ${String(at)}`, hash: hashOfLocalKey(secret), limits })
  }
  return secrets
}
