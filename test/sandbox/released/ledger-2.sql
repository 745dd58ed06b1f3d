-- A ledger of version 2, as it was kept: one account, an image, a clip that is done, one that failed, and a conversation.
PRAGMA user_version = 2;
PRAGMA application_id = 1;
CREATE TABLE account (
  credit_id TEXT PRIMARY KEY, pico_usd INTEGER NOT NULL,
  nwc_url TEXT, nwc_threshold INTEGER, nwc_amount INTEGER
  ) STRICT;
INSERT INTO account (credit_id, pico_usd, nwc_url, nwc_threshold, nwc_amount) VALUES ('2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 4787246518500, NULL, NULL, NULL);
CREATE TABLE deposit (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT NOT NULL REFERENCES account, pico_usd INTEGER NOT NULL, source TEXT NOT NULL
  ) STRICT;
INSERT INTO deposit (id, at, credit_id, pico_usd, source) VALUES (1, 1795003200000, '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 5000000000000, 'welcome');
CREATE TABLE api_key (
  id TEXT PRIMARY KEY, credit_id TEXT NOT NULL REFERENCES account, name TEXT NOT NULL, api_key TEXT NOT NULL UNIQUE,
  usage_limit INTEGER, period_usage INTEGER NOT NULL DEFAULT 0, total_usage INTEGER NOT NULL DEFAULT 0,
  reset_period TEXT, reset_at INTEGER, expire_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted_at INTEGER
  ) STRICT;
INSERT INTO api_key (id, credit_id, name, api_key, usage_limit, period_usage, total_usage, reset_period, reset_at, expire_at, created_at, updated_at, deleted_at) VALUES ('82118ea1d51287f39f3e25d4', '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 'Default', 'sk-6nuKqBSe4QrSbgVlAd8eMj', NULL, 212753481500, 212753481500, NULL, NULL, NULL, 1795003200000, 1795003200000, NULL);
CREATE TABLE record (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT, key_id TEXT, payment_hash TEXT, model TEXT NOT NULL,
  query_type TEXT NOT NULL, query_source TEXT NOT NULL, input_count INTEGER NOT NULL, output_count INTEGER NOT NULL,
  pico_usd INTEGER NOT NULL, online INTEGER NOT NULL, free INTEGER NOT NULL, aborted INTEGER NOT NULL DEFAULT 0, error_code TEXT
  ) STRICT;
INSERT INTO record (id, at, credit_id, key_id, payment_hash, model, query_type, query_source, input_count, output_count, pico_usd, online, free, aborted, error_code) VALUES (1, 1795003200000, '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', '82118ea1d51287f39f3e25d4', NULL, 'sandbox/bozzetto-image', 'image_generation', 'api', 0, 0, 11500000000, 0, 0, 0, NULL);
INSERT INTO record (id, at, credit_id, key_id, payment_hash, model, query_type, query_source, input_count, output_count, pico_usd, online, free, aborted, error_code) VALUES (2, 1795003200000, '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', '82118ea1d51287f39f3e25d4', NULL, 'sandbox/carosello-video', 'video_generation', 'api', 0, 0, 201250000000, 0, 0, 0, NULL);
INSERT INTO record (id, at, credit_id, key_id, payment_hash, model, query_type, query_source, input_count, output_count, pico_usd, online, free, aborted, error_code) VALUES (3, 1795003200000, '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', '82118ea1d51287f39f3e25d4', NULL, 'sandbox/carosello-video', 'video_generation', 'api', 0, 0, 0, 0, 0, 0, 'upstream_error');
INSERT INTO record (id, at, credit_id, key_id, payment_hash, model, query_type, query_source, input_count, output_count, pico_usd, online, free, aborted, error_code) VALUES (4, 1795003200000, '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', '82118ea1d51287f39f3e25d4', NULL, 'sandbox/allegro-mini', 'chat_completion', 'api', 6, 4, 3481500, 0, 0, 0, NULL);
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
INSERT INTO secret (name, value) VALUES ('media', X'4f3d0c9ac1665216a87b20ebf77e6410e605dceb8fec9d3b077dd59de0eeae18');
CREATE TABLE generation (
  id TEXT PRIMARY KEY, credit_id TEXT, model TEXT NOT NULL, record_id INTEGER NOT NULL, pico_usd INTEGER NOT NULL,
  created_at INTEGER NOT NULL, ready_at INTEGER NOT NULL, recipe TEXT NOT NULL, error TEXT
  ) STRICT;
INSERT INTO generation (id, credit_id, model, record_id, pico_usd, created_at, ready_at, recipe, error) VALUES ('gen_NQ9ddgXqvlRlsNQOpgm8jIIx', '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 'sandbox/bozzetto-image', 1, 11500000000, 1795003200000, 1795003200000, '{"kind":"image","format":"png","pictures":[{"seed":"\na quiet room\n\n\n0","text":"a quiet room","width":1024,"height":1024,"transparent":false}]}', NULL);
INSERT INTO generation (id, credit_id, model, record_id, pico_usd, created_at, ready_at, recipe, error) VALUES ('gen_9oLPs64z52gyG0uCZ65oytev', '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 'sandbox/carosello-video', 2, 201250000000, 1795003200000, 1795003208000, '{"kind":"video","picture":{"seed":"\nwaves","text":"waves","width":854,"height":480,"transparent":false},"seconds":5}', NULL);
INSERT INTO generation (id, credit_id, model, record_id, pico_usd, created_at, ready_at, recipe, error) VALUES ('gen_1t9wh40WLcky3erKjdiIZXx5', '2f3bf43c-23f2-43e6-9a77-a671d698dfaa', 'sandbox/carosello-video', 3, 201250000000, 1795003200000, 1795003208000, '{"kind":"video","picture":{"seed":"\nstorm","text":"storm","width":854,"height":480,"transparent":false},"seconds":5}', 'The sandbox was told to let it fail');
CREATE UNIQUE INDEX api_key_name ON api_key (credit_id, name);
CREATE INDEX record_of_account ON record (credit_id, at);
