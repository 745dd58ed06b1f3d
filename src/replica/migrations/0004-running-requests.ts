import type { Migration } from './index.ts'

/**
 * Requests in progress of keys that limit parallel requests. A row counts while its replica's lease runs, so a replica that
 * was killed uses up no limit. The row of the key in `ledgers` is locked while rows are counted and added.
 *
 * Replicas of version 3 count their own requests only, and don't see these rows. During a rolling upgrade, they may permit
 * as many requests again.
 */
export const createRunningRequests: Migration = {
  version: 4,
  name: 'running-requests',
  additive: true,
  sql: `
-- A revoked key's rows remain until its requests end.
CREATE TABLE running_requests (
  id uuid PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES local_keys,
  replica_id uuid NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX running_requests_of_key ON running_requests (key_id);
CREATE INDEX running_requests_of_replica ON running_requests (replica_id);
`,
}
