/*
 * Limits count per day or month in UTC, by the database's clock. An attempt belongs to the windows of its reservation, also when it
 * is settled after midnight.
 */

/** The day and the month of an instant. @param instant SQL */
export const dayOf = (instant: string) => `(${instant} AT TIME ZONE 'UTC')::date`;
export const monthOf = (instant: string) => `date_trunc('month', ${instant} AT TIME ZONE 'UTC')::date`;

/** The first day of the window that contains an instant. @param period SQL, `day` or `month` @param instant SQL */
export const windowOf = (period: string, instant: string) =>
  `CASE ${period} WHEN 'day' THEN ${dayOf(instant)} ELSE ${monthOf(instant)} END`;

/** When a window ends. @param period SQL @param startsOn SQL */
export const endOf = (period: string, startsOn: string) =>
  `((${startsOn} + CASE ${period} WHEN 'day' THEN interval '1 day' ELSE interval '1 month' END)::timestamp AT TIME ZONE 'UTC')`;

/**
 * Rows with the column `scope`: all scopes that an attempt counts against, as gateway.spend_limit names them. An organization has one
 * for its own limit and one for that of the platform. @param row SQL name of a row of an attempt
 */
export const scopesOf = (row: string) => `(VALUES ('platform'),
  ('organization:' || ${row}.organization_id::text),
  ('organization:' || ${row}.organization_id::text || ':platform'),
  ('application:' || ${row}.application_id::text),
  ('application:' || ${row}.application_id::text || ':' || ${row}.organization_id::text))`;

/**
 * What a settled attempt counts against limits. The estimate stays where the cost is not known: an unknown outcome, and a response
 * of a model without a price. A failed attempt without a cost counts as 0. @param row SQL name of a row of gateway.usage
 */
export const countedBy = (row: string) => `CASE ${row}.state
  WHEN 'released' THEN 0 WHEN 'failed' THEN coalesce(${row}.cost, 0)
  ELSE coalesce(${row}.cost, ${row}.estimate, 0) END`;
