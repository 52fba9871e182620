import { statement } from '#libs/database';
import { CREDENTIAL_COLUMNS } from '../credential-row.js';

/**
 * No row when the secret was replaced or erased: the result is not about the present one. A check that works lets one call probe a
 * credential that was held back, also for want of money: lists of models work without money, and the probe holds it back again.
 * $1 id, $2 sealed secret that was checked, $3 result, $4 outcome
 */
export const STORE_CHECK = statement(
  'gateway_store_credential_check',
  `UPDATE gateway.credential SET checked_at = now(), check_result = $3,
     failing_since = CASE $4 WHEN 'refused' THEN coalesce(failing_since, now())
                             WHEN 'works' THEN NULL WHEN 'out_of_money' THEN NULL ELSE failing_since END,
     breaker_open_until = CASE $4 WHEN 'works' THEN CASE WHEN breaker_open_until IS NOT NULL THEN now() END
                                  WHEN 'out_of_money' THEN 'infinity' ELSE breaker_open_until END,
     breaker_reason = CASE $4 WHEN 'out_of_money' THEN 'money' ELSE breaker_reason END,
     breaker_failures = CASE $4 WHEN 'works' THEN 0 ELSE breaker_failures END
   WHERE id = $1 AND secret = $2 AND deleted_at IS NULL
   RETURNING ${CREDENTIAL_COLUMNS}`,
);
