const LEASE = "clock_timestamp() + interval '6 seconds'";

/**
 * Returns no row when another import holds the lease, or locks its row during a merge. $1 organization, $2 import. It does
 * not wait, because a merge can take minutes.
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

/**
 * Fencing: until the transaction ends, no other import takes the lease. Returns no row when another import holds it. $1
 * organization, $2 import.
 */
export const LOCK_LEASE = `
  SELECT import_id FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2 FOR UPDATE`;

/** $1 organization, $2 import. */
export const END_LEASE = 'DELETE FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2';

/** Does not wait for an import that merges. */
export const SWEEP_LEASES = `
  DELETE FROM contacts.import_lease WHERE organization_id IN (
    SELECT organization_id FROM contacts.import_lease
    WHERE lease_until < clock_timestamp() - interval '1 minute' FOR UPDATE SKIP LOCKED)`;

/**
 * The server checks every second whether the client still exists, also during a statement or a wait: otherwise the merge
 * of a killed process would keep its contacts locked. Windows cannot, and answers with an error.
 */
export const WATCH_CLIENT = `
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1s', true);
  EXCEPTION WHEN invalid_parameter_value THEN NULL;
  END $$`;
