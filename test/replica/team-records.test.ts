import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createPaymentTransport, type SingleRequests } from '../../src/core/gateway/relay/index.ts'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import type { Database } from '../../src/replica/database.ts'
import { SharedTrust } from '../../src/replica/shared-trust.ts'
import { createTeamRecords, readTeamApiKey, unlockTeamVault } from '../../src/replica/team-records.ts'
import { acceptOlderRelease, rotateKey, saveApiKey } from '../../src/replica/team-commands.ts'
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

  it('are managed by commands with the vault’s key, also after its rotation', async () => {
    const { database } = await createMigrated(server)
    const folder = mkdtempSync(join(tmpdir(), 'sotto-team-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content, { mode: 0o600 })
      return join(folder, name)
    }
    const keyFile = (fill: number): string => file(String(fill), Buffer.alloc(32, fill).toString('base64'))
    const [old, next] = [keyFile(3), keyFile(4)]
    const environment = (key: string): NodeJS.ProcessEnv => ({
      SOTTO_VAULT_KEY_FILE: key,
      SOTTO_SERVICE: 'ppq',
    })

    await saveApiKey(database, file('api-key', 'sk-canary\n'), environment(old))
    // The API key, and the key of the other records.
    expect(await rotateKey(database, next, environment(old))).toBe(2)
    await expect(saveApiKey(database, old, environment(old))).rejects.toMatchObject({
      code: 'vault/wrong-key',
    })
    await acceptOlderRelease(database, { host: 'enclave.example', digest: 'aa' }, environment(next))
    const { vault, key } = await unlockTeamVault(database, new Uint8Array(32).fill(4))
    expect(await readTeamApiKey({ vault, key }, 'ppq')).toBe('sk-canary')
    expect(await readTeamApiKey({ vault, key }, 'other')).toBeNull()
    using trust = await SharedTrust.create({ database, key, asksBeforeNew: () => false })
    expect(trust.releases.olderAccepted('enclave.example', 'aa')).toBe(true)
  })
})
