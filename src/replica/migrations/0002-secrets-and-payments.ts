import type { Migration } from './index.ts'

/**
 * Sealed secrets, accepted releases and pins, and the journal of payments. Times are Unix ms of the replica that wrote them.
 * `payments.revision` grows with each write: a replica that was the payer before reads only later rows.
 */
export const createSecretsAndPayments: Migration = {
  version: 2,
  name: 'secrets and payments',
  additive: true,
  sql: `
CREATE TABLE vault (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{32}$'),
  key_check text NOT NULL CHECK (key_check ~ '^[0-9a-f]{64}$')
);
CREATE TABLE secrets (name text PRIMARY KEY, body bytea NOT NULL);

CREATE TABLE enclaves (host text PRIMARY KEY, body bytea NOT NULL);
CREATE TABLE collateral (name text PRIMARY KEY, body bytea NOT NULL);
CREATE TABLE profile_settings (name text PRIMARY KEY, body bytea NOT NULL);

CREATE TABLE payer (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch bigint NOT NULL,
  revision bigint NOT NULL
);
INSERT INTO payer (epoch, revision) VALUES (0, 0);
CREATE TABLE payments (
  id text PRIMARY KEY,
  seq bigint NOT NULL UNIQUE,
  revision bigint NOT NULL,
  at bigint NOT NULL,
  state text NOT NULL,
  reserved_at bigint,
  hash_index bytea NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX payments_by_revision ON payments (revision);
-- One payment for each hash, unless it's certain that an earlier one wasn't paid.
CREATE UNIQUE INDEX payments_paid_once ON payments (hash_index)
  WHERE state IN ('paying', 'held', 'unknown', 'paid', 'delivered', 'undelivered', 'given-up', 'closed')
    OR (state = 'expired' AND reserved_at IS NOT NULL);
CREATE TABLE payment_requests (
  payment_id text PRIMARY KEY REFERENCES payments ON DELETE CASCADE,
  body bytea NOT NULL
);
CREATE TABLE paid_hosts (host_index bytea PRIMARY KEY, first_paid_at bigint NOT NULL, body bytea NOT NULL);
CREATE TABLE payment_settings (name text PRIMARY KEY, body bytea NOT NULL);

CREATE TABLE delivered_files (
  payment_id text NOT NULL,
  at_index integer NOT NULL,
  file uuid NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (payment_id, at_index)
);
CREATE TABLE delivered_parts (
  file uuid NOT NULL,
  part integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  body bytea NOT NULL,
  PRIMARY KEY (file, part)
);
`,
}
