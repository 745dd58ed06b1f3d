import { createLedger } from './0001-ledger.ts'
import { createSecretsAndPayments } from './0002-secrets-and-payments.ts'
import { createTeams } from './0003-teams.ts'
import { createRunningRequests } from './0004-running-requests.ts'

/** One change of the schema. A released migration never changes. */
export interface Migration {
  readonly version: number
  readonly name: string
  /**
   * Whether a replica of the version before can still work with the changed schema. That permits a rolling
   * upgrade. Otherwise all older replicas must stop first.
   */
  readonly additive: boolean
  /** Statements, which run in one transaction. */
  readonly sql: string
}

/** All migrations, in the order of their versions, which begin at 1 without gaps. */
export const migrations: readonly Migration[] = [
  createLedger,
  createSecretsAndPayments,
  createTeams,
  createRunningRequests,
]
