import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createPaymentTransport, type SingleRequests } from '../../src/core/gateway/relay/index.ts'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import type { Database } from '../../src/replica/database.ts'
import {
  createTeamRecords,
  readTeamApiKey,
  saveTeamApiKey,
  unlockTeamVault,
} from '../../src/replica/team-records.ts'
import { connectTeamWallet } from '../../src/replica/team-wallet.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { asSottoError } from '../../src/shared/errors.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

const textSchema = z.object({ text: z.string() })
const masterKey = (): Uint8Array => new Uint8Array(32).fill(3)

async function startService(): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-team-'))
  const sandbox = await startSandbox({ folder })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return sandbox
}

/** The payer of a replica, over the real transport. */
async function payerOf(database: Database, { profile }: Sandbox): Promise<SingleRequests> {
  const team = await unlockTeamVault(database, masterKey())
  const records = await createTeamRecords({ database, team, profile, now: Date.now })
  onTestFinished(() => records[Symbol.asyncDispose]())
  const outbound = createOutboundFetch()
  onTestFinished(() => outbound.close())
  const service = { fetch: outbound.fetch, access: () => ({ baseUrl: profile.baseUrl }), now: Date.now }
  return records.createPayer(createPaymentTransport(service, profile.kind))
}

const buy = (payer: SingleRequests, query: string): Promise<{ status: number }> =>
  payer.buy(
    {
      request: {
        endpoint: 'data',
        method: 'POST',
        path: '/v1/data/api/websearch/search',
        contentType: 'application/json',
        body: new TextEncoder().encode(JSON.stringify({ query })),
      },
      caller: { kind: 'proxy', localKeyId: 'key-1' },
      subject: 'websearch/search',
      receiptId: query,
    },
    {
      signal: new AbortController().signal,
      onBuying: () => Promise.resolve(),
      onJoined: () => undefined,
      onLeaving: () => undefined,
      onPaid: () => undefined,
    },
  )

describeWithPostgres('the records of a team', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('pay from each replica with one wallet, within its limits', async () => {
    const { address, database } = await createMigrated(server)
    const sandbox = await startService()
    const [one, two] = [
      await payerOf(connect(address), sandbox),
      await payerOf(connect(address), sandbox),
    ] as const
    const codeOf = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'paid',
        (thrown: unknown) => asSottoError(thrown).code,
      )
    expect(await codeOf(buy(one, 'no wallet'))).toBe('wallet/not-connected')

    const connection = (await sandbox.wallet()).connection('sotto')
    const connected = await connectTeamWallet({
      database,
      team: await unlockTeamVault(database, masterKey()),
      profile: sandbox.profile,
      connection,
      limits: { automaticUpTo: '900000000' },
    })
    expect(connected).toMatchObject({ wallet: { kind: 'nwc' }, limits: { automaticUpTo: '900000000' } })
    expect((await Promise.all([buy(one, 'otters'), buy(two, 'cellos')])).map(({ status }) => status)).toEqual(
      [200, 200],
    )
    await connectTeamWallet({
      database,
      team: await unlockTeamVault(database, masterKey()),
      profile: sandbox.profile,
      connection,
      limits: { perDay: '1', perHostAndDay: '1' },
    })
    expect(await codeOf(buy(two, 'owls'))).toBe('payment/over-limit')
    const rows = await database.query(
      textSchema,
      `SELECT payments::text || secrets::text AS text FROM payments, secrets`,
    )
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('nostr+walletconnect').toString('hex'))
    expect(rows.length).toBeGreaterThan(0)
  })

  it('have the API key of the service in the vault', async () => {
    const { database } = await createMigrated(server)
    const team = await unlockTeamVault(database, masterKey())
    expect(await readTeamApiKey(team, 'ppq')).toBeNull()
    await saveTeamApiKey(team, 'ppq', 'sk-canary')
    const other = await unlockTeamVault(database, masterKey())
    expect(await readTeamApiKey(other, 'ppq')).toBe('sk-canary')
    expect(await readTeamApiKey(other, 'other')).toBeNull()
  })
})
