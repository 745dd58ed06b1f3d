import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { SingleRequests } from '../../src/core/gateway/relay/index.ts'
import { asksBeforeNew, readNarrowing } from '../../src/core/gateway/privacy-choices.ts'
import { isPaid, type PaymentRecord } from '../../src/shared/payment-record.ts'
import { createWalletService } from '../../src/core/payments/wallet/index.ts'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import type { Database } from '../../src/replica/database.ts'
import { JournalCache } from '../../src/replica/payment-journal.ts'
import { SharedTrust } from '../../src/replica/shared-trust.ts'
import { readTeamApiKey, unlockTeamVault } from '../../src/replica/team-records.ts'
import {
  acceptOlderRelease,
  pinReleases,
  requireApproval,
  rotateKey,
  saveApiKey,
} from '../../src/replica/team-commands.ts'
import { connectTeamWallet } from '../../src/replica/team-wallet.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { asSottoError } from '../../src/shared/errors.ts'
import { buyData, createTeamPayer, masterKey } from './team-payer.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

const buyingSchema = z.object({ buying: z.string() })
const textSchema = z.object({ text: z.string() })
async function startService(): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-team-'))
  const sandbox = await startSandbox({ folder })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return sandbox
}

async function payerOf(database: Database, { profile }: Sandbox): Promise<SingleRequests> {
  const outbound = createOutboundFetch()
  const { payer, close } = await createTeamPayer(database, profile, outbound.fetch)
  onTestFinished(async () => {
    await close()
    await outbound.close()
  })
  return payer
}

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
    expect(await codeOf(buyData(one, 'no wallet'))).toBe('wallet/not-connected')

    const connection = (await sandbox.wallet()).connection('sotto')
    const connected = await connectTeamWallet({
      database,
      team: await unlockTeamVault(database, masterKey()),
      profile: sandbox.profile,
      connection,
      limits: { automaticUpTo: '900000000' },
    })
    expect(connected).toMatchObject({ wallet: { kind: 'nwc' }, limits: { automaticUpTo: '900000000' } })
    expect(
      (await Promise.all([buyData(one, 'otters'), buyData(two, 'cellos')])).map(({ status }) => status),
    ).toEqual([200, 200])
    await connectTeamWallet({
      database,
      team: await unlockTeamVault(database, masterKey()),
      profile: sandbox.profile,
      connection,
      limits: { perDay: '1', perHostAndDay: '1' },
    })
    expect(await codeOf(buyData(two, 'owls'))).toBe('payment/over-limit')
    const raising = connectTeamWallet({
      database,
      team: await unlockTeamVault(database, masterKey()),
      profile: sandbox.profile,
      // The wallet doesn't know this key.
      connection: connection.replace(/secret=[^&]+/, `secret=${'7'.repeat(64)}`),
      limits: { perDay: '900000000', perHostAndDay: '900000000' },
    })
    expect(await codeOf(raising)).toMatch(/^wallet\//)
    expect(await codeOf(buyData(two, 'owls'))).toBe('payment/over-limit')
    const rows = await database.query(
      textSchema,
      `SELECT payments::text || secrets::text AS text FROM payments, secrets`,
    )
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('nostr+walletconnect').toString('hex'))
    expect(rows.length).toBeGreaterThan(0)
  })

  it('are complete after a replica was killed with kill -9 during a payment, and nothing is paid twice', async () => {
    const { address, database } = await createMigrated(server)
    const sandbox = await startService()
    const { profile } = sandbox
    const team = await unlockTeamVault(database, masterKey())
    const connection = (await sandbox.wallet()).connection('sotto')
    const limits = { automaticUpTo: '900000000', perDay: '900000000', perHostAndDay: '900000000' }
    await connectTeamWallet({ database, team, profile, connection, limits })
    const funds = async (): Promise<bigint> => {
      await using wallet = await createWalletService({
        vault: team.vault,
        profile,
        simulated: null,
        inUse: () => false,
        now: Date.now,
      })
      return BigInt((await wallet.funds()).balance ?? '')
    }
    const before = await funds()

    const begun: string[] = []
    const child = fork(join(import.meta.dirname, 'paying-process.ts'), [
      address,
      JSON.stringify(profile),
      '1',
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    child.on('message', (message) => begun.push(buyingSchema.parse(message).buying))
    await expect.poll(() => begun.length, { timeout: 60_000 }).toBeGreaterThan(2)
    await setTimeout(Math.random() * 100)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The tool whose replica was killed sends its request again. A proof that the service has accepted isn't accepted
    // again, although its answer was lost.
    const payer = await payerOf(connect(address), sandbox)
    expect(['200', 'payment/unresolved', 'payment/credential-refused']).toContain(
      await buyData(payer, begun.at(-1) ?? '').then(
        ({ status }) => String(status),
        (thrown: unknown) => asSottoError(thrown).code,
      ),
    )
    const cache = new JournalCache(team.key)
    const paidRecords = async (): Promise<readonly PaymentRecord[]> => {
      await cache.refresh((schema, text, values) => database.query(schema, text, values))
      return cache.memory.list(1000).filter(({ state }) => isPaid(state))
    }
    expect((await paidRecords()).length).toBeGreaterThanOrEqual(begun.length - 1)
    // If it answered "payment/unresolved", it asks the wallet until it knows whether the killed replica had paid.
    await expect
      .poll(async () => {
        const recorded = await paidRecords()
        const amount = recorded.reduce((sum, { amountMsat, feeMsat = 0n }) => sum + amountMsat + feeMsat, 0n)
        return before - (await funds()) - amount
      })
      .toBe(0n)
  }, 240_000)

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
    let changes = 0
    trust.onSettingsChange(() => changes++)
    const pins = { release: { tags: ['v1.2.3'] } }
    await pinReleases(database, JSON.stringify(pins), environment(next))
    await trust.refresh()
    await trust.refresh()
    expect([readNarrowing(trust.settings), changes]).toEqual([pins, 1])
    await requireApproval(database, true, environment(next))
    await trust.refresh()
    expect([asksBeforeNew(trust.settings), changes]).toEqual([true, 2])
    await expect(pinReleases(database, '{"release":{"tags":[]}}', environment(next))).rejects.toThrow()
  })
})
