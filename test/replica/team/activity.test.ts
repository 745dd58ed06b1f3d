import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/replica/database.ts'
import { createKey } from '../../../src/replica/local-keys.ts'
import { exportActivity, listActivity, sumActivity } from '../../../src/replica/team/activity.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { receiptOf } from '../ledger-world.ts'
import { describeWithPostgres, startMigrated } from '../postgres.ts'
import { insertMember } from '../team-world.ts'

describeWithPostgres('the activity of members', () => {
  let database: Database
  let ann: string
  let annKey: string
  let freeKey: string
  const put = async (id: string, keyId: string | null, more: Partial<Receipt>): Promise<void> => {
    const receipt = receiptOf(id, keyId ?? '', more)
    await database.execute(
      'INSERT INTO receipts (id, key_id, replica_id, at, body) VALUES ($1, $2, gen_random_uuid(), to_timestamp($3::double precision / 1000), $4)',
      [id, keyId, receipt.at, JSON.stringify(receipt)],
    )
  }
  const key = (name: string, ownerId?: string): Promise<string> =>
    createKey(database, {
      name,
      hash: Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64),
      limits: {},
      ...(ownerId !== undefined && { ownerId }),
    })
  beforeAll(async () => {
    database = await startMigrated()
    ann = await insertMember(database, { email: 'ann@example.com' })
    annKey = await key('=HYPERLINK("https://evil.example")', ann)
    freeKey = await key('shared')
    for (let at = 1; at <= 5; at++)
      await put(`a${String(at)}`, annKey, {
        at,
        charged: '1000000000000',
        requestDigest: 'ab',
        model: '@a,b',
      })
    // Two receipts of the same moment.
    await put('b5', freeKey, { at: 5 })
    await put('without-key', null, { at: 6 })
  })

  it('is listed in pages without gaps, and has nothing that identifies content', async () => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listActivity>> = await listActivity(
        database,
        {},
        { limit: 2, ...(cursor !== null && { cursor }) },
      )
      for (const request of page.requests) {
        found.push(request.id)
        expect(request).not.toHaveProperty('requestDigest')
      }
      cursor = page.next
    } while (cursor !== null)
    expect(found).toEqual(['b5', 'a5', 'a4', 'a3', 'a2', 'a1'])
    expect(await listActivity(database, {}, { cursor: 'deleted', limit: 5 })).toEqual({
      requests: [],
      next: null,
    })
  })

  it('is filtered by member, key and time', async () => {
    const ids = async (filter: Parameters<typeof listActivity>[1]): Promise<string[]> =>
      (await listActivity(database, filter, { limit: 50 })).requests.map(({ id }) => id)
    expect(await ids({ memberId: ann, from: 2, until: 4 })).toEqual(['a3', 'a2'])
    expect(await ids({ keyId: freeKey })).toEqual(['b5'])
    expect(await ids({ memberId: ann, keyId: freeKey })).toEqual([])
    await expect(ids({ memberId: 'no ID' })).rejects.toMatchObject({ code: 'team/unknown-member' })
  })

  it('is summed by member, the highest first', async () => {
    expect(await sumActivity(database, { from: 2 })).toEqual([
      { memberId: ann, requests: 4, charged: '4000000000000' },
      { memberId: null, requests: 1, charged: '0' },
    ])
    expect(await sumActivity(database, { memberId: ann })).toHaveLength(1)
  })

  it('is exported as CSV in which no name is a formula', async () => {
    const { csv, complete } = await exportActivity(database, { memberId: ann, until: 2 })
    expect(complete).toBe(true)
    expect(csv).toBe(
      'time,member,key,model,path,privacy,outcome,error_code,input_tokens,output_tokens,charged_usd,duration_ms\r\n' +
        `1970-01-01T00:00:00.001Z,ann@example.com,"'=HYPERLINK(""https://evil.example"")","'@a,b",/v1/chat/completions,sealed,complete,,,,1,\r\n`,
    )
  })
})
