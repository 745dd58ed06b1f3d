import type { Migration } from './index.ts'

/**
 * Local keys, their spending, requests in progress, and receipts. Amounts are in pico-USD, and days are days
 * since 1970-01-01 (UTC). `ledgers` has one row per key, whose lock makes changes of its amounts serial.
 */
export const createLedger: Migration = {
  version: 1,
  name: 'ledger',
  additive: false,
  sql: `
CREATE TABLE replicas (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  schema_version integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  alive_until timestamptz NOT NULL
);

CREATE TABLE local_keys (
  id uuid PRIMARY KEY,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  limits jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz
);
CREATE TABLE key_version (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), version bigint NOT NULL);
INSERT INTO key_version (version) VALUES (1);
CREATE FUNCTION sotto_note_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE key_version SET version = version + 1;
  NOTIFY sotto_keys;
  RETURN NULL;
END $$;
CREATE TRIGGER local_keys_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON local_keys
  FOR EACH STATEMENT EXECUTE FUNCTION sotto_note_key_change();

CREATE TABLE ledgers (
  key_id uuid PRIMARY KEY REFERENCES local_keys,
  bucket_left double precision,
  bucket_at timestamptz
);
CREATE TABLE key_days (
  key_id uuid NOT NULL REFERENCES local_keys,
  day integer NOT NULL,
  spent numeric(40, 0) NOT NULL DEFAULT 0 CHECK (spent >= 0),
  reserved numeric(40, 0) NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 50);
CREATE TABLE token_seconds (
  key_id uuid NOT NULL REFERENCES local_keys,
  second bigint NOT NULL,
  tokens bigint NOT NULL CHECK (tokens >= 0),
  PRIMARY KEY (key_id, second)
);

CREATE TABLE requests (
  id text PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES local_keys,
  replica_id uuid NOT NULL,
  day integer NOT NULL,
  reserved numeric(40, 0) NOT NULL CHECK (reserved >= 0),
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX requests_of_replica ON requests (replica_id);
CREATE TABLE receipts (
  id text PRIMARY KEY,
  key_id uuid REFERENCES local_keys,
  replica_id uuid NOT NULL,
  at timestamptz NOT NULL,
  body jsonb NOT NULL
);
CREATE INDEX receipts_by_time ON receipts (at);
CREATE TABLE absences (
  id text PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES local_keys,
  replica_id uuid NOT NULL,
  day integer NOT NULL,
  begun_at timestamptz NOT NULL,
  charged numeric(40, 0) NOT NULL CHECK (charged >= 0),
  found_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX absences_by_time ON absences (found_at);
`,
}
