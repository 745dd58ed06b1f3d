import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { z } from 'zod'
import type { Database } from '../../../src/replica/database.ts'
import { beginSession } from '../../../src/replica/team/sessions.ts'
import { createTeamApi } from '../../../src/replica/team/team-api.ts'
import { TeamCaller } from '../../../src/replica/team/team-caller.ts'
import type { teamContract } from '../../../src/shared/contract/team.ts'

export type TeamClient = ContractRouterClient<typeof teamContract>

/** The API as the page of a signed-in member calls it. Each call reads the session again. */
export async function signedIn(database: Database, memberId: string): Promise<TeamClient> {
  const token = await beginSession(database, memberId)
  const api = createTeamApi(database)
  return createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: async (request) => api(request, await TeamCaller.fromSession(database, token)),
    }),
  )
}

const failure = z.object({ data: z.object({ code: z.string() }) })

/** @returns the code of the call's failure, "none" if it succeeded, or "unknown" for an error without a code */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (thrown) {
    return failure.safeParse(thrown).data?.data.code ?? 'unknown'
  }
}
