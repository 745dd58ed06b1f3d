import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { create } from 'zustand'
import type { teamContract } from '../../shared/contract/team.ts'
import { currentScope } from '../data/service-scope.tsx'
import { serverUnreachable, WindowError } from '../ui/failure.ts'

/** Why the page asks for a sign-in. */
export type SignedOut = 'never-signed-in' | 'session-ended' | 'signed-out'

interface TeamSession {
  /** Undefined while the session is used, or isn't known yet. */
  readonly signedOut: SignedOut | undefined
  /** Whether a call has been answered. */
  readonly wasOpen: boolean
}

export const useTeamSession = create<TeamSession>()(() => ({ signedOut: undefined, wasOpen: false }))

function leave(signedOut: SignedOut): void {
  // The next person at this computer must not find the answers in memory.
  currentScope().client.clear()
  useTeamSession.setState({ signedOut })
}

async function fetchTeam(request: Request | string, init: RequestInit): Promise<Response> {
  const response = await fetch(request, {
    ...init,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
  }).catch((thrown: unknown) => {
    throw thrown instanceof TypeError ? new WindowError(serverUnreachable) : thrown
  })
  // Coded failures have status 422. A 401 means that the cookie names no session.
  if (response.status === 401) {
    leave(useTeamSession.getState().wasOpen ? 'session-ended' : 'never-signed-in')
  } else if (response.ok) useTeamSession.setState({ wasOpen: true })
  return response
}

const link = new RPCLink({
  url: () => `${location.origin}/api`,
  headers: () => ({ 'x-csrf-token': 'orpc' }),
  fetch: fetchTeam,
})

/** All calls of the page to the replica that serves it. The session's cookie is out of the page's reach. */
export const teamApi: ContractRouterClient<typeof teamContract> = createORPCClient(link)

/** Leads to the identity provider, which leads back. */
export function signIn(): void {
  location.assign('/sign-in')
}

/**
 * Ends the session on all replicas.
 * @throws {WindowError} window/unreachable, proxy/internal – the session may still exist
 */
export async function signOut(): Promise<void> {
  const { ok, status } = await fetchTeam('/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
    body: '{}',
  })
  if (!ok && status !== 401) throw new WindowError('proxy/internal')
  leave('signed-out')
}
