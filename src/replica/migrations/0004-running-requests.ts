import type { Migration } from './index.ts'

/**
 * Requests in progress of keys that limit parallel requests. A row counts while its replica's lease runs. Replicas of
 * version 3 count their own requests only.
 */
export const createRunningRequests: Migration = {
  version: 4,
  name: 'running-requests',
  additive: true,
  sql: `
CREATE TABLE running_requests (
  id uuid PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES local_keys,
  replica_id uuid NOT NULL
);
CREATE INDEX running_requests_of_key ON running_requests (key_id);
`,
}
