import type { ErrorEntry } from './error-entry.ts'

/** Members, groups and the admin page of replicas. */
export const teamErrors = {
  'budget/member-exceeded': {
    status: 402,
    says: 'Your budget in the team doesn’t cover the request’s possible cost. Nothing was sent.',
    remedy: 'Request a shorter reply, or ask an admin of your team for a higher budget.',
  },
  'budget/group-exceeded': {
    status: 402,
    says: 'Your group’s budget doesn’t cover the request’s possible cost. Nothing was sent.',
    remedy: 'Request a shorter reply, or ask an admin of your team for a higher budget.',
  },
  'budget/team-price-unknown': {
    status: 402,
    says: 'You or your group have a budget, and the request’s maximum cost is unknown. Nothing was sent.',
    remedy: 'Use a model with a listed price.',
  },
  'team/forbidden': {
    status: 403,
    says: 'Your role doesn’t allow this.',
    remedy: 'Ask an admin of your team.',
  },
  'team/unknown-member': {
    status: 404,
    says: 'Member not found.',
    remedy: 'Choose one from the list.',
  },
  'team/member-exists': {
    status: 409,
    says: 'A member already has this email address.',
    remedy: 'Use a different address, or change that member.',
  },
  'team/last-admin': {
    status: 409,
    says: 'The team needs at least one admin.',
    remedy: 'Make another member an admin first.',
  },
  'team/unknown-group': {
    status: 404,
    says: 'Group not found.',
    remedy: 'Choose one from the list.',
  },
  'team/group-exists': {
    status: 409,
    says: 'A group already has this name.',
    remedy: 'Choose a different name.',
  },
  'team/group-not-empty': {
    status: 409,
    says: 'The group still has members.',
    remedy: 'Move them to another group first.',
  },
  'team/beyond-self-service': {
    status: 403,
    says: 'Your group doesn’t allow another key, or a key with these limits.',
    remedy: 'Choose lower limits, revoke another key, or ask an admin of your team.',
  },
  'team/not-admitted': {
    status: 403,
    says: 'This account isn’t a member of the team.',
    remedy: 'Ask an admin to add your email address. The identity provider must have verified it.',
  },
  'team/sign-in-failed': {
    status: 400,
    says: 'The sign-in failed.',
    remedy: 'Sign in again.',
  },
  'team/sign-in-unavailable': {
    status: 503,
    says: 'The identity provider couldn’t be reached.',
    remedy: 'Try again later.',
  },
} as const satisfies Record<string, ErrorEntry>
