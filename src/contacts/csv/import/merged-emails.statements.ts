/** All addresses of all rows of contacts with several rows, in the order of the file. */
const GIVEN = `
  given AS (
    SELECT w.first_row, w.row, a.*
    FROM writing AS w CROSS JOIN LATERAL (
      SELECT w.email, w.email_key, 0 AS number
      UNION ALL
      SELECT * FROM unnest(w.additional_emails, w.additional_email_keys) WITH ORDINALITY) AS a (email, email_key, number)
    WHERE w.rows > 1 AND a.email_key IS NOT NULL)`;

/**
 * Distinct addresses in their first spelling, with the rows that have them as primary address. An address that an earlier
 * row has as an additional one stays additional.
 */
const ADDRESSES = `
  each_address AS (
    SELECT first_row, email_key, (array_agg(email ORDER BY row, number))[1] AS email,
           min(row) AS row, (array_agg(number ORDER BY row, number))[1] AS number,
           array_agg(row ORDER BY row) FILTER (WHERE number = 0) AS primary_rows,
           array_agg(email ORDER BY row) FILTER (WHERE number = 0) AS spelled,
           coalesce(min(row) FILTER (WHERE number = 0) < min(row) FILTER (WHERE number > 0), true) AS is_own
    FROM given GROUP BY first_row, email_key)`;

/**
 * `merged_emails`: the primary address of each contact with several rows, and all others.
 * @param primary selects the primary address among those of the rows
 */
export const mergedEmails = (primary: 'first' | 'last'): string => {
  const at = primary === 'first' ? '1' : 'cardinality(primary_rows)';
  return `${GIVEN},${ADDRESSES},
  primary_address AS (
    SELECT DISTINCT ON (first_row) first_row, spelled[${at}] AS email, email_key
    FROM each_address WHERE primary_rows IS NOT NULL AND is_own
    ORDER BY first_row, primary_rows[${at}]${primary === 'first' ? '' : ' DESC'}),
  merged_emails AS (
    SELECT p.first_row, p.email, p.email_key,
           array_agg(e.email ORDER BY e.row, e.number) FILTER (WHERE e.email_key <> p.email_key) AS additional_emails,
           array_agg(e.email_key ORDER BY e.row, e.number) FILTER (WHERE e.email_key <> p.email_key)
             AS additional_email_keys
    FROM primary_address AS p JOIN each_address AS e USING (first_row) GROUP BY p.first_row, p.email, p.email_key)`;
};
