const LEASE = "clock_timestamp() + interval '6 seconds'";

/**
 * No row where another import has the lease, or holds its row while it merges. $1 organization, $2 import.
 * Nothing here waits: a merge may take minutes.
 */
export const TAKE_LEASE = `
  WITH made AS (
    INSERT INTO contacts.import_lease (organization_id, import_id, lease_until) VALUES ($1, $2, ${LEASE})
    ON CONFLICT DO NOTHING RETURNING import_id),
  expired AS (
    SELECT organization_id FROM contacts.import_lease
    WHERE organization_id = $1 AND lease_until < clock_timestamp() FOR UPDATE SKIP LOCKED),
  taken AS (
    UPDATE contacts.import_lease AS l SET import_id = $2, lease_until = ${LEASE}
    FROM expired WHERE l.organization_id = expired.organization_id RETURNING l.import_id)
  SELECT import_id FROM made UNION ALL SELECT import_id FROM taken`;

/** $1 organization, $2 import. */
export const RENEW_LEASE = `
  UPDATE contacts.import_lease SET lease_until = ${LEASE} WHERE organization_id = $1 AND import_id = $2`;

/** Fencing: as long as the transaction lasts, no other import takes the lease. No row where one has. $1 organization, $2 import. */
export const HOLD_LEASE = `
  SELECT import_id FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2 FOR UPDATE`;

/** $1 organization, $2 import. */
export const END_LEASE = 'DELETE FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2';

/** Does not wait for an import that merges. */
export const SWEEP_LEASES = `
  DELETE FROM contacts.import_lease WHERE organization_id IN (
    SELECT organization_id FROM contacts.import_lease
    WHERE lease_until < clock_timestamp() - interval '1 minute' FOR UPDATE SKIP LOCKED)`;

/**
 * The server looks every second whether the process is still there, also while a statement runs or waits: otherwise the
 * merge of a killed process would go on holding its contacts. Windows cannot, and says so with an error.
 */
export const WATCH_CLIENT = `
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1s', true);
  EXCEPTION WHEN invalid_parameter_value THEN NULL;
  END $$`;
