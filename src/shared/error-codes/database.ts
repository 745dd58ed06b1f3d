import type { ErrorEntry } from './error-entry.ts'

/** The shared database of several replicas (`sotto serve --database`). */
export const databaseErrors = {
  'database/address': {
    status: 400,
    says: 'The address of the database is invalid.',
    remedy:
      'Use postgres://user:password@host/name with sslmode=verify-full. The address isn’t shown because it’s a secret.',
  },
  'database/unreachable': {
    status: 503,
    says: 'The shared database didn’t answer.',
    remedy: 'Try again. Check that PostgreSQL is running and reachable.',
  },
  'database/refused': {
    status: 503,
    says: 'The shared database refused Sotto’s user.',
    remedy: 'Check the user, the password and the permissions of the database.',
  },
  'database/failed': {
    status: 503,
    says: 'The shared database refused a statement. Nothing was changed.',
    remedy: 'Check the log of PostgreSQL.',
  },
  'database/damaged': {
    status: 503,
    says: 'The shared database has a record that Sotto can’t read.',
    remedy: 'Restore the database from a backup.',
  },
  'database/newer-version': {
    status: 503,
    says: 'A newer version of Sotto changed the shared database.',
    remedy: 'Update this replica.',
  },
  'database/older-replicas': {
    status: 409,
    says: 'Some running replicas can’t work with the new schema. Nothing was changed.',
    remedy: 'Update or stop those replicas first.',
  },
} as const satisfies Record<string, ErrorEntry>
