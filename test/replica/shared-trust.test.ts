import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { compareRelease } from '../../src/core/gateway/channel/release-memory.ts'
import { DataKey } from '../../src/replica/data-key.ts'
import type { Database } from '../../src/replica/database.ts'
import { SharedTrust } from '../../src/replica/shared-trust.ts'
import type { Proof } from '../../src/shared/proof.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

const HOST = 'enclave.example'
const proof: Proof = {
  format: 'sotto-proof/v2',
  savedAt: new Date(0).toISOString(),
  evidence: 'AA==',
  policy: {},
  trust: { name: 'sandbox', roots: [] },
  verdict: { good: true, verifiedAt: 0, evidenceDigest: '' },
}

function verdictOf(tag: string, digest: string, loggedAt: number): Verdict {
  return {
    good: true,
    steps: [],
    trust: 'sandbox',
    enclaveHost: HOST,
    verifiedAt: 0,
    validUntil: 1,
    evidenceDigest: '',
    release: { repository: 'o/r', tag, digest, loggedAt },
  }
}
const older = verdictOf('v1', 'aa', 1_000)
const newer = verdictOf('v2', 'bb', 2_000)

async function trustOf(database: Database): Promise<SharedTrust> {
  const trust = await SharedTrust.create({
    database,
    key: new DataKey(Buffer.alloc(32, 7)),
    asksBeforeNew: (settings) => settings.get('ask') === 'yes',
  })
  onTestFinished(() => trust[Symbol.dispose]())
  return trust
}

describeWithPostgres('what replicas know of enclaves', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('refuses a rollback that only another replica could notice, until a person accepts it', async () => {
    const { address } = await createMigrated(server)
    const [one, two] = [await trustOf(connect(address)), await trustOf(connect(address))]
    await two.releases.record(older, proof)
    await one.releases.record(newer, proof)
    // This replica hasn't read the newer release yet, so only the database can refuse the older one.
    expect(compareRelease(older, two.releases).good).toBe(true)
    await expect(two.releases.record(older, proof)).rejects.toMatchObject({
      code: 'attestation/older-release',
    })
    expect(compareRelease(older, two.releases)).toMatchObject({
      good: false,
      failure: { code: 'release/older' },
    })
    await one.acceptOlder(HOST, 'aa')
    await expect(two.releases.record(older, proof)).resolves.toBeUndefined()
    // A newer release ends the consent, also when replicas record at the same moment.
    const newest = verdictOf('v3', 'cc', 3_000)
    await Promise.allSettled([one.releases.record(newest, proof), two.releases.record(newer, proof)])
    await expect(one.releases.record(older, proof)).rejects.toMatchObject({
      code: 'attestation/older-release',
    })
  })

  it('shares settings and trusted releases, which a replica reads again', async () => {
    const { address } = await createMigrated(server)
    const [one, two] = [await trustOf(connect(address)), await trustOf(connect(address))]
    await one.save('ask', 'yes')
    await two.refresh()
    expect(compareRelease(newer, two.releases)).toMatchObject({
      good: false,
      failure: { code: 'release/not-yet-trusted' },
    })
    await one.trustRelease(HOST, 'bb')
    await two.refresh()
    expect(compareRelease(newer, two.releases).good).toBe(true)
  })

  it('never replaces a newer statement of AMD by an older one', async () => {
    const { address, database } = await createMigrated(server)
    const [one, two] = [await trustOf(connect(address)), await trustOf(connect(address))]
    const name = 'amd-crl/Genoa'
    await one.collateral.record([{ name, version: 2, list: 'AgI=' }])
    await two.collateral.record([{ name, version: 1, list: 'AQE=' }])
    expect(two.collateral.newest()).toEqual([{ name, version: 2, list: 'AgI=' }])
    await database.execute(`UPDATE collateral SET name = 'amd-crl/Milan'`)
    await expect(two.refresh()).rejects.toMatchObject({ code: 'database/damaged' })
  })

  it('can’t record a verdict while the database is away', async () => {
    const { database } = await createMigrated(server)
    const trust = await trustOf(database)
    await database.execute('DROP TABLE enclaves')
    await expect(trust.releases.record(newer, proof)).rejects.toMatchObject({ code: 'database/failed' })
    expect(trust.releases.newest(HOST)).toBeNull()
  })
})
