import type { ErrorEntry } from './error-entry.ts'

/** Changes to local keys, budgets, and confirmations. */
export const localKeyErrors = {
  'budget/exceeded': {
    status: 402,
    says: 'This local key’s budget doesn’t cover the request’s possible cost. Nothing was sent.',
    remedy: 'Request a shorter reply, or raise this key’s budget on the Developer screen in Sotto.',
  },
  'budget/price-unknown': {
    status: 402,
    says: 'This local key has a budget, and the request’s maximum cost is unknown. Nothing was sent.',
    remedy:
      'Use a model with a listed price. Or let this key make requests of unknown price on the Developer screen in Sotto.',
  },
  'local-key/unknown': {
    status: 404,
    says: 'Local key not found.',
    remedy: 'Choose one from the list.',
  },
  'local-key/name-taken': {
    status: 409,
    says: 'Another local key already has this name.',
    remedy: 'Choose a different name.',
  },
  'local-key/revoked': {
    status: 409,
    says: 'This local key was revoked and can’t be restored.',
    remedy: 'Create a new one.',
  },
  'local-key/no-budget': {
    status: 409,
    says: 'This local key has no budget, or its budget has just changed.',
    remedy: 'Set a budget first, or try again.',
  },
  'local-key/increase-end': {
    status: 400,
    says: 'A temporary increase must end within 30 days.',
    remedy: 'Choose a time between now and then.',
  },
  'local-key/alias-model': {
    status: 400,
    says: 'An alias names a model that this key can’t use.',
    remedy: 'Change the alias or the key’s models.',
  },
  'local-key/first-origins': {
    status: 400,
    says: 'Web pages can’t use the default key.',
    remedy: 'Create another key for the page.',
  },
  'local-key/command-line': {
    status: 403,
    says: 'Only the sotto command can get this key.',
    remedy: 'Run sotto run in a terminal.',
  },
  'local-key/first': {
    status: 409,
    says: 'The first key is the one Sotto shows. It can’t be removed without a replacement.',
    remedy: 'Rotate it instead. The old secret stops working immediately.',
  },
  'confirm/refused': {
    status: 403,
    says: 'The action wasn’t confirmed.',
    remedy: 'Try again, and confirm in the system dialog or with the code in your terminal.',
  },
  'confirm/too-many': {
    status: 429,
    says: 'Too many requests for confirmation were denied or unanswered within an hour.',
    remedy: 'Check which program keeps asking.',
  },
  'confirm/too-soon': {
    status: 429,
    says: 'Sotto waits after a wrong code or a denied request before it accepts another answer.',
    remedy: 'Wait, then try again.',
  },
  'confirm/no-terminal': {
    status: 503,
    says: 'Sotto has no terminal to show the confirmation code in.',
    remedy: 'Start Sotto in a terminal, and let it write its log to a file.',
  },
} as const satisfies Record<string, ErrorEntry>
