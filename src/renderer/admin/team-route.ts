import { useSyncExternalStore } from 'react'
import type { TeamRole } from '../../shared/contract/team.ts'
import { isErrorCode, type ErrorCode } from '../../shared/error-codes.ts'

const views = ['members', 'groups', 'keys', 'activity'] as const
export type TeamView = (typeof views)[number]

const ofMembers: readonly TeamView[] = ['keys', 'activity']

/** The views of a role, the first one first. */
export function viewsOf(role: TeamRole): readonly TeamView[] {
  return role === 'member' ? ofMembers : views
}

/** @returns the view that the fragment names, or the role's first one */
export function parseTeamView(fragment: string, role: TeamRole): TeamView {
  const allowed = viewsOf(role)
  return allowed.find((view) => fragment === addressOf(view)) ?? allowed[0] ?? 'keys'
}

export function addressOf(view: TeamView): string {
  return `#/${view}`
}

/**
 * A sign-in that failed leads back to `/?failed=<code>`. Anyone can write such an address, so only a known code is shown.
 */
export function signInFault(query: string): ErrorCode | undefined {
  const code = new URLSearchParams(query).get('failed')
  return code !== null && isErrorCode(code) ? code : undefined
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => location.hash)
}
