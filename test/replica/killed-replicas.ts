import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { hashOfLocalKey, newLocalKey } from '../../src/core/gateway/proxy/index.ts'
import type { Database } from '../../src/replica/database.ts'
import { createKey } from '../../src/replica/local-keys.ts'
import { listReceipts } from '../../src/replica/receipt-list.ts'
import { unlockTeamVault } from '../../src/replica/team-records.ts'
import { connectTeamWallet } from '../../src/replica/team-wallet.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import type { Profile } from '../../src/shared/profile.ts'
import { seeded } from '../process/killed-buyers.ts'
import { installCommand } from './installed-command.ts'
import { findUnrecorded, ledgerErrors, paymentErrors, waitForLeases } from './kill-invariants.ts'
import { KillableReplica } from './killable-replica.ts'
import { createMigrated, type PostgresServer } from './postgres.ts'
import { startRecordingService, type RecordingService } from './recording-service.ts'
import { masterKey } from './team-payer.ts'

/** A chat for the account, and a purchase without one. */
const CHATS = 6
const PURCHASES = 2
/** A tool sends its purchase again this often, to the other replica each time. */
const MOST_TRIES = 20
const HIGHEST_LIMIT = '900000000'
/** Refusals after which a tool doesn't send its purchase again. */
const FINAL = new Set(['payment/credential-refused', 'payment/undelivered', 'payment/paused'])

/** Two replicas with an account and two that pay for each request, on one PostgreSQL. */
interface Team {
  readonly database: Database
  readonly sandbox: Sandbox
  readonly service: RecordingService
  readonly withAccount: readonly KillableReplica[]
  readonly paying: readonly KillableReplica[]
  readonly key: string
  readonly account: string
}

/** What callers got, by the kind of their request. */
export interface KillOutcome {
  readonly chats: number
  readonly delivered: number
  /** Receipts with an amount that was paid separately. */
  readonly paid: number
  readonly refused: Readonly<Record<string, number>>
}

async function startTeam(server: PostgresServer): Promise<Team> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-killed-'))
  const sandbox = await startSandbox({ folder: join(folder, 'sandbox'), pace: 'none', ledger: 'memory' })
  const service = await startRecordingService(sandbox.baseUrl)
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { address, database } = await createMigrated(server)
  const { policy: _, documentConversion: _conversion, ...open } = sandbox.profile
  const profile: Profile = { ...open, id: 'stand-in', kind: 'service', baseUrl: service.baseUrl }
  const command = installCommand(join(folder, 'installed'), profile)
  const { creditId, apiKey } = (await sandbox.control()).createAccount(10n ** 15n)
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }
  const { secret } = newLocalKey()
  const limits = { budget: { picoUsd: 10n ** 14n, period: 'total' }, grants: ['pay-per-request'] } as const
  await createKey(database, { name: 'Team', hash: hashOfLocalKey(secret), limits })
  await connectTeamWallet({
    database,
    team: await unlockTeamVault(database, masterKey()),
    profile,
    connection: (await sandbox.wallet()).connection('sotto'),
    limits: {
      perPayment: HIGHEST_LIMIT,
      automaticUpTo: HIGHEST_LIMIT,
      perDay: HIGHEST_LIMIT,
      perHostAndDay: HIGHEST_LIMIT,
    },
  })
  const environment = {
    SOTTO_DATABASE_URL_FILE: file('database-url', address),
    SOTTO_VAULT_KEY_FILE: file('vault-key', Buffer.from(masterKey()).toString('base64')),
    SOTTO_SERVICE: profile.id,
    SOTTO_DATA_DIR: folder,
  }
  const accountEnvironment = { ...environment, SOTTO_API_KEY_FILE: file('api-key', apiKey) }
  const start = (settings: Record<string, string>): KillableReplica => {
    const replica = new KillableReplica(command, settings)
    onTestFinished(() => replica.kill())
    replica.start()
    return replica
  }
  const team = {
    database,
    sandbox,
    service,
    withAccount: [start(accountEnvironment), start(accountEnvironment)],
    paying: [start(environment), start(environment)],
    key: secret,
    account: creditId,
  }
  for (const replica of [...team.withAccount, ...team.paying]) await replica.started()
  return team
}

/**
 * Kills a replica or PostgreSQL at a random moment in each round, and checks the invariants afterwards, by the records
 * of the service and of the wallet.
 * @param seed of the victims and delays. The timing of processes isn't repeatable
 */
export async function killAtRandom(
  server: PostgresServer,
  rounds: number,
  seed: number,
  onRound: (round: number) => void = () => undefined,
): Promise<KillOutcome> {
  const team = await startTeam(server)
  const random = seeded(seed)
  const receiptIds = new Set<string>()
  const refused: Record<string, number> = {}
  let [chats, delivered] = [0, 0]

  async function chat(number: number): Promise<void> {
    const replica = team.withAccount[number % 2]
    const answer = await replica?.post('chat/completions', team.key, {
      model: 'sandbox/allegro-mini',
      max_tokens: 16,
      messages: [{ role: 'user', content: `Chat ${String(number)}` }],
    })
    if (answer?.status !== 200) return
    chats++
    receiptIds.add(answer.receiptId ?? 'an answer without a receipt ID')
  }
  async function purchase(query: string): Promise<void> {
    const first = Math.floor(random() * 2)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answer = await team.paying[(first + tries) % 2]?.post('data/api/websearch/search', team.key, {
        query,
      })
      if (answer?.status === 200) {
        delivered++
        receiptIds.add(answer.receiptId ?? 'an answer without a receipt ID')
        return
      }
      if (answer?.code !== undefined && FINAL.has(answer.code)) {
        refused[answer.code] = (refused[answer.code] ?? 0) + 1
        return
      }
      await setTimeout(200)
    }
    refused['no answer'] = (refused['no answer'] ?? 0) + 1
  }

  for (let round = 0; round < rounds; round++) {
    const requests = [
      ...Array.from({ length: CHATS }, (_, caller) => chat(round * CHATS + caller)),
      ...Array.from({ length: PURCHASES }, (_, caller) =>
        purchase(`round ${String(round)}, ${String(caller)}`),
      ),
    ]
    await setTimeout(random() * 400)
    const victims = [...team.withAccount, ...team.paying, ...team.paying, null]
    const victim = victims[Math.floor(random() * victims.length)] ?? null
    if (victim) {
      await victim.kill()
      victim.start()
    } else {
      await server.kill('SIGKILL')
      await server.start()
    }
    await Promise.all(requests)
    for (const replica of [...team.withAccount, ...team.paying]) await replica.started()
    await waitForLeases(team.database)
    await expectIntact(team, round)
    onRound(round)
    // A receipt that isn't saved yet is looked for in the next round.
    for (const id of receiptIds)
      if (!(await findUnrecorded(team.database, [id])).includes(id)) receiptIds.delete(id)
  }
  await expect.poll(() => findUnrecorded(team.database, [...receiptIds])).toEqual([])
  await expect
    .poll(() => ledgerErrors(team.database, team.sandbox, team.account, { atRest: true }))
    .toEqual([])
  const paid = (await listReceipts(team.database, { limit: 10_000 })).filter(
    ({ receipt }) => receipt.paidMsat !== undefined,
  ).length
  return { chats, delivered, paid, refused }
}

async function expectIntact({ database, sandbox, service, account }: Team, round: number): Promise<void> {
  expect({
    round,
    ledger: await ledgerErrors(database, sandbox, account),
    payments: await paymentErrors(database, await sandbox.wallet(), service),
  }).toEqual({ round, ledger: [], payments: [] })
}
