/** Tables whose rows the sealed root of the database covers (docs/decisions/0018). */
export const coveredTables = [
  'settings',
  'enclaves',
  'verified_enclaves',
  'collateral',
  'local_keys',
  'spending_days',
  'spending_holds',
  'payments',
  'paid_hosts',
  'topups',
  'jobs',
  'job_parts',
  'projects',
  'project_documents',
  'tool_servers',
  'tool_calls',
] as const
export type CoveredTable = (typeof coveredTables)[number]

/** The id of the notice that reports changed records; the window offers to accept them next to it. */
export const RECORDS_CHANGED = 'records-changed'

/** A covered table whose rows are not the rows that Sotto wrote last. */
export interface RecordChange {
  /** `root`: the root itself is missing, invalid, or older than the vault remembers. */
  readonly table: CoveredTable | 'root'
  /** How many more rows there are than there should be; negative if there are fewer, 0 if only their content differs. */
  readonly rows: number
}
