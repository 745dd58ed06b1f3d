import type { Migration } from './index.ts'

/**
 * Members, groups, owners of keys, and sessions of the admin page. `team_days` has the amounts of a member's or a group's keys by
 * day, in pico-USD. A trigger maintains it, because a replica of version 2 writes only `key_days`. A key's owner never changes.
 *
 * Rows are locked in one order, so that batches can't deadlock: ledgers, members, groups, each by ID.
 */
export const createTeams: Migration = {
  version: 3,
  name: 'teams',
  additive: true,
  sql: `
-- Before the changes of tables that requests read, so that requests wait for these only briefly.
CREATE INDEX receipts_of_key ON receipts (key_id, at);

CREATE TABLE team_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  budget jsonb,
  self_service jsonb
);
CREATE TABLE team_members (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  issuer text,
  subject text,
  name text,
  role text NOT NULL CHECK (role IN ('admin', 'auditor', 'member')),
  group_id uuid REFERENCES team_groups,
  budget jsonb,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_sign_in_at timestamptz,
  removed_at timestamptz,
  CHECK ((issuer IS NULL) = (subject IS NULL))
);
CREATE UNIQUE INDEX team_members_by_email ON team_members (lower(email)) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX team_members_by_subject ON team_members (issuer, subject) WHERE removed_at IS NULL;
CREATE INDEX team_members_of_group ON team_members (group_id);

ALTER TABLE local_keys ADD COLUMN owner_id uuid REFERENCES team_members;
CREATE INDEX local_keys_of_owner ON local_keys (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE team_days (
  holder_id uuid NOT NULL,
  day integer NOT NULL,
  spent numeric(40, 0) NOT NULL,
  reserved numeric(40, 0) NOT NULL,
  PRIMARY KEY (holder_id, day)
) WITH (fillfactor = 50);

CREATE FUNCTION sotto_lock_team(owners uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM team_members WHERE id = ANY (owners) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM team_groups WHERE id IN (SELECT group_id FROM team_members WHERE id = ANY (owners))
    ORDER BY id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION sotto_add_team_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owners uuid[];
BEGIN
  SELECT array_agg(DISTINCT owner_id) INTO owners
    FROM after_change JOIN local_keys ON local_keys.id = key_id WHERE owner_id IS NOT NULL;
  IF owners IS NULL THEN RETURN NULL; END IF;
  PERFORM sotto_lock_team(owners);
  INSERT INTO team_days (holder_id, day, spent, reserved)
    SELECT holder_id, day, sum(spent), sum(reserved) FROM (
      SELECT unnest(ARRAY[team_members.id, group_id]) AS holder_id, day,
        after_change.spent - before_change.spent AS spent,
        after_change.reserved - before_change.reserved AS reserved
      FROM after_change JOIN before_change USING (key_id, day)
        JOIN local_keys ON local_keys.id = key_id JOIN team_members ON team_members.id = owner_id
    ) AS change
    WHERE holder_id IS NOT NULL GROUP BY holder_id, day
    ON CONFLICT (holder_id, day) DO UPDATE
      SET spent = team_days.spent + excluded.spent, reserved = team_days.reserved + excluded.reserved;
  RETURN NULL;
END $$;
CREATE TRIGGER key_days_changed AFTER UPDATE ON key_days
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION sotto_add_team_days();

-- A replica of version 2 doesn't know the budgets of members and groups, so it can't reserve for their keys.
CREATE FUNCTION sotto_require_team_replica() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM added JOIN local_keys ON local_keys.id = key_id
    WHERE owner_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM replicas WHERE replicas.id = replica_id AND schema_version >= 3)
  ) THEN
    RAISE EXCEPTION 'The key of a member needs a replica that knows teams.' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER requests_added AFTER INSERT ON requests
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sotto_require_team_replica();

CREATE TABLE team_sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  member_id uuid NOT NULL REFERENCES team_members,
  expires_at timestamptz NOT NULL
);
CREATE INDEX team_sessions_of_member ON team_sessions (member_id);
`,
}
