import { createPaymentTransport, type SingleRequests } from '../../src/core/gateway/relay/index.ts'
import type { Database } from '../../src/replica/database.ts'
import { createTeamRecords, unlockTeamVault } from '../../src/replica/team-records.ts'
import type { Fetch } from '../../src/shared/fetch.ts'
import type { Profile } from '../../src/shared/profile.ts'

/** The key of the vault of every test. A new array each time, because it's zeroed. */
export const masterKey = (): Uint8Array => new Uint8Array(32).fill(3)

/** Creates the payer of a replica, with the real transport and the team's wallet. */
export async function createTeamPayer(
  database: Database,
  profile: Profile,
  fetch: Fetch,
): Promise<{ readonly payer: SingleRequests; readonly close: () => Promise<void> }> {
  const team = await unlockTeamVault(database, masterKey())
  const records = await createTeamRecords({ database, team, profile, now: Date.now })
  const service = { fetch, access: () => ({ baseUrl: profile.baseUrl }), now: Date.now }
  const payer = records.createPayer(createPaymentTransport(service, profile.kind))
  return {
    payer,
    close: async () => {
      await records[Symbol.asyncDispose]()
    },
  }
}

/** Buys the cheapest thing and reads the answer, as a tool does. The same query is the same request. */
export async function buyData(payer: SingleRequests, query: string): Promise<{ readonly status: number }> {
  const result = await payer.buy(
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
  result.onRead?.()
  return result
}
