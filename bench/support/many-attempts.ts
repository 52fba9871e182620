import { type Database, longRunning } from '#libs/database';

/** How attempts are spread: people of an organization use one application and three of ten models. */
export const SPREAD = { organizations: 50, people: 2_000, days: 120 } as const;

const AT_ONCE = 500_000;

/** The same id for the same number. @param number SQL */
const idOf = (kind: string, number: string) => `md5('${kind}' || (${number}))::uuid`;
const MODELS = `ARRAY['gpt-5', 'gpt-5-mini', 'gpt-image-2', 'gpt-transcribe', 'claude-opus', 'claude-sonnet', 'claude-haiku',
  'gemini-pro', 'gemini-flash', 'gemini-image']`;

/**
 * Settled attempts, evenly over the days until today. Chunks have transactions of their own, as settlements of a day do.
 * $1 first and $2 last number, $3 of all
 */
const CREATE = `
  INSERT INTO gateway.usage (id, request_id, attempt, organization_id, application_id, application, user_id, capability, provider,
    credential_id, model, state, estimate, cost, input_tokens, output_tokens, milliseconds, reserved_at, settled_at,
    settled_transaction)
  SELECT gen_random_uuid(), gen_random_uuid(), 1 + (n % 20 = 0)::int, ${idOf('o', `p % ${SPREAD.organizations}`)},
    ${idOf('a', 'p % 3')}, 'application-' || p % 3, ${idOf('u', 'p')}, 'completions',
    (ARRAY['openai', 'anthropic', 'google'])[1 + least(m / 4, 2)], ${idOf('c', `p % ${SPREAD.organizations} || ':' || m / 4`)},
    (${MODELS})[1 + m], (ARRAY['done', 'done', 'done', 'failed', 'unknown'])[1 + (n % 97 = 0)::int * (n % 5)], 2000000,
    n % 1000000, n % 3000, n % 700, 900, at, at, pg_current_xact_id()
  FROM generate_series($1::int, $2::int) AS n
  CROSS JOIN LATERAL (SELECT (n::bigint * 7919 % ${SPREAD.people})::int AS p) person
  CROSS JOIN LATERAL (SELECT (p + n % 3) % 10 AS m) model
  CROSS JOIN LATERAL (SELECT now() - (n::float8 / $3 * ${SPREAD.days}) * interval '1 day' AS at) time`;

export async function createAttempts(database: Database, count: number): Promise<void> {
  for (let first = 0; first < count; first += AT_ONCE)
    await longRunning(() => database.query(CREATE, [first, Math.min(first + AT_ONCE, count) - 1, count]));
  await longRunning(() => database.query('VACUUM ANALYZE gateway.usage'));
}
