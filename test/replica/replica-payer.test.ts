import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { asSottoError } from '../../src/shared/errors.ts'
import { json } from '../core/payments/payer-world.ts'
import { startCuttingRelay } from './cutting-relay.ts'
import { DataKey } from '../../src/replica/data-key.ts'
import { resumeTeamPayments } from '../../src/replica/team-wallet.ts'
import { allowHost, buy, buyUnread, KEY, PayerTeam, readJournal } from './payer-replicas.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

/** `npm run fuzz` sets more. */
const CUTS = Math.min(Number(process.env['SOTTO_FUZZ_RUNS'] ?? '12'), 100)

describeWithPostgres('purchases of several replicas', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('are paid and delivered by each replica in turn, within one limit', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const replicas = [1, 2, 3].map(() => team.replica(connect(address)))
    const results = await Promise.all(
      replicas.flatMap((replica, at) => [buy(replica, `${String(at)} a`), buy(replica, `${String(at)} b`)]),
    )
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(team.wallet.asked).size).toBe(6)
    // Six payments of 14 sats and 1 sat of fees.
    team.limits = { ...team.limits, perDay: 100_000n }
    const codes = await Promise.all(replicas.map((replica, at) => codeOf(buy(replica, `${String(at)} c`))))
    expect(codes).toEqual(['payment/over-limit', 'payment/over-limit', 'payment/over-limit'])
    expect(team.wallet.asked).toHaveLength(6)
  })

  it('of one invoice are paid once', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const demand = team.service.demand()
    team.service.demand = () => demand
    const codes = await Promise.all(
      [1, 2].map((at) => codeOf(buy(team.replica(connect(address)), String(at)))),
    )
    expect(codes.sort()).toEqual(['payment/already-paid', undefined])
    expect(team.wallet.asked).toHaveLength(1)
  })

  it('continue at another replica if the paying one loses the database', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const relay = await startCuttingRelay(address, () => 0)
    const lost = Promise.withResolvers<undefined>()
    const late = Promise.withResolvers<ReturnType<typeof json>>()
    team.service.answers = [
      () => {
        relay.cut()
        lost.resolve(undefined)
        return late.promise
      },
      () => json({ found: 'cellos' }),
    ]
    const first = codeOf(buy(team.replica(connect(relay.address)), 'cellos'))
    await lost.promise
    const result = await buy(team.replica(connect(address)), 'cellos')
    expect(result).toMatchObject({ status: 200 })
    expect(await first).toBeDefined()
    late.resolve(json({ found: 'cellos' }))
    expect(team.wallet.asked).toHaveLength(1)
  })

  it('continue after PostgreSQL was killed while a request was being delivered', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const late = Promise.withResolvers<ReturnType<typeof json>>()
    team.service.answers = [() => late.promise, () => json({ found: 'cellos' })]
    const first = codeOf(buy(team.replica(connect(address)), 'cellos'))
    await expect.poll(() => team.service.sent.length).toBe(2)
    await server.kill()
    expect(await first).toBeDefined()
    await server.start()
    expect((await buy(team.replica(connect(address)), 'cellos')).status).toBe(200)
    expect(team.wallet.asked).toHaveLength(1)
    late.resolve(json({ found: 'cellos' }))
  })

  it('are returned by another replica if the tool didn’t read the answer of the first one, and not bought again', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const first = team.replica(connect(address))
    expect((await buyUnread(first, 'cellos')).status).toBe(200)
    await first[Symbol.asyncDispose]()
    const second = team.replica(connect(address))
    expect((await buy(second, 'cellos')).status).toBe(200)
    expect(team.wallet.asked).toHaveLength(1)
    expect((await buy(second, 'cellos')).status).toBe(200)
    expect(team.wallet.asked).toHaveLength(2)
  })

  it('stop after three that weren’t delivered, at every replica, until they are resumed', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const [one, two] = [team.replica(connect(address)), team.replica(connect(address))] as const
    // The service refuses the proof that its challenge asks for.
    team.service.takes = 'Payment'
    team.service.changeChallenge = ({ echo: _, ...challenge }) => challenge
    for (const [at, replica] of [one, two, one].entries())
      expect(await codeOf(buy(replica, `lost ${String(at)}`))).toBe('payment/credential-refused')
    team.service.takes = 'either'
    for (const replica of [one, two]) expect(await codeOf(buy(replica, 'owls'))).toBe('payment/paused')
    expect(team.wallet.asked).toHaveLength(3)
    expect(await resumeTeamPayments(database, new DataKey(KEY))).toBe(3)
    expect((await buy(two, 'owls')).status).toBe(200)
    expect((await buy(one, 'cellos')).status).toBe(200)
    expect(team.wallet.asked).toHaveLength(5)
  })

  it('wait for the payer, and are refused with advice to retry if it takes long', async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    const answer = Promise.withResolvers<ReturnType<typeof json>>()
    team.service.answers = [() => answer.promise]
    const first = buy(team.replica(connect(address)), 'first')
    await expect.poll(() => team.wallet.asked.length).toBe(1)
    const second = buy(team.replica(connect(address), { waitMs: 0 }), 'second')
    expect(await codeOf(second)).toBe('payment/payer-busy')
    answer.resolve(json({ found: 'cellos' }))
    expect((await first).status).toBe(200)
    expect(team.wallet.asked).toHaveLength(1)
  })

  it(`pay nothing twice, although the database is cut off at random moments (${String(CUTS)} times)`, async () => {
    const { address, database } = await createMigrated(server)
    await allowHost(database)
    const team = new PayerTeam()
    team.walletMs = () => Math.random() * 20
    const relay = await startCuttingRelay(address, () => Math.random() * 2)
    const [cuttable, steady] = [connect(relay.address), connect(address)]
    const replicas = [
      team.replica(cuttable, { lingerMs: 200 }),
      team.replica(steady, { lingerMs: 200 }),
    ] as const
    let purchases = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 160 }), async (ms) => {
        const query = `purchase ${String(++purchases)}`
        const first = codeOf(buy(replicas[0], query))
        await setTimeout(ms)
        relay.cut()
        if ((await first) === undefined) return
        // The tool sends the same request again, and the load balancer chooses the other replica.
        const again = await codeOf(buy(replicas[1], query))
        expect([undefined, 'payment/unresolved']).toContain(again)
      }),
      { numRuns: CUTS, endOnFailure: true },
    )
    // The answer to a purchase that was cut off is requested again.
    await expect
      .poll(async () => {
        await replicas[1].resumeUnfinished()
        return (await readJournal(steady)).list(10_000).filter(({ state }) => state === 'paid')
      })
      .toEqual([])
    expect(new Set(team.wallet.asked).size).toBe(team.wallet.asked.length)
    const records = (await readJournal(steady)).list(10_000)
    const paid = records.filter(({ reservedAt }) => reservedAt !== undefined)
    const requests = paid.map(({ purpose, receiptId }) => [purpose.kind, receiptId].join())
    expect(new Set(requests).size).toBe(requests.length)
    // Whatever the wallet paid is known, and is never called failed.
    for (const { paymentHash, state } of paid)
      if (team.paid.get(paymentHash) === 'settled') expect(state).toBe('delivered')
      else expect(['paying', 'unknown']).toContain(state)
    expect(paid.length).toBeGreaterThanOrEqual(team.paid.size)
  }, 300_000)
})

/** The code of the failure; undefined if there was none. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (thrown: unknown) => asSottoError(thrown).code,
  )
}
