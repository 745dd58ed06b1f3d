import type { Group, Member, TeamKey } from '../../shared/contract/team.ts'
import type { Scope } from '../data/service-scope.tsx'
import { refreshAnswers, type Question } from '../data/use-answer.ts'
import { teamApi } from './team-api.ts'

export type Session = Awaited<ReturnType<typeof teamApi.session.get>>

export const sessionQuestion: Question<Session> = {
  key: ['team', 'session'],
  ask: (context) => teamApi.session.get(undefined, context),
}

export const membersQuestion: Question<readonly Member[]> = {
  key: ['team', 'members'],
  ask: (context) => teamApi.members.list(undefined, context),
}

export const groupsQuestion: Question<readonly Group[]> = {
  key: ['team', 'groups'],
  ask: (context) => teamApi.groups.list(undefined, context),
}

/** @param memberId the owner; undefined for all keys that the session may see */
export function keysQuestion(memberId?: string): Question<readonly TeamKey[]> {
  return {
    key: ['team', 'keys', memberId ?? ''],
    ask: (context) => teamApi.keys.list(memberId === undefined ? {} : { memberId }, context),
  }
}

/** Loads everything that is shown again, because one change affects budgets, counts and keys together. */
export function refreshTeam(scope: Scope): Promise<void> {
  return refreshAnswers(scope, ['team'])
}
