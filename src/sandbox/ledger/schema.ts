/**
 * To version 2. Amounts are 10^-12 USD, times Unix ms. Invariant for every account: the balance is the sum
 * of deposits less the cost of its records. Version 1, which had no number yet, had one key for each
 * account and no deposits; its accounts are migrated.
 */
const accountsAndRecords = `
  CREATE TABLE IF NOT EXISTS account (credit_id TEXT PRIMARY KEY, api_key TEXT NOT NULL UNIQUE, pico_usd INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS debit (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT NOT NULL, model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, pico_usd INTEGER NOT NULL, aborted INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE account RENAME TO account_1;

  CREATE TABLE account (
    credit_id TEXT PRIMARY KEY, pico_usd INTEGER NOT NULL,
    nwc_url TEXT, nwc_threshold INTEGER, nwc_amount INTEGER
  ) STRICT;
  CREATE TABLE deposit (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT NOT NULL REFERENCES account, pico_usd INTEGER NOT NULL, source TEXT NOT NULL
  ) STRICT;
  CREATE TABLE api_key (
    id TEXT PRIMARY KEY, credit_id TEXT NOT NULL REFERENCES account, name TEXT NOT NULL, api_key TEXT NOT NULL UNIQUE,
    usage_limit INTEGER, period_usage INTEGER NOT NULL DEFAULT 0, total_usage INTEGER NOT NULL DEFAULT 0,
    reset_period TEXT, reset_at INTEGER, expire_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX api_key_name ON api_key (credit_id, name);
  CREATE TABLE record (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT, key_id TEXT, payment_hash TEXT, model TEXT NOT NULL,
    query_type TEXT NOT NULL, query_source TEXT NOT NULL, input_count INTEGER NOT NULL, output_count INTEGER NOT NULL,
    pico_usd INTEGER NOT NULL, online INTEGER NOT NULL, free INTEGER NOT NULL, aborted INTEGER NOT NULL DEFAULT 0, error_code TEXT
  ) STRICT;
  CREATE INDEX record_of_account ON record (credit_id, at);
  CREATE TABLE topup (
    invoice_id TEXT PRIMARY KEY, credit_id TEXT NOT NULL REFERENCES account, method TEXT NOT NULL, amount REAL NOT NULL, currency TEXT NOT NULL,
    pico_usd INTEGER NOT NULL, units_due INTEGER NOT NULL, destination TEXT NOT NULL, payment_hash TEXT UNIQUE, preimage TEXT,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, settled_at INTEGER
  ) STRICT;
  CREATE TABLE challenge (
    id TEXT PRIMARY KEY, request_digest TEXT NOT NULL, parameters TEXT NOT NULL, invoice TEXT NOT NULL UNIQUE, payment_hash TEXT NOT NULL UNIQUE,
    preimage TEXT NOT NULL, pico_usd INTEGER NOT NULL, expires_at INTEGER NOT NULL, paid_at INTEGER, used_at INTEGER
  ) STRICT;
  CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

  INSERT INTO account (credit_id, pico_usd) SELECT credit_id, pico_usd FROM account_1;
  INSERT INTO api_key (id, credit_id, name, api_key, created_at, updated_at)
    SELECT lower(hex(randomblob(12))), credit_id, 'Default', api_key, unixepoch() * 1000, unixepoch() * 1000 FROM account_1;
  INSERT INTO record (at, credit_id, key_id, model, query_type, query_source, input_count, output_count, pico_usd, online, free, aborted)
    SELECT debit.at, debit.credit_id, api_key.id, model, 'chat_completion', 'api', input_tokens, output_tokens, debit.pico_usd, 0, 0, aborted
    FROM debit JOIN api_key ON api_key.credit_id = debit.credit_id ORDER BY debit.id;
  INSERT INTO deposit (at, credit_id, pico_usd, source)
    SELECT unixepoch() * 1000, credit_id, pico_usd + (SELECT coalesce(sum(pico_usd), 0) FROM record WHERE record.credit_id = account_1.credit_id), 'welcome' FROM account_1;
  DROP TABLE debit;
  DROP TABLE account_1;
`

/**
 * To version 3. Each generation has exactly one record, which is written in the same transaction. Version 2
 * had them outside of its numbered tables.
 */
const generations = `
  CREATE TABLE IF NOT EXISTS generation (
    id TEXT PRIMARY KEY, credit_id TEXT, model TEXT NOT NULL, record_id INTEGER NOT NULL, pico_usd INTEGER NOT NULL,
    created_at INTEGER NOT NULL, ready_at INTEGER NOT NULL, recipe TEXT NOT NULL, error TEXT
  ) STRICT;
  ALTER TABLE generation RENAME TO generation_2;
  CREATE TABLE generation (
    id TEXT PRIMARY KEY, credit_id TEXT REFERENCES account, model TEXT NOT NULL, record_id INTEGER NOT NULL UNIQUE REFERENCES record, pico_usd INTEGER NOT NULL,
    created_at INTEGER NOT NULL, ready_at INTEGER NOT NULL, recipe TEXT NOT NULL, error TEXT
  ) STRICT;
  INSERT INTO generation SELECT id, credit_id, model, record_id, pico_usd, created_at, ready_at, recipe, error FROM generation_2;
  DROP TABLE generation_2;
`

/** To version 4. Payments of the sandbox's wallet, in msat. */
const walletPayments = `
  CREATE TABLE wallet_payment (
    payment_hash TEXT PRIMARY KEY, invoice TEXT NOT NULL, connection TEXT NOT NULL, amount_msat INTEGER NOT NULL, fee_msat INTEGER NOT NULL,
    state TEXT NOT NULL, preimage TEXT, asked INTEGER NOT NULL, created_at INTEGER NOT NULL, settled_at INTEGER
  ) STRICT
`

/** To version 5. What an address received, in the coin's smallest unit. */
const receivedUnits = `
  ALTER TABLE topup ADD COLUMN units_paid INTEGER NOT NULL DEFAULT 0;
  UPDATE topup SET units_paid = units_due WHERE settled_at IS NOT NULL
`

export const schemaVersion = 5

/** The steps from a version to the newest. @param version of the existing database */
export function stepsFrom(version: number): string {
  return [
    version < 2 && accountsAndRecords,
    version < 3 && generations,
    version < 4 && walletPayments,
    version < 5 && receivedUnits,
  ]
    .filter((step) => step !== false)
    .join(';')
}
