import { z } from 'zod'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import { createDatabase } from '../../src/replica/database.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import { buyData, createTeamPayer } from './team-payer.ts'

/**
 * A replica that buys until it's killed. It sends the query of each purchase to its parent before it buys. Its
 * arguments are the database's address, the service's profile as JSON, and the number of its first purchase.
 */
const [address, profile, first] = z
  .tuple([
    z.string(),
    z.string().transform((text) => profileSchema.parse(JSON.parse(text))),
    z.coerce.number().int(),
  ])
  .parse(process.argv.slice(2))

const database = createDatabase({ address: parseDatabaseAddress(address) })
const { payer } = await createTeamPayer(database, profile, createOutboundFetch().fetch)
for (let number = first; ; number++) {
  const query = `purchase ${String(number)}`
  process.send?.({ buying: query })
  await buyData(payer, query)
}
